"""The running prepare_debug blocks of this process, and their events."""

from __future__ import annotations

import os
import sys
import threading
import traceback
import weakref
from contextlib import contextmanager, suppress
from types import CodeType
from typing import Any, Callable, Iterator, Optional

from .._client import RemoteError, ServiceUnavailable, client
from .._code import Constants
from . import hooks, ids, processes


class Session:
    """One prepare_debug block, or several that overlap, seen from Python: it forwards events, nothing more."""

    def __init__(self, folder: str, log_bytecode: bool, clean_wild_fx_code: bool, swap: bool) -> None:
        self.folder = folder
        self.swap = swap  # Whether proven code runs from the files. If not, nobody waits for a proof.
        self.log_bytecode = log_bytecode
        self.clean_wild_fx_code = clean_wild_fx_code
        self.thread = threading.get_ident()
        self.blocks = 0  # How many of them are open.
        self._start()

    def _start(self) -> None:
        self.generation = client.generation
        self.constants = Constants(published=True)
        self.frames: list[Any] = []  # Of frames.Frame, in order of compilation.
        self.lost: Optional[str] = None
        self.ended = False
        self.dumped: set[tuple[str, Optional[str]]] = set()  # Stages of compile ids that hooks delivered.
        self.names = 0  # How many file names of torch's structured log this session knows.
        self.named: set[str] = set()  # Compile ids of which `functions` has told whose they are.
        self.troubles: set[str] = set()  # What hooks.trouble has said here.
        self.settings: dict[str, str] = {}  # Of torch, as last told.
        self.made: dict[str, weakref.ref[Any]] = {}  # By compile id: the guards that have been told. See guards.
        self.identities: dict[str, Optional[dict[str, str]]] = {}  # See identities.
        self.unsent: dict[str, Optional[dict[str, str]]] = {}  # Those of them that have not been sent.
        # By id: original code objects and their keys. They are not kept: when one dies
        # torch takes back what it has put into the program's modules.
        self._keys: dict[int, tuple[weakref.ref[CodeType], str]] = {}
        self._count = 0
        answer = client.request(
            {
                "cmd": "session_start",
                "dir": self.folder,
                "torch": _torch_version(),
                "python": list(sys.version_info[:3]),
                "argv": [str(a) for a in getattr(sys, "argv", [])],
                "pid": os.getpid(),
                "rank": processes.rank(),
                "resets": ids.resets(),
                "run": processes.run(),
                "log_bytecode": self.log_bytecode,
                "clean_wild_fx_code": self.clean_wild_fx_code,
                "swap": self.swap,
                "interpreter": None if self.swap else processes.interpreter(),
            }
        )
        self.id = answer["session"]
        self.dir: str = answer.get("dir") or self.folder

    def inherited(self) -> bool:
        """Whether this is the copy of a session that a forked process got from its parent."""
        return self.generation != client.generation

    def begin_again(self) -> None:
        """In a forked process that compiles something: a session, and a folder, of its own."""
        try:
            self._start()
        except (RemoteError, ServiceUnavailable) as e:
            self.lost = str(e)
            return
        _end_with_process()

    def alive(self) -> bool:
        """Whether events may be sent: not after a failure, nor in a forked process."""
        return self.lost is None and self.generation == client.generation

    def event(self, kind: str, /, **fields: Any) -> dict[str, Any]:
        """Send an event and return Go's answer; {} when there is none."""
        if not self.alive():
            return {}
        try:
            return client.request(self._packet(kind, fields))
        except RemoteError as e:
            if kind != "problem":
                self.problem("service, " + kind, str(e))
        except ServiceUnavailable as e:
            self.lost = str(e)
        return {}

    def post(self, kind: str, /, **fields: Any) -> None:
        """Send an event whose answer nobody needs."""
        if not self.alive():
            return
        try:
            client.post(self._packet(kind, fields))
        except ServiceUnavailable as e:
            self.lost = str(e)

    def _packet(self, kind: str, fields: dict[str, Any]) -> dict[str, Any]:
        fields.setdefault("compile_id", ids.current())
        return {**fields, "cmd": "event", "session": self.id, "type": kind}

    def problem(self, where: str, error: str, trace: str = "") -> None:
        self.post("problem", where=where, error=error, traceback=trace)

    def tell_trouble(self) -> None:
        """Say once what is missing because torch is not as depyf knows it."""
        for name, error, lost in hooks.trouble():
            if name not in self.troubles:
                self.troubles.add(name)
                self.post("problem", where=name, error=error, traceback="", lost=lost)

    @contextmanager
    def guarded(self, where: str) -> Iterator[None]:
        """Turn whatever goes wrong inside into a problem event; send what the block posts at its end."""
        try:
            with client.together():
                try:
                    yield
                except Exception as e:
                    with suppress(Exception):
                        self.problem(where, "%s: %s" % (type(e).__name__, e), traceback.format_exc())
        except ServiceUnavailable as e:
            self.lost = str(e)

    def key_of(self, code: CodeType) -> str:
        """Return the key that all events use for an original code object."""
        known = self._keys.get(id(code))
        if known is None or known[0]() is not code:
            self._count += 1
            known = self._keys[id(code)] = (weakref.ref(code), "code%d" % self._count)
        return known[1]

    def forget(self) -> None:
        """Let go of the program's objects: wrapped functions may hold this session until the interpreter ends."""
        self.frames = []
        self.constants = Constants(published=True)

    def end(self) -> dict[str, Any]:
        """Close the session; Go writes what needs the whole picture."""
        if not self.alive() or self.ended:
            return {}
        self.ended = True
        try:
            return client.request({"cmd": "session_end", "session": self.id}, timeout=300)
        except ServiceUnavailable as e:
            self.lost = str(e)
        except RemoteError as e:
            self.lost = str(e)
        return {}


