"""Why a graph breaks and why a function is compiled again, on a torch whose structured log does not say so.

Before 2.6 graph breaks are told to the logger of TORCH_LOGS=graph_breaks only, when that
is on. A filter on the logger sees the records first, and drops them unless the user has
turned the log on. What TORCH_LOGS=recompiles would show is always made: for the message
that the limit of recompilations has been reached.
"""

from __future__ import annotations

import json
import logging
import re
from types import CodeType
from typing import Any, Callable

from . import hooks
from . import session as sessions
from .patching import attribute, hear

_FRAME = re.compile(r'File "(.*)", line (\d+)')


def _see(record: logging.LogRecord) -> None:
    if not str(record.msg).startswith("Graph break"):
        return
    session = sessions.current(compiling=True)
    if session is not None:
        with session.guarded("graph break"):
            _send(session, record)


def _send(session: sessions.Session, record: logging.LogRecord) -> None:
    """Word the record as newer versions do in their structured log."""
    # 2.2: "Graph break: REASON from user code at:\nSTACK"; in 2.4 the reason is the
    # exception, and REASON is empty.
    reason, _, stack = record.getMessage().partition(" from user code at:")
    if not stack:
        _post(session, reason)
        return
    reason = reason.replace("Graph break:", "", 1).strip()
    at = _FRAME.findall(stack)
    where = "Graph break in user code at %s:%s\n" % at[-1] if at else ""
    if not reason and record.exc_info:
        reason = str(record.exc_info[1])
    reason = reason.split("\n")[0]
    _post(session, "%sReason: %s\nUser code traceback:\n%s" % (where, reason, stack))


def _post(session: sessions.Session, text: str) -> None:
    envelope = json.dumps({"artifact": {"name": "dynamo_graph_break_reason", "encoding": "string"}})
    session.post("trace", envelope=envelope, payload=text)


def told() -> bool:
    """Whether the structured log of this torch tells the reasons."""
    return hooks.version() >= (2, 6)


def listen() -> Callable[[], None]:
    """Listen to the log of graph breaks, where there is nothing better."""
    return hear(hooks.get("log of graph breaks")("torch._dynamo.symbolic_convert", "graph_breaks"), _see)


def patch_jumps() -> Callable[[], None]:
    """Note a condition that depends on data, where there is nothing better: no log tells of it."""

    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        def compile_subgraph(self: Any, tx: Any, *args: Any, **kwargs: Any) -> Any:
            session = sessions.current(compiling=True)
            if session is not None:
                with session.guarded("graph break"):
                    _jump(session, kwargs.get("reason"))
            return original(self, tx, *args, **kwargs)

        return compile_subgraph

    return attribute(*hooks.place("conditions that depend on data"), make)


def _jump(session: sessions.Session, reason: Any) -> None:
    words = str(getattr(reason, "reason", ""))
    if not words.startswith("generic_jump ") or not reason.user_stack:
        return
    at = reason.user_stack[-1]
    head = "Graph break in user code at %s:%s\nReason: Data-dependent jump: a condition on a %s\n" % (
        at.filename,
        at.lineno,
        words.split("\n")[0][len("generic_jump ") :].replace("Variable()", ""),
    )
    stack = 'User code traceback:\n  File "%s", line %s, in %s\n    %s\n' % (at.filename, at.lineno, at.name, at.line)
    _post(session, head + stack)


# Of each code object that is being compiled again: the versions that did not fit, and why.
_again: dict[CodeType, list[tuple[Any, str]]] = {}


def patch_recompilation() -> Callable[[], None]:
    """Note why a function is compiled again, where there is nothing better."""
    from torch._dynamo import convert_frame

    found: list[tuple[Any, str]] = []

    def make_one(original: Callable[..., str]) -> Callable[..., str]:
        def get_guard_fail_reason(guard_fn: Any, code: CodeType, *args: Any, **kwargs: Any) -> str:
            reason = original(guard_fn, code, *args, **kwargs)
            found.append((code, str(reason)))
            return reason

        return get_guard_fail_reason

    def make_all(original: Callable[..., Any]) -> Callable[..., Any]:
        def get_and_maybe_log_recompilation_reason(cache_entry: Any, frame: Any, *args: Any, **kwargs: Any) -> Any:
            found.clear()
            result = original(cache_entry, frame, *args, **kwargs)
            _again[frame.f_code] = list(found)
            return result

        return get_and_maybe_log_recompilation_reason

    # Imported by name: convert_frame's is the one that is called.
    both = attribute(convert_frame, "get_and_maybe_log_recompilation_reason", make_all)
    one = attribute(*hooks.place("reasons of recompilation"), make_one)

    def undo() -> None:
        both()
        one()
        _again.clear()

    return undo


def send_recompilation(session: sessions.Session, old: CodeType) -> None:
    """Word the reasons as newer versions do; sent now that torch has given the compilation an id."""
    ids = {id(f.final()): f.compile_id for f in session.frames}
    reasons = []
    for code, reason in _again.pop(old, ()):
        if reason:
            known = ids.get(id(code))
            reasons.append("%s: %s" % (known, reason) if known else reason)
    if reasons:
        envelope = json.dumps({"artifact": {"name": "recompile_reasons", "encoding": "json"}})
        session.post("trace", envelope=envelope, payload=json.dumps(reasons))
