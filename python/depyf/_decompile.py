"""What depyf.decompiler offers, but for the interface of older versions, and what that is made of."""

from __future__ import annotations

import os
import types

from . import _code
from ._client import RemoteError, ServiceUnavailable, client

TYPE_CHECKING = False
if TYPE_CHECKING:  # The typing module takes longer to import than this package.
    from typing import Any, Callable, Iterator, Optional, Union


class DecompilationError(Exception):
    """Raised when no source at all could be made; the text says why."""

    __module__ = "depyf.decompiler"  # Where it is public.

    def __init__(self, message: str = "", *args: object) -> None:
        super().__init__(message, *args)
        self.message = message


class DecompiledSource(str):
    """Source text that knows how far it is proven.

    `verdict` is "exact" (recompiled to the same bytecode), "proved" (recompiled
    to bytecode with the same effects; or, for a file of another version, shown
    without recompiling), "unproved", "differs" or "partial"; `detail` says where
    and why when it is no proof.
    `name` is the function that the text defines; "" for a module.
    """

    __module__ = "depyf.decompiler"  # Where it is public.

    verdict: str
    detail: str
    name: str

    def __new__(cls, text: str, verdict: str = "", detail: str = "", name: str = "") -> DecompiledSource:
        self = super().__new__(cls, text)
        self.verdict, self.detail, self.name = verdict, detail, name
        return self

    @property
    def proven(self) -> bool:
        return self.verdict in ("exact", "proved")


def decompile(obj: Any, verify: bool = True, *, name: Optional[str] = None) -> DecompiledSource:
    """Return Python source for obj.

    obj may be a function, method, code object, generator, coroutine, frame,
    anything with such a function behind it (a partial, a property, a callable
    object), a class, which stands for all functions in it, the path of a .pyc
    file, or the bytes of one. `name` replaces the function's own name.

    With `verify` the text is compiled again in this process, never run, and
    compared; that of another version's file is lowered to its instructions and
    compared. The `verdict` of the result says what came of it. Nothing is raised
    for an unproven result: look at its `proven`. Without, the verdict is
    "unproved". DecompilationError is raised when there is no text at all.
    """
    if isinstance(obj, type):
        return _decompile_class(obj, verify)
    return _source(request(code_of(obj), verify, name, _code.Constants()))


def request(
    target: Union[types.CodeType, bytes], verify: bool, name: Optional[str], constants: _code.Constants
) -> dict[str, Any]:
    request: dict[str, Any] = {"cmd": "decompile", "verify": bool(verify)}
    if isinstance(target, types.CodeType):
        request["code"] = _code.code_packet(target, constants)
        request["callees"] = _callees(target)
    else:
        request["pyc"] = target
    if name is not None:
        request["name"] = name
    try:
        return client.request(request)
    except (RemoteError, ServiceUnavailable) as e:
        raise DecompilationError(str(e)) from None


def _callees(code: types.CodeType) -> dict[str, list[str]]:
    """In a bytecode hook of torch's: the parameters of the resume functions that the code calls."""
    if not any(n.startswith("__resume_at_") for n in code.co_names):
        return {}
    try:
        from ._torch import compiling, resumes

        return resumes.parameters(resumes.called(code, compiling.globals_in_progress()))
    except Exception:
        return {}  # They only make better names.


def _source(answer: dict[str, Any]) -> DecompiledSource:
    return DecompiledSource(
        answer.get("source") or "",
        answer.get("verdict") or "",
        answer.get("detail") or "",
        answer.get("name") or "",
    )


def code_of(obj: Any) -> Union[types.CodeType, bytes]:
    """Return the code object behind obj, or the bytes of a .pyc file."""
    seen = 0
    while seen < 50:
        seen += 1
        if isinstance(obj, types.CodeType):
            return obj
        if isinstance(obj, (bytes, bytearray, memoryview)):
            return bytes(obj)
        if isinstance(obj, (str, os.PathLike)):
            try:
                with open(obj, "rb") as f:
                    return f.read()
            except OSError as e:
                raise DecompilationError(str(e)) from None
        obj = _step(obj)
    raise DecompilationError("the object wraps itself")


# __wrapped__ comes late: a decorated function has code of its own, which is what
# runs; what functools.lru_cache makes has not.
_STEPS = (
    "__func__",
    "__code__",
    "gi_code",
    "cr_code",
    "ag_code",
    "f_code",
    "tb_frame",
    "func",
    "fget",
    "__wrapped__",
)


