"""Compile times and sizes that may vary, on a torch whose structured log does not tell them.

Compile times are in it from 2.3 on, sizes from 2.6 on. Both are worded here as
newer versions word them.
"""

from __future__ import annotations

import dataclasses
import json
import weakref
from typing import Any, Callable

from . import hooks
from . import session as sessions
from .patching import attribute


def _post(name: str, fields: dict[str, Any]) -> None:
    session = sessions.current()
    if session is not None:
        with session.guarded(name):
            session.post("trace", envelope=json.dumps({name: fields}, default=str), payload=None)


def patch_metrics() -> Callable[[], None]:
    """Receive the measurements of each compilation."""

    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        def log_compilation_event(metrics: Any, *args: Any, **kwargs: Any) -> Any:
            if dataclasses.is_dataclass(metrics):
                _post("compilation_metrics", dict(vars(metrics)))
            return original(metrics, *args, **kwargs)

        return log_compilation_event

    return attribute(*hooks.place("compile times"), make)


def patch_symbols() -> Callable[[], None]:
    """Receive each symbol that torch makes for a size, or another number, that may vary."""
    # The symbols of each environment that have been told: equal sizes share one.
    known: weakref.WeakKeyDictionary[Any, set[str]] = weakref.WeakKeyDictionary()

    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        def create_symbol(self: Any, val: Any, source: Any, *args: Any, **kwargs: Any) -> Any:
            made = original(self, val, source, *args, **kwargs)
            session = sessions.current()
            if session is not None and getattr(made, "is_symbol", False):
                with session.guarded("symbol"):
                    names = known.setdefault(self, set())
                    if str(made) not in names:
                        names.add(str(made))
                        _post("create_symbol", _symbol(self, made, val, source))
            return made

        return create_symbol

    return attribute(*hooks.place("symbolic sizes"), make)


def _symbol(env: Any, symbol: Any, value: Any, source: Any) -> dict[str, Any]:
    bounds = env.var_to_range[symbol]
    return {
        "symbol": str(symbol),
        "val": str(value),
        "vr": "[%s, %s]" % (bounds.lower, bounds.upper),
        "source": source.name(),
    }
