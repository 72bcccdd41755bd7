"""Which object a guard is about: torch has its address, depyf a name that means it, or words.

A name is looked up where the program has run, and has to mean the object at the very address. Words have to fit
what was at the address when torch took it.
"""

from __future__ import annotations

import builtins
import re
import sys
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any, Optional

from .form import Facts


class Objects:
    """By address: what was there each time when torch took it for a guard, in words."""

    def __init__(self) -> None:
        self.seen: "dict[int, set[str]]" = {}

    def note(self, obj: Any) -> None:
        self.seen.setdefault(id(obj), set()).add(_words(obj))

    def fit(self, address: int, words: str) -> bool:
        seen = self.seen.get(address, set())
        if len(seen) > 1:  # Different objects at different times: depyf must not take sides.
            return words == "object" or words.startswith("type")
        return words in seen


def _words(obj: Any) -> str:
    if isinstance(obj, CodeType):
        return "code of " + obj.co_name
    if isinstance(obj, ModuleType):
        return "module " + obj.__name__
    if isinstance(obj, type):
        return "type %s" % _name(obj)
    if isinstance(obj, (FunctionType, MethodType)):
        return "function " + obj.__qualname__
    return "object of type " + _name(type(obj))


def _name(cls: type) -> str:
    return ("%s.%s" % (cls.__module__, cls.__qualname__)).replace("builtins.", "").replace("__main__.", "")


def settle(torch: "Facts", depyf: "Facts", objects: Objects, names: "dict[str, Any]") -> None:
    """Word torch's guards as depyf does where both mean the same object: torch may check it in two ways."""
    if torch.guards is None or depyf.guards is None:
        return
    said = set(depyf.guards)
    by_value: "dict[str, list[str]]" = {}
    for ours in said:
        by_value.setdefault(ours.rpartition(" is ")[0], []).append(ours)
    agreed = {}
    for theirs in torch.guards:
        for ours in by_value.get(theirs.rpartition(" is ")[0], []) if theirs not in said else ():
            if _same(theirs, ours, objects, names):
                agreed[theirs] = ours
    torch.guards = sorted({agreed.get(g, g) for g in torch.guards})


def _same(torch: str, depyf: str, objects: Objects, names: "dict[str, Any]") -> bool:
    checked, _, address = torch.rpartition(" is ")
    if not address.isdigit() or not depyf.startswith(checked + " is "):
        return False
    said = depyf[len(checked + " is ") :]
    words = re.fullmatch(r"""(['"])the (.*) seen when compiling\1""", said)
    if words:
        return objects.fit(int(address), words.group(2))
    return _address(said.replace("...", "Ellipsis"), names) == int(address)


def _address(name: str, names: "dict[str, Any]") -> Optional[int]:
    """Find what a dotted name means: a name of the program, of a module (as import finds it), or a built-in one."""
    parts = name.split(".")
    for n in range(len(parts), 0, -1):
        module = ".".join(parts[:n])
        if module in sys.modules:
            at, rest = sys.modules[module], parts[n:]
            break
    else:
        at, rest = names.get(parts[0], getattr(builtins, parts[0], None)), parts[1:]
    for part in rest:
        at = getattr(at, part, None)
    return None if at is None and name != "None" else id(at)