def _step(obj: Any) -> Any:
    """Follow obj one step towards its code object."""
    if isinstance(obj, property):
        return obj.fget or obj.fset or obj.fdel
    if isinstance(obj, type):
        raise DecompilationError("a class has no bytecode of its own; depyf.decompile shows its functions")
    for attribute in _STEPS:
        inner = getattr(obj, attribute, None)
        if inner is not None:
            return inner
    call = getattr(type(obj), "__call__", None)  # noqa: B004  The method is wanted, not an answer.
    if isinstance(call, types.FunctionType):
        return call
    raise DecompilationError("a %s has no bytecode" % type(obj).__name__)


def _decompile_class(cls: type, verify: bool) -> DecompiledSource:
    """Decompile the functions found in a class; its own body is not kept by Python."""
    order = ["exact", "proved", "unproved", "differs", "partial"]
    parts: list[str] = []
    worst, details = "exact", []
    for attribute, value in vars(cls).items():
        for decorator, function in _functions(cls, attribute, value):
            code = code_of(function)
            assert isinstance(code, types.CodeType)
            name = _bare(cls, attribute) if decorator or code.co_name.startswith("<") else None
            answer = request(code, verify, name, _code.Constants())
            source = _source(answer)
            text = str(source)
            variables = answer.get("inside") and attribute.startswith("__annotate")
            if answer.get("wrapped") and (variables or code.co_freevars == ("__class__",)):
                text = _unwrapped(text)
            if variables:
                # A class statement of the annotations that the function computes (3.14+).
                parts.insert(0, text.rstrip().split("\n", 1)[1])
            else:
                head = "    @%s\n" % decorator if decorator else ""
                parts.append(head + moved(text.rstrip("\n"), lambda indent: indent + 4))
            if source.verdict in order and order.index(source.verdict) > order.index(worst):
                worst = source.verdict
            if source.detail:
                details.append("%s: %s" % (attribute, source.detail))
    if not parts:
        raise DecompilationError("class %s holds no Python function" % cls.__name__)
    text = "class %s:\n%s\n" % (cls.__name__, "\n\n".join(parts))
    return DecompiledSource(text, worst, "; ".join(details), cls.__name__)


def _functions(cls: type, name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """List the functions of a class attribute with the decorator that each needs."""
    if isinstance(value, property):
        name = _bare(cls, name)
        for decorator, function in (
            ("property", value.fget),
            (name + ".setter", value.fset),
            (name + ".deleter", value.fdel),
        ):
            if function is not None and _has_code(function):
                yield decorator, function
    elif not isinstance(value, (type, str, bytes, bytearray, memoryview, os.PathLike)) and _has_code(value):
        yield (type(value).__name__ if isinstance(value, (staticmethod, classmethod)) else ""), value


def _bare(cls: type, name: str) -> str:
    """Undo the mangling of a private name."""
    prefix = "_%s__" % cls.__name__.lstrip("_")
    return name[len(prefix) - 2 :] if name.startswith(prefix) else name


def _has_code(obj: Any) -> bool:
    if not isinstance(obj, (types.FunctionType, staticmethod, classmethod)) and not hasattr(type(obj), "__get__"):
        # An object that happens to be callable is a value of the class, not its method.
        return False
    try:
        return isinstance(code_of(obj), types.CodeType)
    except DecompilationError:
        return False


def _unwrapped(source: str) -> str:
    """Take the function out of the one around it that declares __class__: a class does so itself."""
    lines = source.rstrip("\n").split("\n")
    return moved("\n".join(lines[1:-1]), lambda indent: max(indent - 4, 0))


def styled(source: str, indentation: int) -> str:
    """Apply the wishes about style that the older interface takes."""
    if indentation != 4:
        source = moved(source, lambda indent: indent // 4 * indentation)
    return source


def moved(source: str, width: Callable[[int], int]) -> str:
    """Change the indentation of lines; those that begin inside a string stay."""
    import io
    import tokenize

    lines = source.split("\n")
    inside: set[int] = set()
    try:
        for token in tokenize.generate_tokens(io.StringIO(source + "\n").readline):
            inside.update(range(token.start[0] + 1, token.end[0] + 1))
    except (tokenize.TokenError, SyntaxError):
        # The source of another Python version: best effort.
        inside = set()
    for i, line in enumerate(lines):
        body = line.lstrip(" ")
        if i + 1 not in inside and body:
            lines[i] = " " * width(len(line) - len(body)) + body
    return "\n".join(lines)
