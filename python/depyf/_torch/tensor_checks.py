"""What is checked of each tensor, on a torch that checks them all in one call.

Up to 2.3, and in 2.4 without the guards in C++, the checks of a version say only
`___check_tensors(a, b, ...)`. Sizes, strides and dtypes go to the log of guards,
a line for each tensor, while the version is made: torch/_dynamo/guards.py,
CheckFunctionManager.compile_check_fn.
"""

from __future__ import annotations

import logging
import threading
import weakref
from typing import Any, Callable

from . import hooks
from .patching import attribute, hear

_made: weakref.WeakKeyDictionary[Any, list[str]] = weakref.WeakKeyDictionary()


def of(check_fn: Any) -> list[str]:
    """Return the checks of each tensor that check_fn makes, as torch words them; [] if not known."""
    try:
        return _made.get(check_fn, [])
    except TypeError:  # Nothing that a weak reference can hold.
        return []


_here = threading.local()  # lines: those of the version that this thread makes.


def _see(record: logging.LogRecord) -> None:
    lines = getattr(_here, "lines", None)
    if lines is not None:
        text = record.getMessage()
        if text.startswith("check_tensor("):
            lines.append(text)


def listen() -> Callable[[], None]:
    """Listen to the log of guards, where the checks themselves do not say enough."""
    import torch._dynamo.guards as guards

    def make(compile_check_fn: Callable[..., Any]) -> Callable[..., Any]:
        def listening(*args: Any, **kwargs: Any) -> Any:
            lines: list[str] = []
            _here.lines = lines
            try:
                check_fn = compile_check_fn(*args, **kwargs)
            finally:
                _here.lines = None
            if lines:
                try:
                    _made[check_fn] = lines
                except TypeError:
                    pass
            return check_fn

        return listening

    restore = attribute(*hooks.place("log of guards"), make)
    deafen = hear(guards.guards_log, _see)

    def undo() -> None:
        restore()
        deafen()

    return undo
