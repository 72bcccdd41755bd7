"""The comparison, in both directions: nothing missing, nothing invented."""

from __future__ import annotations

import collections
from typing import Any, Callable, NamedTuple

from .form import KINDS, Facts


class Mismatch(NamedTuple):
    """One fact on which the two sides do not agree."""

    compilation: str
    kind: str  # A field of Facts, or "compilations".
    torch: Any
    depyf: Any

    def __str__(self) -> str:
        return "%s, %s:\n    torch: %s\n    depyf: %s" % (self.compilation, self.kind, self.torch, self.depyf)


def compare(
    torch: "list[Facts]", depyf: "list[Facts]", settle: "Callable[[Facts, Facts], None]" = lambda torch, depyf: None
) -> "list[Mismatch]":
    """List what differs; settle may make alike before what two sides word differently."""
    ours, theirs = _numbered(depyf), _numbered(torch)
    found = []
    for key in [*theirs, *(k for k in ours if k not in theirs)]:
        if key not in ours or key not in theirs:
            told = theirs.get(key) or ours[key]
            word = "%s at %s:%s" % (told.function, told.file, told.line)
            found.append(Mismatch(key, "compilations", *((word, None) if key in theirs else (None, word))))
            continue
        settle(theirs[key], ours[key])
        for kind in KINDS:
            found += _differ(key, kind, getattr(theirs[key], kind), getattr(ours[key], kind))
    return found


def _numbered(facts: "list[Facts]") -> "dict[str, Facts]":
    """By compile id; the second of one id, after torch._dynamo.reset(), is 0/0#2."""
    seen: "collections.Counter[str]" = collections.Counter()
    found = {}
    for f in facts:
        seen[f.id] += 1
        found[f.id + ("#%d" % seen[f.id] if seen[f.id] > 1 else "")] = f
    return found


def _differ(key: str, kind: str, torch: Any, depyf: Any) -> "list[Mismatch]":
    if torch == depyf:
        return []
    if isinstance(torch, dict) and isinstance(depyf, dict):
        return [
            Mismatch(key, "%s %s" % (kind, k), *shortened(torch.get(k), depyf.get(k)))
            for k in sorted({*torch, *depyf})
            if torch.get(k) != depyf.get(k)
        ]
    return [Mismatch(key, kind, *shortened(torch, depyf))]


def shortened(torch: Any, depyf: Any) -> "tuple[Any, Any]":
    """What two lists do not have in common; as they are if only the order differs."""
    if isinstance(torch, list) and isinstance(depyf, list):
        only = [x for x in torch if x not in depyf], [x for x in depyf if x not in torch]
        if any(only):
            return only
    return torch, depyf
