"""The one client of the Go program in this process.

Requests are synchronous and guarded by one lock. While a thread waits for its
answer it also serves what Go asks of Python (see _host), and so does one that
sends what gets no answer: there is no reader thread that could deadlock with
torch. When the program is missing, crashes, hangs or answers nonsense it is
killed, one warning is given, and every later call fails at once: what this
package watches must go on undisturbed.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import sys
import time
from _thread import RLock

from . import _binary, _host, _protocol
from ._version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:  # The typing module takes longer to import than this package.
    from typing import Any, Iterator, Optional

    from ._pipe import Pipe


# As much as a pipe holds: what is gathered is sent by then.
_MUCH = 1 << 16

# The number of requests that get no answer.
_UNANSWERED = 0


class ServiceUnavailable(Exception):
    """There is no Go program to talk to; the text says why."""


class RemoteError(Exception):
    """The Go program refused or failed one request."""


def _time_limit() -> float:
    try:
        return max(float(os.environ.get("DEPYF_TIMEOUT", "")), 0.1)
    except ValueError:
        return 30.0


class Client:
    """Starts the program at the first request and keeps it until exit."""

    def __init__(self) -> None:
        self.failure: Optional[str] = None
        self.generation = 0  # Counts forks: what another process began is not ours.
        self._lock = RLock()
        self._pipe: Optional[Pipe] = None
        self._number = 0
        self._hello: Optional[int] = None  # The number of a greeting that has not been answered yet.
        self._answers: dict[int, Any] = {}
        self._ignored: set[int] = set()
        self._sending = False
        self._gathering = 0  # How many blocks of `together` are open,
        self._gathered = bytearray()  # and what they send.

    def begin(self) -> None:
        """Start the program and wait for nothing: it gets ready while this process imports, say."""
        with self._lock:
            try:
                self._launched()
            except ServiceUnavailable:
                pass  # The first request says so.

    def request(self, value: dict[str, Any], timeout: Optional[float] = None) -> dict[str, Any]:
        """Send one request and return its answer."""
        with self._lock:
            pipe = self._started()
            deadline = time.monotonic() + (timeout or _time_limit())
            self._flush(pipe, deadline)
            number = self._send(pipe, value, deadline)
            try:
                answer = self._await(pipe, number, deadline)
            except (_protocol.PipeError, _protocol.ProtocolError) as e:
                raise self._failed(str(e)) from None
            except BaseException:
                # Interrupted, by Ctrl-C say: the stream is whole, the answer unwanted.
                self._ignored.add(number)
                raise
        if not isinstance(answer, dict):
            raise self._failed("it answered nonsense")
        if "error" in answer:
            raise RemoteError(str(answer["error"]))
        return answer

    def post(self, value: dict[str, Any]) -> None:
        """Send one request that gets no answer."""
        with self._lock:
            pipe = self._started()
            self._gathered += _protocol.pack(_UNANSWERED, False, value)
            if not self._gathering or len(self._gathered) >= _MUCH:
                self._pass_on(pipe)

    @contextlib.contextmanager
    def together(self) -> Iterator[None]:
        """Write what is posted in the block at once, at its end: to wake the program costs both sides."""
        generation = self.generation
        with self._lock:
            self._gathering += 1
        try:
            yield
        finally:
            with self._lock:
                if generation == self.generation:
                    self._gathering -= 1
                    if not self._gathering and self._gathered:
                        self._pass_on(self._started())

    def _pass_on(self, pipe: Pipe) -> None:
        deadline = time.monotonic() + _time_limit()
        self._flush(pipe, deadline)
        self._serve_waiting(pipe, deadline)

    def _flush(self, pipe: Pipe, deadline: float) -> None:
        if self._gathered:
            data, self._gathered = self._gathered, bytearray()
            self._write(pipe, bytes(data), deadline)

    def close(self) -> None:
        """End the program; a later request starts a new one."""
        with self._lock:
            pipe, self._pipe = self._pipe, None
            self._hello = None
            self._answers.clear()
            self._ignored.clear()
            if pipe is not None:
                pipe.close()

    def after_fork(self) -> None:
        """In the forked process, forget the parent's child."""
        pipe, self._pipe = self._pipe, None
        self.generation += 1
        self._lock = RLock()
        self._hello = None
        self._answers = {}
        self._ignored = set()
        self._sending = False
        self._gathering, self._gathered = 0, bytearray()
        if pipe is not None:
            pipe.forget()

    def pid(self) -> Optional[int]:
        """The process id of the running program, for tests."""
        return self._pipe.pid if self._pipe else None

    def _started(self) -> Pipe:
        """The pipe to a program that has greeted back."""
        pipe = self._launched()
        if self._hello is not None:
            self._greeted(pipe, self._hello)
        return pipe

    def _launched(self) -> Pipe:
        if self.failure is not None:
            raise ServiceUnavailable(self.failure)
        if self._sending:
            # A destructor ran in the middle of a packet and wants to send another.
            raise ServiceUnavailable("busy")
        if self._pipe is not None:
            return self._pipe
        path = _binary.find()
        if path is None:
            raise self._failed(_binary.missing(), started=False)
        try:
            from ._pipe import Pipe

            self._pipe = Pipe([path, "service"])
        except (OSError, ValueError) as e:
            raise self._failed("%s: %s" % (path, e), started=False) from None
        hello = {
            "cmd": "hello",
            "protocol": _protocol.PROTOCOL,
            "version": __version__,
            "python": list(sys.version_info[:3]),
            "optimize": sys.flags.optimize,
        }
        self._hello = self._send(self._pipe, hello, time.monotonic() + _time_limit())
        return self._pipe

    def _greeted(self, pipe: Pipe, number: int) -> None:
        try:
            answer = self._await(pipe, number, time.monotonic() + _time_limit())
        except (_protocol.PipeError, _protocol.ProtocolError) as e:
            raise self._failed(str(e)) from None
        if not isinstance(answer, dict) or answer.get("protocol") != _protocol.PROTOCOL:
            said = answer.get("error") if isinstance(answer, dict) else "it answered nonsense"
            raise self._failed(str(said))
        self._hello = None

    def _send(self, pipe: Pipe, value: dict[str, Any], deadline: float) -> int:
        self._number = number = self._number % 0x7FFFFFFF + 1
        self._write(pipe, _protocol.pack(number, False, value), deadline)
        return number

    def _write(self, pipe: Pipe, data: bytes, deadline: float) -> None:
        self._sending = True
        try:
            pipe.send(data, deadline)
        except _protocol.PipeError as e:
            raise self._failed(str(e)) from None
        except BaseException:
            self._failed("a packet was interrupted half-way")
            raise
        finally:
            self._sending = False

    def _await(self, pipe: Pipe, number: int, deadline: float) -> Any:
        while number not in self._answers:
            body = pipe.receive(deadline)
            before = time.monotonic()
            self._handle(pipe, body, deadline)
            # Time this process spends compiling is not the program's to answer for.
            deadline += time.monotonic() - before
        return self._answers.pop(number)

    def _serve_waiting(self, pipe: Pipe, deadline: float) -> None:
        """Do what the program has asked for meanwhile; wait for nothing."""
        try:
            while pipe is self._pipe:
                body = pipe.arrived()
                if body is None:
                    return
                self._handle(pipe, body, deadline)
        except (_protocol.PipeError, _protocol.ProtocolError) as e:
            raise self._failed(str(e)) from None

    def _handle(self, pipe: Pipe, body: bytes, deadline: float) -> None:
        number, is_response, value = _protocol.decode_packet(body)
        if not is_response:
            answer = _host.serve(value)
            limit = max(deadline, time.monotonic() + 1)
            self._write(pipe, _protocol.pack(number, True, answer), limit)
        elif number in self._ignored:
            self._ignored.discard(number)
        else:
            self._answers[number] = value

    def _failed(self, why: str, started: bool = True) -> ServiceUnavailable:
        """Record the first failure, say so once, and return what to raise."""
        with self._lock:
            first = self.failure is None
            if first:
                self.failure = "the depyf program failed: " + why if started else why
            pipe, self._pipe = self._pipe, None
            self._gathered = bytearray()
            if pipe is not None:
                pipe.kill()
            failure = self.failure or why
        if first:
            warn("depyf is off: %s. The program goes on without it." % failure)
        return ServiceUnavailable(failure)


def warn(text: str) -> None:
    """Give a warning that can never become an exception in the user's program."""
    import warnings

    try:
        warnings.warn_explicit(text, RuntimeWarning, "depyf", 0, registry={})
    except Exception:
        # Warnings are errors here (python -W error).
        try:
            print(text, file=sys.stderr)
        except Exception:
            return


client = Client()
atexit.register(client.close)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=client.after_fork)
