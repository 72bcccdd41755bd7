"""Inductor's output code."""

from __future__ import annotations

import functools
import os
from typing import Any, Callable

from .. import _imports
from . import cudagraphs, hooks, origins, running
from . import session as sessions
from .patching import attribute, skip, unseen


def patch_loading() -> Callable[[], None]:
    """Learn of every module that Inductor writes and loads.

    Without Inductor in the program it is not imported: that takes a second.
    """
    patches = {"Inductor's output": _patch}
    patches.update({name: functools.partial(origins.patch, name) for name in ("C++ kernels", "Triton kernels")})
    patches["calls of kernels"] = origins.patch_calls
    patches[cudagraphs.NAME] = cudagraphs.listen
    undo: list[Callable[[], None]] = []

    def when_loaded(name: str, patch: Callable[[], Callable[[], None]]) -> None:
        if not hooks.needed(hooks.TABLE[name]):
            return

        def apply() -> None:
            try:
                undo.append(patch())
            except Exception as e:
                hooks.failed(name, e)

        undo.append(_imports.when_loaded(hooks.TABLE[name].module, apply))

    # A module that the program imports in code that runs under Dynamo is looked for there.
    skip(_imports.find_spec.__code__)
    for name, patch in patches.items():
        when_loaded(name, patch)

    def undo_all() -> None:
        for f in undo:
            f()

    return undo_all


def _patch() -> Callable[[], None]:
    note = unseen(_note)

    def make(raw: Any) -> Any:
        original = raw.__func__ if isinstance(raw, classmethod) else raw

        def load_by_key_path(cls: Any, key: str, path: str, *args: Any, **kwargs: Any) -> Any:
            note(path)
            return original(cls, key, path, *args, **kwargs)

        skip(load_by_key_path.__code__)
        return classmethod(load_by_key_path)

    return attribute(*hooks.place("Inductor's output"), make)


def _note(path: str) -> None:
    session = sessions.current()
    if session is not None:
        with session.guarded("kernel"):
            _send(session, path)


def _send(session: sessions.Session, path: str) -> None:
    with open(path, encoding="utf-8", errors="replace") as f:
        text = f.read()
    # Modules that only hold kernels to be measured, for autotuning, are loaded here as well.
    if "def call(" not in text and "class Runner" not in text or "def benchmark_all_configs(" in text:
        return
    path = os.fspath(path)
    fields = dict(graph=None, text=text, language="python", original_path=path, compile_id=running.compile_id(session))
    session.post("kernel", **fields, **origins.take(text))
