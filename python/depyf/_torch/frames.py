"""The bytecode hook: every code object that Dynamo makes, and its replacement."""

from __future__ import annotations

import inspect
import textwrap
import weakref
from types import CodeType
from typing import Any, Callable, Optional

from .. import _code, _protocol
from . import functions, hooks, ids, links, reasons, resumes
from . import session as sessions
from .compiling import compiled_frame
from .swap import CannotSwap, swapped_code


class Frame:
    """One compiled frame: its code before and now, as long as they live."""

    def __init__(self, key: str, old: CodeType, final: CodeType) -> None:
        self.key = key
        self.old = weakref.ref(old)
        self.new = weakref.ref(final)  # What Dynamo has made; it may run elsewhere, too.
        self.final = weakref.ref(final)
        self.compile_id = ids.current()


def register() -> Callable[[], None]:
    """Register the hook with torch; return what removes it."""
    remove: Callable[[], None] = hooks.get("bytecode hook")(_hook).remove
    return remove


# Called once each, with the folder, when the first function has been compiled.
after_first: list[Callable[[str], None]] = []


def _hook(old: CodeType, new: CodeType, *_: Any, **__: Any) -> Optional[CodeType]:
    session = sessions.current(compiling=True)
    if session is None:
        return None
    final = None
    with session.guarded("bytecode of " + old.co_name):
        final = _transformed(session, old, new)
    while after_first:
        after_first.pop()(session.dir)
    return final


def _transformed(session: sessions.Session, old: CodeType, new: CodeType) -> Optional[CodeType]:
    key = "frame%d" % (len(session.frames) + 1)
    frame = Frame(key, old, new)
    globals_ = compiled_frame(old)[0]
    called = resumes.called(new, globals_)
    # Swapped code finds objects without a literal by their names: it keeps them. Nobody else may.
    constants = session.constants if session.swap else _code.Constants()
    reasons.send_recompilation(session, old)
    functions.tell(session, old, frame.compile_id)
    session.frames.append(frame)
    resume = resumes.is_resume(old)
    text, line = (None, old.co_firstlineno) if resume else source_of(old)
    fields = dict(
        key=key,
        old_key=session.key_of(old),
        old=_code.code_packet(old, constants),
        new=_code.code_packet(new, constants),
        func=old.co_name,
        is_resume=resume,
        source=text,
        source_file=old.co_filename,
        source_line=line,
        cell_names=list(old.co_cellvars + old.co_freevars),
        callees=resumes.parameters(called),
    )
    if not session.swap:
        session.post("bytecode", **fields)
        links.send(session, key, new, called)
        return None
    answer = session.event("bytecode", **fields)
    links.send(session, key, new, called)
    final, why = None, str(answer.get("why") or "no answer")
    if answer.get("swap") and answer.get("path"):
        try:
            final = swapped_code(answer, old, new, globals_, constants)
            why = ""
        except CannotSwap as e:
            why = str(e)
        except Exception as e:
            why = "%s: %s" % (type(e).__name__, e)
    outcome: dict[str, Any] = {"key": key, "ok": final is not None, "why": why}
    if session.log_bytecode and final is not None:
        outcome["bytecode"] = _protocol.encode(_code.code_packet(final, constants))
    session.post("swapped", **outcome)
    # What Go proves and Python cannot place is a failure of ours to look into.
    if final is None:
        return None
    frame.final = weakref.ref(final)
    return final


def source_of(code: CodeType) -> tuple[Optional[str], int]:
    """Return the original text of a function, dedented, and its first line."""
    try:
        lines, line = inspect.getsourcelines(code)
    except Exception:
        return None, code.co_firstlineno
    return textwrap.dedent("".join(lines)), line
