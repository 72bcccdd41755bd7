"""Resume functions: what they are known by, and the code behind a global."""

from __future__ import annotations

from types import CodeType, FunctionType
from typing import Any, Iterator, Optional

from . import hooks


def is_resume(code: CodeType) -> bool:
    """Whether code is the rest of a function after a graph break."""
    if code.co_name.startswith(("torch_dynamo_resume_in_", "resume_in_")):
        return True
    try:
        return code in hooks.get("resume functions")
    except Exception as e:
        hooks.failed("resume functions", e)
        return False


def called(code: CodeType, globals_: Optional[dict[str, Any]]) -> list[tuple[str, Optional[CodeType]]]:
    """List the resume functions that Dynamo's code calls, each with what it calls it.

    That is the name of a global or, where the code makes the function itself (up to
    torch 2.9, for those with cells), the name of the code object.
    """
    found: dict[tuple[str, int], tuple[str, Optional[CodeType]]] = {}
    for part in with_inner(code):
        for name in part.co_names:
            if name.startswith("__resume_at_"):
                behind = filter(is_resume, codes_behind((globals_ or {}).get(name)))
                found.setdefault((name, 0), (name, next(behind, None)))
        if part is not code and is_resume(part):
            found[part.co_name, id(part)] = part.co_name, part
    return list(found.values())


def parameters(called: list[tuple[str, Optional[CodeType]]]) -> dict[str, list[str]]:
    """Return the parameter names of resume functions: what is passed is best called so, too."""
    return {name: list(c.co_varnames[: c.co_argcount]) for name, c in called if c is not None}


def codes_behind(value: Any) -> Iterator[CodeType]:
    """Yield the code objects behind a global that Dynamo has installed.

    It holds a function, a code object that the caller makes a function of, or a
    factory that takes the cells and has the code among its constants or, in later
    versions, in its closure.
    """
    try:
        value = hooks.get("functions behind wrappers")(value)
    except Exception as e:
        hooks.failed("functions behind wrappers", e)
    held: list[Any] = [value]
    if isinstance(value, FunctionType):
        held = [value.__code__, *value.__code__.co_consts, *map(_content, value.__closure__ or ())]
    elif isinstance(value, CodeType):
        held += value.co_consts
    for c in held:
        if isinstance(c, CodeType):
            yield c


def _content(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return None  # An empty cell.


def with_inner(code: CodeType) -> Iterator[CodeType]:
    """Yield a code object and those nested in it."""
    yield code
    for c in code.co_consts:
        if isinstance(c, CodeType):
            yield from with_inner(c)
