"""Which global of the transformed code is which graph or resume function."""

from __future__ import annotations

from types import CodeType, FunctionType
from typing import Any, Iterator, Optional

from . import session as sessions


def send(session: sessions.Session) -> None:
    """Send a `global` event for each compiled or resume function a frame refers to."""
    for frame in session.frames:
        with session.guarded("globals of " + frame.old.co_name):
            for name in _names(frame.new):
                value = (frame.globals or {}).get(name)
                kind, resume_key = _kind(session, name, value)
                if kind:
                    _send(session, frame.key, name, kind, resume_key)
            for code in _inner_codes(frame.new):
                # A resume function with cells is made in place, up to torch 2.9.
                key = session.known_key(code)
                if key is not None:
                    _send(session, frame.key, code.co_name, "resume", key)


def _send(session: sessions.Session, key: str, name: str, kind: str, resume_key: Optional[str]) -> None:
    graph = name if kind == "graph" else None
    session.post("global", key=key, name=name, kind=kind, graph=graph, resume_key=resume_key, compile_id=None)


def _kind(session: sessions.Session, name: str, value: Any) -> tuple[Optional[str], Optional[str]]:
    if name.startswith("__compiled_fn_"):
        return "graph", None
    if name.startswith("__resume_at_"):
        for code in _codes_behind(value):
            key = session.known_key(code)
            if key is not None:
                return "resume", key
        return "resume", None
    return None, None


def _codes_behind(value: Any) -> Iterator[CodeType]:
    """Yield the code of a resume function: a function, a code object or a factory.

    A factory takes cells and returns the function, whose code is among its constants.
    """
    try:
        from torch._dynamo.eval_frame import innermost_fn

        value = innermost_fn(value)
    except Exception:
        pass
    if isinstance(value, FunctionType):
        value = value.__code__
    if isinstance(value, CodeType):
        yield value
        yield from (c for c in value.co_consts if isinstance(c, CodeType))


def _names(code: CodeType) -> list[str]:
    found = dict.fromkeys(code.co_names)
    for inner in _inner_codes(code):
        found.update(dict.fromkeys(inner.co_names))
    return list(found)


def _inner_codes(code: CodeType) -> Iterator[CodeType]:
    for c in code.co_consts:
        if isinstance(c, CodeType):
            yield c
            yield from _inner_codes(c)
