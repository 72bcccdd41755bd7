"""From a dumped file to the code object that runs.

Go says that the text is proven; Python compiles the file as it lies on disk, so
that breakpoints in it are hit, and checks that the result fits the frame.
"""

from __future__ import annotations

import ast
import builtins
import sys
from types import CodeType
from typing import Any, Optional

from .._code import Constants
from .._compile import compiled, parsed
from ._exceptions import without_stop_iteration

_VARIADIC = 0x4 | 0x8
_NESTED = 0x10
_FUTURE = 0x1FE0000
_OUTER = "__depyf_outer__"
# Names that mean a built-in function whatever the module calls so.
_BUILTIN = "__builtin_"
# The global that holds the objects which a text can only name.
_OBJECTS = "_depyf_objects"


class CannotSwap(Exception):
    """The compiled text does not fit in the place of Dynamo's code."""


def swapped_code(
    answer: dict[str, Any],
    old: CodeType,
    new: CodeType,
    globals_: Optional[dict[str, Any]],
    constants: Constants,
) -> CodeType:
    """Return the code object made from the dumped file, or raise CannotSwap."""
    path = answer["path"]
    with open(path, encoding="utf-8", errors="surrogatepass", newline="") as f:
        text = f.read()
    flags = new.co_flags & _FUTURE
    where = (answer["function"], bool(answer.get("wrapped")))
    renames = answer.get("renames") or {}
    code = _find(compiled(text, path, flags), *where)
    unused = _unused(code, old)
    objects = _objects(code, renames, constants)
    if objects or any(unused):
        tree = parsed(text, path)
        if any(unused):
            tree = _with_unused(tree, where[0], old, *unused)
        tree = _Published(objects).visit(tree)
        code = _find(compiled(tree, path, flags), *where)
    if answer.get("bare"):
        code = without_stop_iteration(code, answer.get("bare_until") or 0)
    code = _renamed(code, renames)
    code = _with_original_functions(code, new, answer.get("functions") or [])
    changes: dict[str, Any] = {
        "co_name": new.co_name,
        "co_flags": code.co_flags & ~_NESTED | new.co_flags & _NESTED,
    }
    if hasattr(new, "co_qualname"):
        changes["co_qualname"] = new.co_qualname
    code = code.replace(**changes)
    _check(code, old)
    _publish(objects, globals_)
    return code


def _find(module: CodeType, name: str, wrapped: bool) -> CodeType:
    if wrapped:
        module = _inner(module, _OUTER)
    return _inner(module, name)


def _inner(code: CodeType, name: str) -> CodeType:
    for c in code.co_consts:
        if isinstance(c, CodeType) and c.co_name == name:
            return c
    raise CannotSwap("the file defines no %s" % name)


def _unused(code: CodeType, old: CodeType) -> tuple[list[str], list[str], list[str]]:
    """List the free, cell and local variables of old that the text does not mention, or not as such."""
    free = [n for n in old.co_freevars if n not in code.co_freevars]
    inlined = _inlined(old)
    cells = [n for n in old.co_cellvars if n not in code.co_cellvars or n in inlined and n not in code.co_varnames]
    local: list[str] = []
    if sys.version_info >= (3, 11) and _copies_by_name():
        local = [n for n in old.co_varnames if n not in code.co_varnames + code.co_freevars and n not in cells]
    return free, cells, local


def _copies_by_name() -> bool:
    """Whether torch wants every local of the old code among those of the new.

    Up to 2.5 it looks up each one by name when it fills the new frame and fails with
    "bad argument to internal function" (PyLong_AsSsize_t of NULL) where one is missing.
    """
    from . import hooks

    return hooks.version() < (2, 6)


def _with_unused(
    tree: ast.Module, name: str, old: CodeType, free: list[str], cells: list[str], local: list[str]
) -> ast.Module:
    """Mention variables in the function called name without doing anything with them.

    The layout of a frame is part of what Dynamo relies on, even where its code
    has no use for a variable. Dead code declares it and leaves lines alone. It assigns
    to a cell as well: a name that nothing assigns to would be a global one.
    """
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == name:
            break
    else:
        raise CannotSwap("the file defines no %s" % name)
    dead = ["if False: " + _captured(n, old) for n in cells] + ["if False: %s = None" % n for n in local]
    last = node.body[-1]
    for text in dead:
        for statement in ast.parse(text).body:
            node.body.append(_placed(statement, last))
    if free:
        node.body.insert(0, _placed(ast.Nonlocal(names=free), node.body[0]))
    return tree


def _captured(name: str, old: CodeType) -> str:
    """Return a statement that makes a variable a cell, of the kind that it is in old."""
    if name in _inlined(old):
        return "[lambda: %s for %s in ()]" % (name, name)
    return "%s = lambda: %s" % (name, name)


def _inlined(code: CodeType) -> tuple[str, ...]:
    """Return the variables that may be those of an inlined comprehension.

    Where a function captures one, it is a cell and a local variable in one, and so comes
    before all cells that are not.
    """
    return code.co_varnames[_arguments(code) :] if sys.version_info >= (3, 12) else ()


def _placed(statement: ast.stmt, like: ast.stmt) -> ast.stmt:
    for node in ast.walk(statement):
        if isinstance(node, (ast.expr, ast.stmt)):
            ast.copy_location(node, like)
    return statement


def _renamed(code: CodeType, renames: dict[str, str]) -> CodeType:
    """Put real global names (with their UUID) back for the short ones in the text."""
    if not renames:
        return code
    consts = tuple(_renamed(c, renames) if isinstance(c, CodeType) else c for c in code.co_consts)
    names = tuple(renames.get(n, n) for n in code.co_names)
    return code.replace(co_consts=consts, co_names=names)


