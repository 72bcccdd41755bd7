"""Code objects as packets.

The packet says what the code object says, slot by slot, instead of using
marshal: Dynamo puts objects into co_consts that marshal cannot hold. Such an
object travels as an opaque constant, that is, a name; `Constants` remembers
which object each name stands for, so that swapped code can be given it.
"""

from __future__ import annotations

import sys
from _thread import allocate_lock
from types import CodeType, FunctionType, MethodType, ModuleType

TYPE_CHECKING = False
if TYPE_CHECKING:  # The typing module takes longer to import than this package.
    from typing import Any

_ARG_POS, _ARG_KW, _ARG_VAR = 2, 4, 8
_HIDDEN, _LOCAL, _CELL, _FREE = 16, 32, 64, 128
_OPTIMIZED, _VARARGS, _VARKEYWORDS = 1, 4, 8


class Constants:
    """The objects behind opaque constants, by name.

    Names are valid identifiers, read well where they can, and never collide:
    an object keeps its name for as long as this table lives. A published table
    gives names that no other published table of this process gives, because
    swapped code finds its objects among the globals of modules.
    """

    def __init__(self, published: bool = False) -> None:
        self.by_name: dict[str, Any] = {}
        self._taken = _published if published else {}
        self._names: dict[int, str] = {}
        self._numbers: dict[int, int] = {}

    def name_of(self, obj: Any) -> str:
        """Return the name that stands for obj, making one at first sight."""
        name = self._names.get(id(obj))
        if name is None:
            name = _free_name("__" + _identifier(_stem(obj)), self._taken)
            # The reference held here keeps id(obj) from being used again.
            self.by_name[name] = obj
            self._names[id(obj)] = name
            self._numbers[id(obj)] = len(self._numbers) + 1
        return name

    def opaque(self, obj: Any) -> dict[str, Any]:
        """Return the packet of obj as a named reference."""
        kind = type(obj)
        name = self.name_of(obj)
        return {
            "t": "opaque",
            "id": self._numbers[id(obj)],
            "type": "%s.%s" % (kind.__module__, kind.__qualname__),
            "name": name,
            "text": describe(obj),
        }


_published: dict[str, int] = {}
_naming = allocate_lock()


def _free_name(stem: str, taken: dict[str, int]) -> str:
    """Return stem, or stem with the first number that makes a new name."""
    with _naming:
        n = taken.get(stem, 0) + 1
        name = stem if n == 1 else "%s_%d" % (stem, n)
        while n > 1 and name in taken:
            n += 1
            name = "%s_%d" % (stem, n)
        taken[stem] = n
        taken.setdefault(name, 1)
        return name


def _identifier(text: str) -> str:
    import re

    return re.sub(r"\W+", "_", text, flags=re.ASCII).strip("_")[:40] or "object"


def _stem(obj: Any) -> str:
    if isinstance(obj, ModuleType):
        return "module_" + obj.__name__
    if isinstance(obj, CodeType):
        return "code_" + obj.co_name
    if isinstance(obj, (type, FunctionType, MethodType)) or _is_builtin(obj):
        return str(getattr(obj, "__qualname__", type(obj).__name__)).replace("<locals>", "")
    if type(obj) is dict and "__builtins__" in obj:
        return "globals_of_%s" % obj.get("__name__", "exec")
    if type(obj).__module__ == "torch":
        return _short_repr(obj) or type(obj).__name__
    return type(obj).__name__


def _is_builtin(obj: Any) -> bool:
    return type(obj).__name__ in ("builtin_function_or_method", "method_descriptor")


def _short_repr(obj: Any) -> str:
    # Only scalar torch types: the repr of a tensor costs time and may synchronise.
    if type(obj).__name__ in ("dtype", "device", "layout", "memory_format", "Size"):
        return repr(obj)
    return ""


def describe(obj: Any) -> str:
    """Say in a few words what obj is, without addresses and without calling its code."""
    kind = type(obj)
    if isinstance(obj, ModuleType):
        return "module %s" % obj.__name__
    if type(obj) is dict and "__builtins__" in obj:
        return "the globals of module %s" % obj.get("__name__", "?")
    if isinstance(obj, CodeType):
        return "code of %s, line %d" % (obj.co_name, obj.co_firstlineno)
    if isinstance(obj, (type, FunctionType, MethodType)) or _is_builtin(obj):
        owner = getattr(obj, "__module__", None)
        name = getattr(obj, "__qualname__", "?")
        return "%s.%s" % (owner, name) if owner else str(name)
    if kind in (list, dict, set):
        return "%s of %d items" % (kind.__name__, len(obj))
    return _short_repr(obj) or "an object of %s.%s" % (kind.__module__, kind.__qualname__)


