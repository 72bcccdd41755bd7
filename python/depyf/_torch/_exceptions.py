"""The exception table of a code object, from Python 3.11 on.

Its form is in CPython's InternalDocs/exception_handling.md: rows of start, length,
target (in instruction units) and depth with a flag, each a number in groups of six
bits, most significant first; bit 7 marks the first byte of a row, bit 6 says that
another group follows.
"""

from __future__ import annotations

import opcode
from types import CodeType
from typing import Any, Iterable, List, Tuple

Row = Tuple[int, int, int, int]

# CALL_INTRINSIC_1 3, Python/intrinsics.c: INTRINSIC_STOPITERATION_ERROR.
_STOPITERATION_ERROR = 3


def without_stop_iteration(code: CodeType, until: int = 0) -> CodeType:
    """Return code without the handler that makes a RuntimeError of a StopIteration.

    From 3.12 on CPython compiles one around every generator and coroutine; Dynamo's
    code for a coroutine has none. From the line until on, counted from the code's first,
    the handler stays: there the function's own code follows.
    """
    intrinsic = opcode.opmap.get("CALL_INTRINSIC_1")
    stay = len(code.co_code) // 2
    if until:
        any_code: Any = code  # co_lines is there from 3.10 on.
        first = code.co_firstlineno + until
        stay = next((start // 2 for start, _, line in any_code.co_lines() if (line or 0) >= first), stay)
    rows = []
    for start, length, target, depth in rows_of(code):
        if code.co_code[2 * target] == intrinsic and code.co_code[2 * target + 1] == _STOPITERATION_ERROR:
            start, length = max(start, stay), start + length - max(start, stay)
        if length > 0:
            rows.append((start, length, target, depth))
    changes: Any = {"co_exceptiontable": table_of(rows)}
    return code.replace(**changes)


def rows_of(code: CodeType) -> List[Row]:
    """Return start, length, target and depth with flag of each row."""
    numbers: List[int] = []
    value = 0
    for byte in getattr(code, "co_exceptiontable", b""):
        value = value << 6 | byte & 63
        if not byte & 64:
            numbers.append(value)
            value = 0
    return [tuple(numbers[i : i + 4]) for i in range(0, len(numbers) - 3, 4)]  # type: ignore[misc]


def table_of(rows: Iterable[Row]) -> bytes:
    out = bytearray()
    for row in rows:
        begin = len(out)
        for number in row:
            groups = [number & 63]
            while number > 63:
                number >>= 6
                groups.append(number & 63 | 64)
            out.extend(reversed(groups))
        out[begin] |= 128
    return bytes(out)