def _with_original_functions(code: CodeType, new: CodeType, functions: list[list[Any]]) -> CodeType:
    """Put the very code objects of new in the place of those compiled from the text.

    Dynamo remembers code objects of resume functions and of the user's inner
    functions; an equal but new one would be compiled as a stranger. Which is which
    the proof knows: functions[i] is about the i-th of code. It has the index, among
    the code objects of new, of what that stands for, or -1 if it never runs; then the
    name and the line, counted from code's, that the proof has seen it with.
    """
    originals = [c for c in new.co_consts if isinstance(c, CodeType)]
    consts: list[Any] = []
    count = 0
    for c in code.co_consts:
        if isinstance(c, CodeType):
            # What _with_unused adds comes last, and never runs.
            seen = (c.co_name, c.co_firstlineno - code.co_firstlineno)
            at, *proved = functions[count] if count < len(functions) else (-1, *seen)
            count += 1
            if tuple(proved) != seen:
                # Compiled once more, the text has its functions in another order.
                raise CannotSwap("%s at line +%d is not the %s at line +%d of the proof" % (*seen, *proved))
            if at >= 0:
                ours, theirs = c.co_freevars, originals[at].co_freevars
                if sorted(ours) != sorted(theirs):
                    # The closure is made for the one and would be read by the other.
                    raise CannotSwap("%s captures %r, not %r" % (c.co_name, ours, theirs))
                # torch 2.2 does not sort what its resume functions capture, as compilers do. The one from the
                # text does the same with the closure that is made for it, but is a stranger to Dynamo.
                c = originals[at] if ours == theirs else _called_like(c, originals[at])
        consts.append(c)
    if count < len(functions):
        raise CannotSwap("the file defines %d functions, not %d" % (count, len(functions)))
    return code.replace(co_consts=tuple(consts))


def _called_like(copy: CodeType, original: CodeType) -> CodeType:
    """Give a copy, and the functions and classes in it, the qualified names of the original."""
    if sys.version_info < (3, 11):
        return copy  # The name stands in the code around it.
    inner: dict[str, list[CodeType]] = {}
    for k in original.co_consts:
        if isinstance(k, CodeType):
            inner.setdefault(k.co_name, []).append(k)
    consts: list[Any] = []
    for k in copy.co_consts:
        if isinstance(k, CodeType) and inner.get(k.co_name):
            k = _called_like(k, inner[k.co_name].pop(0))
        elif type(k) is str and k == copy.co_qualname:
            k = original.co_qualname  # A class stores it.
        consts.append(k)
    return copy.replace(co_qualname=original.co_qualname, co_consts=tuple(consts))


def _arguments(code: CodeType) -> int:
    return code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & 4) + bool(code.co_flags & 8)


def _signature(code: CodeType) -> tuple[Any, ...]:
    count = _arguments(code)
    return (
        code.co_argcount,
        code.co_posonlyargcount,
        code.co_kwonlyargcount,
        code.co_flags & _VARIADIC,
        code.co_varnames[:count],
        code.co_freevars,
    )


def _check(code: CodeType, old: CodeType) -> None:
    """Dynamo copies arguments and cells by position: they must be where they were."""
    if _signature(code) != _signature(old):
        raise CannotSwap("the signature differs: %r, not %r" % (_signature(code), _signature(old)))
    if code.co_cellvars != old.co_cellvars:
        raise CannotSwap("the cell variables differ: %r, not %r" % (code.co_cellvars, old.co_cellvars))


def _objects(code: CodeType, renames: dict[str, str], constants: Constants) -> dict[str, tuple[str, Any]]:
    """Return the objects that the text means, by the name there: under which name to publish each, and itself."""
    out = {}
    for name in _all_names(code):
        real = renames.get(name, name)
        if real in constants.by_name:
            out[name] = real, constants.by_name[real]
        elif real.startswith(_BUILTIN) and hasattr(builtins, real[len(_BUILTIN) :]):
            out[name] = real, getattr(builtins, real[len(_BUILTIN) :])
    return out


class Objects:
    """Objects that swapped code finds here as attributes.

    Among the globals one of them would be the dict of globals itself, and Dynamo copies such a dict with all that
    is in it: torch 2.9 when a function that was made while tracing is passed on.
    """


class _Published(ast.NodeTransformer):
    """Reads the objects that a text can only name where _publish puts them."""

    def __init__(self, objects: dict[str, tuple[str, Any]]) -> None:
        self.objects = objects

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id not in self.objects or not isinstance(node.ctx, ast.Load):
            return node
        holder = ast.copy_location(ast.Name(id=_OBJECTS, ctx=ast.Load()), node)
        return ast.copy_location(
            ast.Attribute(value=holder, attr=_attribute(self.objects[node.id][0]), ctx=ast.Load()), node
        )


def _attribute(name: str) -> str:
    return "depyf" + name  # Two underscores in front would be a class's own name.


def _publish(objects: dict[str, tuple[str, Any]], globals_: Optional[dict[str, Any]]) -> None:
    """Give the code the objects that the text can only name."""
    if not objects:
        return
    if globals_ is None:
        raise CannotSwap("the frame's globals were not found")
    holder = globals_.setdefault(_OBJECTS, Objects())
    if type(holder) is not Objects:
        raise CannotSwap("the module already has a global %s" % _OBJECTS)
    for name, value in objects.values():
        if vars(holder).setdefault(_attribute(name), value) is not value:
            raise CannotSwap("%s is another object already" % name)


def _all_names(code: CodeType) -> set[str]:
    names = set(code.co_names)
    for c in code.co_consts:
        if isinstance(c, CodeType):
            names |= _all_names(c)
    return names
