"""A client of the Debug Adapter Protocol, as small as the tests need it."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import time
from typing import Any, Optional

# Of one answer. torch is imported in the meantime, on a machine that may be busy.
PATIENCE = 120


class Client:
    """A connection to debugpy: requests with their answers, and the events in between.

    What the program writes is in `output` where the adapter started it.
    """

    def __init__(self, connection: socket.socket) -> None:
        self.socket = connection
        self.socket.settimeout(PATIENCE)
        self.stream = connection.makefile("rb")
        self.number = 0
        self.events: list[dict[str, Any]] = []
        self.answers: dict[int, dict[str, Any]] = {}
        self.output = ""

    @classmethod
    def connected(cls, port: int, server: "subprocess.Popen[str]") -> "Client":
        """Connect to a server that was started a moment ago."""
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                return cls(socket.create_connection(("127.0.0.1", port), timeout=PATIENCE))
            except ConnectionRefusedError:
                if server.poll() is not None or time.monotonic() > deadline:
                    raise
                time.sleep(0.1)

    def send(self, command: str, **arguments: Any) -> int:
        self.number += 1
        body = json.dumps({"seq": self.number, "type": "request", "command": command, "arguments": arguments}).encode()
        self.socket.sendall(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        return self.number

    def ask(self, command: str, **arguments: Any) -> dict[str, Any]:
        """Send a request and return the body of its answer."""
        return self.answer(self.send(command, **arguments))

    def answer(self, number: int) -> dict[str, Any]:
        while number not in self.answers:
            if not self._receive():
                raise EOFError("debugpy has closed the connection")
        return self.answers.pop(number)

    def event(self, *names: str) -> Optional[dict[str, Any]]:
        """Return the next event of one of those names; None when there will be no more."""
        while True:
            for i, event in enumerate(self.events):
                if event["event"] in names:
                    del self.events[: i + 1]
                    return event
            if not self._receive():
                return None

    def _receive(self) -> bool:
        length = 0
        while True:
            try:
                line = self.stream.readline()
            except ConnectionResetError:
                line = b""
            if not line:
                return False
            if not line.strip():
                break
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        message = json.loads(self.stream.read(length))
        if message["type"] == "response":
            if not message["success"]:
                raise RuntimeError("%s: %s" % (message["command"], message.get("message")))
            self.answers[message["request_seq"]] = message.get("body") or {}
        elif message["type"] == "event" and message["event"] == "output":
            self.output += message["body"]["output"]
        elif message["type"] == "event":
            self.events.append(message)
        return True

    def begin(self, configuration: dict[str, Any], breakpoints: dict[str, list[int]]) -> None:
        """Do what an entry of launch.json says; set what breakpoints are known by now."""
        self.ask("initialize", clientID="tests", adapterID="debugpy", pathFormat="path", linesStartAt1=True)
        began = self.send(configuration["request"], **configuration)
        self.event("initialized")
        for path, lines in breakpoints.items():
            self.set_breakpoints(path, *lines)
        self.ask("configurationDone")
        self.answer(began)

    def set_breakpoints(self, path: str, *lines: int) -> None:
        self.ask("setBreakpoints", source={"path": path}, breakpoints=[{"line": n} for n in lines])

    def stops(self) -> "Optional[Stop]":
        """Wait until the program stops; None when it has ended instead."""
        while True:
            event = self.event("stopped", "terminated")
            if event is None or event["event"] == "terminated":
                return None
            try:
                return self._stop(event["body"]["threadId"])
            except RuntimeError as e:
                # On a busy machine one thread stops while another is told to go on, and goes on with it.
                later = [e["event"] for e in self.events]
                if not set(later) & {"continued", "stopped", "terminated", "exited"}:
                    raise RuntimeError("%s; events behind the stop: %s" % (e, later)) from None

    def _stop(self, thread: int) -> "Stop":
        frame = self.ask("stackTrace", threadId=thread, levels=1)["stackFrames"][0]
        scope = self.ask("scopes", frameId=frame["id"])["scopes"][0]
        variables = self.ask("variables", variablesReference=scope["variablesReference"])["variables"]
        kinds = {v["name"]: v.get("type", "") for v in variables}
        return Stop(frame["source"]["path"], frame["line"], kinds, thread, frame["id"])

    def go_on(self, stop: "Stop") -> None:
        self.ask("continue", threadId=stop.thread)

    def close(self) -> None:
        """Leave; a program that has come to its end waits for that."""
        with contextlib.suppress(OSError, EOFError, ValueError):
            self.ask("disconnect")
        self.stream.close()
        self.socket.close()


class Stop:
    """Where the program stands, and the types of its local variables there."""

    def __init__(self, path: str, line: int, kinds: dict[str, str], thread: int, frame: int) -> None:
        self.path, self.line, self.kinds, self.thread, self.frame = path, line, kinds, thread, frame

    @property
    def name(self) -> str:
        return os.path.basename(self.path)

    @property
    def tensors(self) -> list[str]:
        return sorted(n for n, kind in self.kinds.items() if kind == "Tensor")


def free_port() -> int:
    """A port that nobody listens on now: debugpy does not say which one it has chosen."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])
