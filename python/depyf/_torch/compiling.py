"""What torch is compiling at this moment, read from the frames above us."""

from __future__ import annotations

import sys
from types import CodeType
from typing import Any, Dict, Tuple

_COMPILERS = ("_compile", "compile_inner", "_compile_inner")

Variables = Dict[str, Any]


def compiled_frame(code: CodeType) -> "Tuple[Variables, Variables] | Tuple[None, None]":
    """Return the globals and the local variables of the frame whose code is being compiled.

    torch hands its bytecode hooks only code objects; `_compile` of
    torch/_dynamo/convert_frame.py, a caller of ours, has the rest among its
    locals: as a frame object up to 2.6, as single values later.
    """
    at: Any = sys._getframe(1)
    for _ in range(30):
        at = at.f_back
        if at is None:
            break
        if at.f_code.co_name not in _COMPILERS:
            continue
        seen = at.f_locals
        frame = seen.get("frame")
        if getattr(frame, "f_code", None) is code:
            return frame.f_globals, frame.f_locals
        if seen.get("code") is code and isinstance(seen.get("globals"), dict):
            return seen["globals"], seen.get("locals") or {}
    return None, None
