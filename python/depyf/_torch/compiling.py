"""What torch is compiling at this moment, read from the frames above us."""

from __future__ import annotations

import sys
from types import CodeType
from typing import Any, Dict, Iterator, Optional, Tuple

_COMPILERS = ("_compile", "compile_inner", "_compile_inner")

Variables = Dict[str, Any]


def compiled_frame(code: CodeType) -> "Tuple[Variables, Variables] | Tuple[None, None]":
    """Return the globals and the local variables of the frame whose code is being compiled.

    torch hands its bytecode hooks only code objects; `_compile` of
    torch/_dynamo/convert_frame.py, a caller of ours, has the rest among its
    locals: as a frame object up to 2.6, as single values later.
    """
    for found, globals_, locals_ in _in_progress():
        if found is code:
            return globals_, locals_
    return None, None


def code_in_progress() -> Optional[CodeType]:
    """Return the code object that torch is compiling."""
    for found, _, _ in _in_progress():
        return found
    return None


def globals_in_progress() -> "Variables | None":
    """Return the globals of the frame that is being compiled, if one is."""
    for _, globals_, _ in _in_progress():
        return globals_
    return None


def _in_progress() -> "Iterator[Tuple[CodeType, Variables, Variables]]":
    at: Any = sys._getframe(2)
    for _ in range(30):
        at = at.f_back
        if at is None:
            break
        if at.f_code.co_name not in _COMPILERS:
            continue
        seen = at.f_locals
        frame = seen.get("frame")
        if hasattr(frame, "f_code"):
            yield frame.f_code, frame.f_globals, frame.f_locals
        elif isinstance(seen.get("code"), CodeType) and isinstance(seen.get("globals"), dict):
            yield seen["code"], seen["globals"], seen.get("locals") or {}
