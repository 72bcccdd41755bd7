"""Decompiling functions, code objects and .pyc files of the running Python."""

from __future__ import annotations

import os
import types
from typing import Any, Optional, Union

from . import _code
from ._client import RemoteError, ServiceUnavailable, client


class DecompilationError(Exception):
    """Raised when no source at all could be made; the text says why."""

    def __init__(self, message: str = "", *args: object) -> None:
        super().__init__(message, *args)
        self.message = message


class DecompiledSource(str):
    """Source text that knows how far it is proven.

    `verdict` is "exact" (recompiled to the same bytecode), "proved" (recompiled
    to bytecode with the same effects), "unproved" (nothing to recompile with),
    "differs" or "partial"; `detail` says where and why when it is no proof.
    `name` is the function that the text defines; "" for a module.
    """

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

    obj may be a function, method, class, code object, generator, coroutine,
    frame, anything with such a function behind it (a partial, a property, a
    callable object), the path of a .pyc file, or the bytes of one. With
    `verify` the text is compiled again in this process, never run, and
    compared; the result's `verdict` says what came of it. `name` replaces the
    function's own name.
    """
    request: dict[str, Any] = {"cmd": "decompile", "verify": bool(verify)}
    if isinstance(obj, type):
        return _decompile_class(obj, verify)
    target = code_of(obj)
    if isinstance(target, types.CodeType):
        request["code"] = _code.code_packet(target, _code.Constants())
    else:
        request["pyc"] = target
    if name is not None:
        request["name"] = name
    try:
        answer = client.request(request)
    except (RemoteError, ServiceUnavailable) as e:
        raise DecompilationError(str(e)) from None
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


def _step(obj: Any) -> Any:
    """Follow obj one step towards its code object."""
    if isinstance(obj, property):
        return obj.fget or obj.fset or obj.fdel
    for attribute in ("__func__", "__code__", "gi_code", "cr_code", "ag_code", "f_code", "tb_frame", "func"):
        inner = getattr(obj, attribute, None)
        if inner is not None and not isinstance(obj, type):
            return inner
    call = getattr(type(obj), "__call__", None)  # noqa: B004  The method is wanted, not an answer.
    if isinstance(call, types.FunctionType):
        return call
    raise DecompilationError("a %s has no bytecode" % type(obj).__name__)


def _decompile_class(cls: type, verify: bool) -> DecompiledSource:
    """Decompile the functions found in a class; its own body is not kept by Python."""
    import textwrap

    parts, worst, details = [], "exact", []
    order = ["exact", "proved", "unproved", "differs", "partial"]
    for attribute, value in vars(cls).items():
        try:
            if isinstance(value, type) or not isinstance(code_of(value), types.CodeType):
                continue
        except DecompilationError:
            continue
        source = decompile(value, verify)
        decorator = type(value).__name__ if isinstance(value, (staticmethod, classmethod, property)) else ""
        head = "    @%s\n" % decorator if decorator else ""
        parts.append(head + textwrap.indent(source.rstrip("\n"), "    "))
        if source.verdict in order and order.index(source.verdict) > order.index(worst):
            worst = source.verdict
        if source.detail:
            details.append("%s: %s" % (attribute, source.detail))
    if not parts:
        raise DecompilationError("class %s holds no Python function" % cls.__name__)
    text = "class %s:\n%s\n" % (cls.__name__, "\n\n".join(parts))
    return DecompiledSource(text, worst, "; ".join(details), cls.__name__)


class Decompiler:
    """The interface of older versions: Decompiler(code).decompile()."""

    def __init__(self, code: Any) -> None:
        target = code_of(code)
        self.code: Any = target

    # The spelling of the keyword is part of the interface.
    def decompile(
        self, indentation: int = 4, temporary_prefix: str = "", overwite_fn_name: Optional[str] = None
    ) -> str:
        """Return the source, with the function renamed to overwite_fn_name if given."""
        source = decompile(self.code, name=overwite_fn_name)
        if indentation == 4:
            return source
        return _reindent(source, indentation)

    def __hash__(self) -> int:
        # A code object whose constants cannot be hashed has no hash itself.
        return id(self.code)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Decompiler) and other.code is self.code


def _reindent(source: str, width: int) -> str:
    """Change the indentation of logical lines; lines inside strings stay."""
    import io
    import tokenize

    lines = source.splitlines(True)
    inside: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        inside.update(range(token.start[0] + 1, token.end[0] + 1))
    for i, line in enumerate(lines):
        if i + 1 not in inside:
            body = line.lstrip(" ")
            lines[i] = " " * ((len(line) - len(body)) // 4 * width) + body
    return "".join(lines)
