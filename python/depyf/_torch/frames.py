"""The bytecode hook: every code object that Dynamo makes, and its replacement."""

from __future__ import annotations

import inspect
import textwrap
from types import CodeType
from typing import Any, Callable, Optional

from .. import _code, _protocol
from . import reasons, resumes
from . import session as sessions
from .compiling import compiled_frame
from .swap import CannotSwap, swapped_code


class Frame:
    """One compiled frame: the code objects before, between and after."""

    def __init__(self, key: str, old: CodeType, new: CodeType, globals_: Optional[dict[str, Any]]) -> None:
        self.key = key
        self.old = old
        self.new = new
        self.final = new
        self.globals = globals_
        self.compile_id = sessions.compile_id()
        # Looked up now: torch takes its globals away when the code dies or is reset.
        self.resumes = resumes.called(new, globals_)


def register() -> Callable[[], None]:
    """Register the hook with torch; return what removes it."""
    from torch._dynamo import convert_frame

    remove: Callable[[], None] = convert_frame.register_bytecode_hook(_hook).remove
    return remove


# Called once each, with the folder, when the first function has been compiled.
after_first: list[Callable[[str], None]] = []


def _hook(old: CodeType, new: CodeType) -> Optional[CodeType]:
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
    frame = Frame(key, old, new, compiled_frame(old)[0])
    reasons.send_recompilation(session, old)
    session.frames.append(frame)
    resume = resumes.is_resume(old)
    text, line = (None, old.co_firstlineno) if resume else source_of(old)
    answer = session.event(
        "bytecode",
        key=key,
        old_key=session.key_of(old),
        old=_code.code_packet(old, session.constants),
        new=_code.code_packet(new, session.constants),
        func=old.co_name,
        is_resume=resume,
        source=text,
        source_file=old.co_filename,
        source_line=line,
        cell_names=list(old.co_cellvars + old.co_freevars),
        callees=resumes.parameters(frame.resumes),
    )
    final, why = None, str(answer.get("why") or "no answer")
    if answer.get("swap") and answer.get("path"):
        try:
            final = swapped_code(answer, old, new, frame.globals, session.constants)
            why = ""
        except CannotSwap as e:
            why = str(e)
        except Exception as e:
            why = "%s: %s" % (type(e).__name__, e)
    outcome: dict[str, Any] = {"key": key, "ok": final is not None, "why": why}
    if session.log_bytecode and final is not None:
        outcome["bytecode"] = _protocol.encode(_code.code_packet(final, session.constants))
    session.post("swapped", **outcome)
    # What Go proves and Python cannot place is a failure of ours to look into.
    if final is None:
        return None
    frame.final = final
    return final


def source_of(code: CodeType) -> tuple[Optional[str], int]:
    """Return the original text of a function, dedented, and its first line."""
    try:
        lines, line = inspect.getsourcelines(code)
    except Exception:
        return None, code.co_firstlineno
    return textwrap.dedent("".join(lines)), line