def code_packet(code: CodeType, constants: Constants, inner: bool = False) -> dict[str, Any]:
    """Return the packet of a code object.

    An inner code object, one among the constants of another, also gets the
    name of an opaque constant in "as": Dynamo passes code objects to functions
    as plain values, and a value has to be called something.
    """
    names, kinds = _slots(code)
    packet: dict[str, Any] = {
        "t": "code",
        "version": list(sys.version_info[:2]),
        "argcount": code.co_argcount,
        "posonly": code.co_posonlyargcount,
        "kwonly": code.co_kwonlyargcount,
        "stacksize": code.co_stacksize,
        "flags": code.co_flags,
        "code": code.co_code,
        "consts": [const_packet(c, constants) for c in code.co_consts],
        "names": code.co_names,
        "varnames": code.co_varnames,
        "cellvars": code.co_cellvars,
        "freevars": code.co_freevars,
        "localsplusnames": names,
        "localspluskinds": kinds,
        "filename": code.co_filename,
        "name": code.co_name,
        "qualname": getattr(code, "co_qualname", code.co_name),
        "firstlineno": code.co_firstlineno,
        "linetable": code.co_linetable if sys.version_info >= (3, 10) else code.co_lnotab,
        "exceptiontable": getattr(code, "co_exceptiontable", b""),
    }
    if inner:
        packet["as"] = constants.name_of(code)
    return packet


def _slots(code: CodeType) -> tuple[list[str], bytes]:
    """Rebuild the localsplus arrays, which a code object does not show.

    Before 3.11 a captured argument has two places, as a local and as a cell;
    from 3.11 on, one.
    """
    cells, names, kinds = set(code.co_cellvars), [], bytearray()
    hidden = 0 if code.co_flags & _OPTIMIZED else _HIDDEN
    for i, name in enumerate(code.co_varnames):
        kind = _LOCAL
        if sys.version_info >= (3, 11) and name in cells:
            kind |= _CELL
        if sys.version_info >= (3, 12):
            # Locals outside functions are those of inlined comprehensions.
            kind |= hidden
        if sys.version_info >= (3, 14):
            kind |= _argument_kind(code, i)
        names.append(name)
        kinds.append(kind)
    merged = set(names) if sys.version_info >= (3, 11) else set()
    for name in code.co_cellvars:
        if name not in merged:
            names.append(name)
            kinds.append(_CELL)
    for name in code.co_freevars:
        names.append(name)
        kinds.append(_FREE)
    return names, bytes(kinds)


def _argument_kind(code: CodeType, i: int) -> int:
    if i < code.co_posonlyargcount:
        return _ARG_POS
    if i < code.co_argcount:
        return _ARG_POS | _ARG_KW
    i -= code.co_argcount
    if i < code.co_kwonlyargcount:
        return _ARG_KW
    i -= code.co_kwonlyargcount
    if code.co_flags & _VARARGS:
        if i == 0:
            return _ARG_VAR | _ARG_POS
        i -= 1
    if code.co_flags & _VARKEYWORDS and i == 0:
        return _ARG_VAR | _ARG_KW
    return 0


def const_packet(c: Any, constants: Constants) -> Any:
    """Return the packet of one constant; types are compared exactly, as marshal does."""
    kind = type(c)
    if c is None or kind in (bool, int, float, str, bytes):
        return c
    if kind is complex:
        return {"t": "complex", "re": c.real, "im": c.imag}
    if c is Ellipsis:
        return {"t": "ellipsis"}
    if kind is CodeType:
        return code_packet(c, constants, inner=True)
    if kind is tuple:
        return {"t": "tuple", "v": [const_packet(x, constants) for x in c]}
    if kind is frozenset and all(_plain(x) for x in c):
        return {"t": "frozenset", "v": [const_packet(x, constants) for x in c]}
    if kind is slice and all(_plain(x) for x in (c.start, c.stop, c.step)):
        parts = (c.start, c.stop, c.step)
        return {"t": "slice", "v": [const_packet(x, constants) for x in parts]}
    return constants.opaque(c)


def _plain(c: Any) -> bool:
    """Whether c and all it holds have a literal."""
    if c is None or c is Ellipsis or type(c) in (bool, int, float, complex, str, bytes):
        return True
    return type(c) in (tuple, frozenset) and all(_plain(x) for x in c)