_active: list[Session] = []
_lock = threading.RLock()


# Opens the session of a process that is watched without having asked (see unasked).
_opener: Optional[Callable[[], Optional[Session]]] = None
last_dir: Optional[str] = None


def current(compiling: bool = False) -> Optional[Session]:
    """Return the session that an event of this thread belongs to.

    That is the innermost block entered by this thread; else, since backward
    passes are compiled in autograd's threads, the innermost of all. An event that
    shows that this very process compiles may begin one: where DEPYF_DUMP asks for
    it, or in a forked process. Other events do not, so that the compile workers
    which torch forks leave no folders behind.
    """
    if not _active and (_opener is None or not compiling):
        return None
    me = threading.get_ident()
    if me in _muted:
        return None
    with _lock:
        if compiling:
            _begin()
        alive = [s for s in _active if s.alive()]
    for s in reversed(alive):
        if s.thread == me:
            return s
    return alive[-1] if alive else None


# Threads whose events are depyf's own: it compiles parts of graphs to see which is wrong.
_muted: set[int] = set()


@contextmanager
def muted() -> Iterator[None]:
    """Let nothing that this thread compiles in the block count as the program's."""
    me = threading.get_ident()
    outer = me in _muted
    _muted.add(me)
    try:
        yield
    finally:
        if not outer:
            _muted.discard(me)


def is_muted() -> bool:
    return threading.get_ident() in _muted


# Called before the sessions of a process that ends are finished.
before_end: list[Callable[[], None]] = []


def _begin() -> None:
    """Begin what an event of this process gives cause to; the lock is held."""
    global _opener
    for s in _active:
        if s.inherited():
            s.begin_again()
    if not _active and _opener is not None:
        opener, _opener = _opener, None
        session = opener()
        if session is not None:
            push(session)


def open_later(opener: Optional[Callable[[], Optional[Session]]]) -> None:
    """Have a session opened when this process compiles something."""
    global _opener
    _opener = opener


# The process, as the client counts them, whose end finishes what is open then.
_ending: Optional[int] = None


def _end_with_process() -> None:
    """Have sessions finished that are open when this process ends.

    That is all of a process that is watched unasked, and a block that nobody
    leaves: prepare_debug(folder).__enter__(), say.
    """
    global _ending
    if _ending != client.generation:
        _ending = client.generation
        processes.at_exit(_finish_all)


# Finishes a session that is still open when the process ends. capture, which opens them, sets it.
finish: Optional[Callable[[Session], None]] = None


def _finish_all() -> None:
    for f in before_end:
        try:
            f()
        except Exception as e:
            for session in _active:
                session.problem("end", "%s: %s" % (type(e).__name__, e))
    for session in reversed(list(_active)):
        if not session.inherited() and not session.ended:
            remove(session)
            if finish is not None:
                finish(session)


def push(session: Session) -> None:
    global last_dir
    with _lock:
        _active.append(session)
        last_dir = session.dir
    _end_with_process()


def shared(folder: str, log_bytecode: bool, clean_wild_fx_code: bool, swap: bool) -> Optional[Session]:
    """Return the session of a block that this thread is in with the same settings, if there is one."""
    with _lock:
        for s in reversed(_active):
            if s.blocks and s.alive() and not s.ended and s.thread == threading.get_ident():
                settings = s.log_bytecode, s.clean_wild_fx_code, s.swap
                if folder in (s.folder, s.dir) and settings == (log_bytecode, clean_wild_fx_code, swap):
                    return s
    return None


def remove(session: Session) -> None:
    with _lock:
        if session in _active:
            _active.remove(session)


def active() -> bool:
    return bool(_active)


def _after_fork() -> None:
    """Another thread of the parent may have held the lock; it does not exist here."""
    global _lock
    _lock = threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def _torch_version() -> str:
    try:
        import torch

        return str(torch.__version__)
    except Exception:
        return ""
