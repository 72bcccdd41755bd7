"""The child process and the bytes to and from it.

Every wait has a deadline. On POSIX both ends are non-blocking and polled; where
pipes cannot be polled (Windows) a watchdog thread kills the child at the
deadline, which ends the blocked call.
"""

from __future__ import annotations

import contextlib
import os
import struct
import time
from typing import IO, Any, Iterator, Optional

from . import _protocol
from ._protocol import PipeError

_LENGTH = struct.Struct("<I")
_POLLABLE = os.name == "posix"


class Pipe:
    """A running child and what has been read from it but not used yet."""

    def __init__(self, argv: list[str]) -> None:
        import subprocess  # Imported late: most users of the package never start a child.

        self._errors = _scratch_file()
        options: dict[str, Any] = {}
        if os.name == "posix":
            # Ctrl-C in a debugger is for the user's program, not for this child.
            options["start_new_session"] = True
        else:
            options["creationflags"] = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
        self._process = subprocess.Popen(
            argv,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors or subprocess.DEVNULL,
            bufsize=0,
            **options,
        )
        assert self._process.stdin is not None and self._process.stdout is not None
        self._in = self._process.stdin.fileno()
        self._out = self._process.stdout.fileno()
        self._buffer = bytearray()
        if _POLLABLE:
            os.set_blocking(self._in, False)
            os.set_blocking(self._out, False)

    @property
    def pid(self) -> int:
        return self._process.pid

    def send(self, data: bytes, deadline: float) -> None:
        """Write all of data."""
        if _POLLABLE:
            self._send(data, deadline)
        else:
            with self._watchdog(deadline):
                self._send(data, deadline)

    def _send(self, data: bytes, deadline: float) -> None:
        view = memoryview(data)
        while view:
            try:
                view = view[os.write(self._in, view[: 1 << 20]) :]
            except BlockingIOError:
                self._wait(self._in, True, deadline)
            except OSError:
                raise PipeError(self._epitaph(deadline)) from None

    def receive(self, deadline: float) -> bytes:
        """Return the next packet without its length."""
        with self._watchdog(deadline):
            while True:
                packet = self._take()
                if packet is not None:
                    return packet
                if not self._fill():
                    self._wait(self._out, False, deadline)
                    self._fill()

    def arrived(self) -> Optional[bytes]:
        """Return the next packet without its length if it is there; None, too, where that cannot be told."""
        packet = self._take()
        while _POLLABLE and packet is None and self._fill(1 << 14):
            packet = self._take()
        return packet

    def _take(self) -> Optional[bytes]:
        if len(self._buffer) < 4:
            return None
        size = _LENGTH.unpack_from(self._buffer)[0]
        if not 5 <= size <= _protocol.MAX_PACKET:
            raise PipeError("it answered nonsense")
        if len(self._buffer) < size + 4:
            return None
        packet = bytes(memoryview(self._buffer)[4 : size + 4])
        del self._buffer[: size + 4]
        return packet

    def _fill(self, most: int = 1 << 18) -> bool:
        try:
            data = os.read(self._out, most)
        except BlockingIOError:
            return False
        except OSError:
            data = b""
        if not data:
            raise PipeError(self._epitaph(0))
        self._buffer += data
        return True

    def _wait(self, fd: int, write: bool, deadline: float) -> None:
        import select

        rest = deadline - time.monotonic()
        if rest > 0:
            if hasattr(select, "poll"):
                poll = select.poll()
                poll.register(fd, select.POLLOUT if write else select.POLLIN)
                ready: Any = poll.poll(rest * 1000)
            else:
                ready = any(select.select([] if write else [fd], [fd] if write else [], [], rest))
            if ready:
                return
        raise PipeError("it did not answer in time")

    @contextlib.contextmanager
    def _watchdog(self, deadline: float) -> Iterator[None]:
        if _POLLABLE:
            yield
            return
        import threading

        timer = threading.Timer(max(deadline - time.monotonic(), 0.01), self.kill)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def _epitaph(self, deadline: float) -> str:
        if not _POLLABLE and deadline and time.monotonic() >= deadline:
            return "it did not answer in time"
        try:
            status: object = self._process.wait(0.5)
        except Exception:
            status = "unknown"
        said = ""
        if self._errors is not None:
            with contextlib.suppress(OSError, ValueError):
                self._errors.seek(0)
                said = self._errors.read().decode("utf-8", "replace").strip()
        # A Go panic says what happened first and where at length afterwards.
        return "it ended with status %s%s" % (status, said and ": " + said[:400])

    def close(self) -> None:
        """Close the pipe, which tells the child to end, and collect it."""
        self._close_files()
        try:
            self._process.wait(1)
        except Exception:
            self.kill()

    def kill(self) -> None:
        with contextlib.suppress(Exception):
            self._process.kill()
            self._process.wait(1)
        if _POLLABLE:
            self._close_files()

    def forget(self) -> None:
        """In a forked process: close our copies and leave the parent's child alone."""
        self._process.returncode = 0
        self._close_files()

    def _close_files(self) -> None:
        for f in (self._process.stdin, self._process.stdout, self._errors):
            if f is not None:
                with contextlib.suppress(Exception):
                    f.close()


def _scratch_file() -> Optional[IO[bytes]]:
    """A nameless file for what the child says on standard error, or None on a full disk."""
    import tempfile

    try:
        return tempfile.TemporaryFile()
    except OSError:
        return None
