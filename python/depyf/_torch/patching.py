"""Changing torch for as long as a block is active, and changing it back.

Blocks nest, overlap and end in any order, so every patch counts its users: the
first installs it, the last removes it. Removal never fails and leaves alone
what somebody else has replaced in the meantime.
"""

from __future__ import annotations

import logging
import threading
from types import CodeType, FunctionType
from typing import Any, Callable, Tuple, TypeVar

from . import hooks

_Function = TypeVar("_Function", bound=Callable[..., Any])

_lock = threading.RLock()


class Patch:
    """One change of torch. `apply` makes it and returns what undoes it."""

    def __init__(self, name: str, apply: Callable[[], Callable[[], None]]) -> None:
        self.name = name
        self._apply = apply
        self._undo: Callable[[], None] = _nothing
        self._users = 0

    def acquire(self) -> None:
        """Install the patch unless it is; raises if torch has no place for it."""
        with _lock:
            if self._users == 0:
                self._undo = self._apply()
            self._users += 1

    def release(self) -> None:
        with _lock:
            self._users -= 1
            if self._users == 0:
                undo, self._undo = self._undo, _nothing
                undo()


def _nothing() -> None:
    return None


def unseen(function: _Function) -> _Function:
    """Keep Dynamo from looking at what function, and all that it calls, does.

    Most hooks run while torch compiles, when Dynamo is off. But with compiled autograd
    graphs are made in the middle of a backward pass that Dynamo watches: it would
    compile the hooks themselves. What a hook calls of torch's own must not be inside:
    Dynamo would see less than without us. A hook that goes on to torch is left alone
    itself, by skip, and has its own work unseen.
    """
    try:
        hidden: _Function = hooks.get("hiding from Dynamo")(function)
    except Exception as e:
        hooks.failed("hiding from Dynamo", e)
        return function
    return hidden


def skip(code: CodeType) -> None:
    """Have Dynamo run the frames of code as they are; what they call, it looks at."""
    try:
        hooks.get("frames left alone")(code)
    except Exception as e:
        hooks.failed("frames left alone", e)
        raise


def divert(function: FunctionType, stand_in: FunctionType) -> Tuple[FunctionType, Callable[[], None]]:
    """Let whoever calls function run stand_in; return the old function and what undoes it.

    For functions that other modules have imported by name: the code is replaced,
    not the attribute. stand_in runs with the globals of function's module.
    """
    before = function.__code__
    if before.co_freevars or stand_in.__code__.co_freevars:
        raise RuntimeError("%s has become a closure" % function.__name__)
    original = FunctionType(before, function.__globals__, function.__name__, function.__defaults__)
    original.__kwdefaults__ = function.__kwdefaults__
    skip(stand_in.__code__)
    function.__code__ = stand_in.__code__

    def undo() -> None:
        function.__code__ = before

    return original, undo


def attribute(owner: Any, name: str, make: Callable[[Any], Any]) -> Callable[[], None]:
    """Replace owner.name by make(old); return what puts the old value back.

    The raw value is taken from the owner's own dictionary, so that class and
    static methods come back as they were.
    """
    missing = object()
    raw = vars(owner).get(name, missing)
    new = make(raw if raw is not missing else getattr(owner, name))
    setattr(owner, name, new)

    def undo() -> None:
        if vars(owner).get(name) is not new:
            return
        if raw is missing:
            delattr(owner, name)
        else:
            setattr(owner, name, raw)

    return undo


def hear(
    log: logging.Logger, see: Callable[[logging.LogRecord], None], level: int = logging.DEBUG
) -> Callable[[], None]:
    """Let see have every record of log from level on; return what undoes it.

    What reaches the user's handlers stays as it was: if the log was off, nothing.
    """
    own, shown = log.level, log.getEffectiveLevel()

    class Ear(logging.Filter):
        def filter(self, record: logging.LogRecord) -> bool:
            if record.levelno >= level:
                see(record)
            return record.levelno >= shown

    ear = Ear()
    log.addFilter(ear)
    if shown > level:
        log.setLevel(level)

    def undo() -> None:
        log.removeFilter(ear)
        if shown > level and log.level == level:
            log.setLevel(own)

    return undo
