"""Which objects the guards of a compiled version check by their addresses.

A guard's text has the address alone, which says nothing to a reader. The object is at
hand while torch makes the guard: CheckFunctionManager.id_ref takes its address.
"""

from __future__ import annotations

import builtins
import enum
import sys
import types
from keyword import iskeyword
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any, Callable, Optional

from . import hooks
from . import session as sessions
from .patching import attribute

_SINGLE = {id(c): repr(c) for c in (None, True, False, NotImplemented)}
_SINGLE[id(...)] = "..."
for _name, _type in vars(types).items():
    # Types of the interpreter's own say of themselves that they are built in, where they have no name.
    if isinstance(_type, type) and getattr(builtins, _type.__name__, None) is not _type:
        _SINGLE.setdefault(id(_type), "types." + _name)


def patch() -> Callable[[], None]:
    """Note each object whose address torch takes for a guard."""

    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        def id_ref(self: Any, obj: Any, *args: Any, **kwargs: Any) -> Any:
            session = sessions.current()
            if session is not None:
                with session.guarded("identity"):
                    _note(session, obj)
            return original(self, obj, *args, **kwargs)

        return id_ref

    return attribute(*hooks.place("identities in guards"), make)


def _note(session: sessions.Session, obj: Any) -> None:
    key = str(id(obj))
    words: Optional[dict[str, str]] = described(obj)
    if key in session.identities:
        if session.identities[key] in (words, None):
            return
        words = None  # An address that is used again means two objects: then neither is told.
    session.identities[key] = session.unsent[key] = words


def send(session: sessions.Session) -> None:
    """Send what has become known of the objects that guards check.

    That is when torch tells the guards: a program that is killed later does not come to its end.
    """
    if session.unsent:
        objects, session.unsent = session.unsent, {}
        session.post("objects", objects=objects, compile_id=None)


def described(obj: Any) -> dict[str, str]:
    """Say what an object is: an expression that means it, or words. None of its own code is called."""
    name = _SINGLE.get(id(obj)) or _expression(obj)
    return {"name": name} if name else {"about": _words(obj)}


def _expression(obj: Any) -> str:
    """Return a dotted name under which a module has obj, or ''."""
    if isinstance(obj, ModuleType):
        return _spelled(obj.__name__) if sys.modules.get(obj.__name__) is obj else ""
    if isinstance(obj, enum.Enum):
        cls = _expression(type(obj))
        return "%s.%s" % (cls, obj._name_) if cls and str(obj._name_).isidentifier() else ""
    if not isinstance(obj, (type, FunctionType)) and type(obj).__name__ != "builtin_function_or_method":
        return ""
    name = str(getattr(obj, "__qualname__", ""))
    for module in (getattr(obj, "__module__", None), "torch"):
        if not isinstance(module, str) or module not in sys.modules:
            continue
        for dotted in (name, name.rpartition(".")[2]):
            if _found(sys.modules[module], dotted) is obj:
                return _spelled("%s.%s" % (module, dotted))
    return ""


def _found(at: Any, dotted: str) -> Any:
    for part in dotted.split("."):
        at = vars(at).get(part) if isinstance(at, (ModuleType, type)) else None
    return at


def _path(dotted: str) -> str:
    for prefix in ("builtins.", "__main__."):
        if dotted.startswith(prefix):
            return dotted[len(prefix) :]
    return dotted


def _spelled(dotted: str) -> str:
    """Return a dotted name as an expression, or '' where it is none: a module may have any name."""
    return _path(dotted) if all(part.isidentifier() and not iskeyword(part) for part in dotted.split(".")) else ""


def _words(obj: Any) -> str:
    if isinstance(obj, CodeType):
        return "code of %s" % obj.co_name
    if isinstance(obj, ModuleType):
        return "module %s" % obj.__name__
    if isinstance(obj, type):
        return "type %s.%s" % (obj.__module__, obj.__qualname__)
    if isinstance(obj, (FunctionType, MethodType)):
        return "function %s" % obj.__qualname__
    return "object of type %s" % _path("%s.%s" % (type(obj).__module__, type(obj).__qualname__))
