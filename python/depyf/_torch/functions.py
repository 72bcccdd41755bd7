"""Which function a person wrote stands behind a code object that torch compiles.

Models wrap their methods: what Dynamo is given is the `wrapper` of a decorator, one code
object for all that it decorates. The function that is meant is found from the frame: as a
method of its first argument, or as what the decorator has closed over.
"""

from __future__ import annotations

from types import CodeType, FunctionType, MappingProxyType, MethodType
from typing import Any, Dict, Iterator, Optional

from . import session as sessions
from .compiling import compiled_frame

Variables = Dict[str, Any]


def tell(session: sessions.Session, code: CodeType, compile_id: Optional[str]) -> None:
    """Send a `function` event, once for each compilation, where the code's own name does not say all."""
    if compile_id is None or compile_id in session.named:
        return
    session.named.add(compile_id)
    written = meant(code, compiled_frame(code)[1] or {})
    if written is not None and written.__qualname__ != code.co_name:
        session.post(
            "function",
            compile_id=compile_id,
            qualname=written.__qualname__,
            file=written.__code__.co_filename,
            line=written.__code__.co_firstlineno,
        )


def meant(code: CodeType, variables: Variables) -> Optional[FunctionType]:
    """Return the function of which code is the code, or that of a wrapper around it; None if that is not certain."""
    for function in _methods(_first_argument(code, variables)):
        if _is_running(function, code, variables):
            return _innermost(function)
    for name in code.co_freevars:
        value = _unbound(variables.get(name))
        if isinstance(value, FunctionType) and _wraps(code, value):
            return _innermost(value)
    return None


def _first_argument(code: CodeType, variables: Variables) -> Any:
    if code.co_argcount:
        return variables.get(code.co_varnames[0])
    if code.co_flags & 0x04:  # *args
        rest = variables.get(code.co_varnames[code.co_kwonlyargcount])
        return rest[0] if isinstance(rest, tuple) and rest else None
    return None


def _methods(owner: Any) -> Iterator[FunctionType]:
    if owner is None or isinstance(owner, type) or type(owner).__module__ == "builtins":
        return
    for cls in type(owner).__mro__:
        for value in list(vars(cls).values()):
            value = value.fget if isinstance(value, property) else _unbound(value)
            if isinstance(value, FunctionType):
                yield value


def _unbound(value: Any) -> Any:
    # Other objects are not asked for attributes: they may be the program's, and answer by its code.
    return value.__func__ if isinstance(value, (MethodType, classmethod, staticmethod)) else value


def _layers(function: FunctionType) -> Iterator[FunctionType]:
    """Yield a function and those that decorators have wrapped, outermost first."""
    for _ in range(30):
        yield function
        inner = _unbound(vars(function).get("__wrapped__"))
        if not isinstance(inner, FunctionType):
            return
        function = inner


def _innermost(function: FunctionType) -> FunctionType:
    *_, last = _layers(function)
    return last


def _is_running(function: FunctionType, code: CodeType, variables: Variables) -> bool:
    """Whether code runs as a layer of function: one wrapper's code is that of many, but for what it closes over."""
    for layer in _layers(function):
        if layer.__code__ is code:
            cells = zip(code.co_freevars, layer.__closure__ or ())
            return all(name not in variables or _content(cell) is variables[name] for name, cell in cells)
    return False


def _content(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return None  # An empty cell.


def _wraps(code: CodeType, function: FunctionType) -> bool:
    """Whether code is of a decorator's wrapper around function: under function's name stands what leads to both."""
    at: Any = function.__globals__
    for part in function.__qualname__.split("."):
        names = vars(at) if isinstance(at, type) else at
        at = names.get(part) if isinstance(names, (dict, MappingProxyType)) else None
    at = _unbound(at)
    if not isinstance(at, FunctionType):
        return False
    layers = list(_layers(at))
    return any(layer.__code__ is code for layer in layers) and _innermost(function) in layers
