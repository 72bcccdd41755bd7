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

_made: weakref.WeakKeyDictionary[Any, list[str]] = weakref.WeakKeyDictionary()


def of(check_fn: Any) -> list[str]:
    """Return the checks of each tensor that check_fn makes, as torch words them; [] if not known."""
    try:
        return _made.get(check_fn, [])
    except TypeError:  # Nothing that a weak reference can hold.
        return []


class _Filter(logging.Filter):
    """Keep the lines of this thread; pass them on only if the user has turned the log on."""

    def __init__(self, enabled: bool) -> None:
        super().__init__()
        self.enabled = enabled
        self.here = threading.local()

    def filter(self, record: logging.LogRecord) -> bool:
        lines = getattr(self.here, "lines", None)
        if lines is not None:
            text = record.getMessage()
            if text.startswith("check_tensor("):
                lines.append(text)
        return self.enabled


def listen() -> Callable[[], None]:
    """Listen to the log of guards, where the checks themselves do not say enough."""
    import torch
    import torch._dynamo.guards as guards

    if tuple(int(n) for n in torch.__version__.split(".")[:2]) >= (2, 6):
        return lambda: None
    from .patching import attribute

    log = guards.guards_log
    level, ours = log.level, _Filter(log.isEnabledFor(logging.DEBUG))

    def make(compile_check_fn: Callable[..., Any]) -> Callable[..., Any]:
        def listening(*args: Any, **kwargs: Any) -> Any:
            lines: list[str] = []
            ours.here.lines = lines
            try:
                check_fn = compile_check_fn(*args, **kwargs)
            finally:
                ours.here.lines = None
            if lines:
                try:
                    _made[check_fn] = lines
                except TypeError:
                    pass
            return check_fn

        return listening

    restore = attribute(guards.CheckFunctionManager, "compile_check_fn", make)
    log.addFilter(ours)
    log.setLevel(logging.DEBUG)

    def undo() -> None:
        restore()
        log.removeFilter(ours)
        if log.level == logging.DEBUG:
            log.setLevel(level)

    return undo
