"""Which names a place of the program can see, what kind of value each has, and which it may assign to.

Kinds: T tensor, N int, F float, B bool, S str, L list of ints, LT list of tensors, DN dict of ints,
DT dict of tensors, O object with a tensor, C callable from a tensor to a tensor, M int or None,
P pair of a tensor and an int.
"""

from __future__ import annotations

from typing import Iterator

KINDS = ("T", "N", "F", "B", "S", "L", "LT", "DN", "DT", "O", "C", "M", "P")


class Scope:
    """The names that are certainly bound at one place of a function."""

    def __init__(self, kinds: "dict[str, str] | None" = None, own: "list[str] | None" = None) -> None:
        self.kinds: dict[str, str] = dict(kinds or {})
        self.own: list[str] = list(own or [])

    def copy(self) -> "Scope":
        return Scope(self.kinds, self.own)

    def inner(self) -> "Scope":
        """What a function inside sees: everything, to read only."""
        return Scope(self.kinds)

    def add(self, name: str, kind: str, own: bool = True) -> None:
        self.kinds[name] = kind
        if own and name not in self.own:
            self.own.append(name)

    def remove(self, name: str) -> None:
        self.kinds.pop(name, None)
        if name in self.own:
            self.own.remove(name)

    def of(self, kind: str) -> list[str]:
        return [n for n, k in self.kinds.items() if k == kind]

    def assignable(self, kind: str) -> list[str]:
        return [n for n in self.own if self.kinds.get(n) == kind]

    def meet(self, others: "list[Scope]") -> "Scope":
        """The names bound at the end of all of some ways."""
        if not others:
            return self.copy()
        first = others[0]
        kept = {n: k for n, k in first.kinds.items() if all(o.kinds.get(n) == k for o in others[1:])}
        return Scope(kept, [n for n in first.own if n in kept])

    def __iter__(self) -> Iterator[str]:
        return iter(self.kinds)
