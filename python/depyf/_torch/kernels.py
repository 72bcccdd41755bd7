"""Inductor's output code."""

from __future__ import annotations

import os
from typing import Any, Callable

from .. import _imports
from . import hooks
from . import session as sessions
from .patching import attribute, unseen


def patch_loading() -> Callable[[], None]:
    """Learn of every module that Inductor writes and loads.

    Without Inductor in the program it is not imported: that takes a second.
    """
    undo: list[Callable[[], None]] = []

    def apply() -> None:
        try:
            undo.append(_patch())
        except Exception as e:
            hooks.failed("Inductor's output", e)

    undo.append(_imports.when_loaded("torch._inductor.codecache", apply))

    def undo_all() -> None:
        for f in undo:
            f()

    return undo_all


def _patch() -> Callable[[], None]:
    def make(raw: Any) -> Any:
        original = raw.__func__ if isinstance(raw, classmethod) else raw

        def load_by_key_path(cls: Any, key: str, path: str, *args: Any, **kwargs: Any) -> Any:
            session = sessions.current()
            if session is not None:
                with session.guarded("kernel"):
                    _note(session, path)
            return original(cls, key, path, *args, **kwargs)

        return classmethod(unseen(load_by_key_path))

    return attribute(*hooks.place("Inductor's output"), make)


def _note(session: sessions.Session, path: str) -> None:
    with open(path, encoding="utf-8", errors="replace") as f:
        text = f.read()
    # Modules that only hold one kernel, for autotuning, are loaded here as well.
    if "def call(" not in text and "class Runner" not in text:
        return
    session.post("kernel", graph=None, text=text, language="python", original_path=os.fspath(path))
