"""Counting: programs, frames, what failed and why."""

from __future__ import annotations

import collections

from .judge import Verdict, differs


class Tally:
    def __init__(self) -> None:
        self.counts: "collections.Counter[str]" = collections.Counter()
        self.groups: "dict[str, list[int]]" = {}  # Failure → seeds of the programs that have it.
        self.times: "collections.Counter[str]" = collections.Counter()
        self.broken: "list[str]" = []

    def add(self, seed: int, verdict: Verdict) -> None:
        self.counts["programs"] += 1
        if verdict.broken:
            self.broken.append("seed %d: %s" % (seed, verdict.broken))
            return
        self.counts["equal"] += not any(differs(f.kind) for f in verdict.failures)
        self.counts["torch errs"] += verdict.torch_errs
        self.counts["frames"] += verdict.frames
        self.counts["proven"] += verdict.proven
        self.counts["swapped"] += verdict.swapped
        for failure in verdict.failures:
            self.times[str(failure)] += 1
        for name in {str(f) for f in verdict.failures}:
            self.groups.setdefault(name, []).append(seed)

    def clean(self) -> bool:
        return not self.groups and not self.broken

    def report(self) -> str:
        c = self.counts
        share = 100.0 * c["proven"] / max(1, c["frames"])
        lines = [
            "%d programs, %d equal to torch.compile alone, %d where torch errs, %d no use"
            % (c["programs"], c["equal"], c["torch errs"], len(self.broken)),
            "%d frames, %d proven (%.2f %%), %d swapped" % (c["frames"], c["proven"], share, c["swapped"]),
        ]
        for name, seeds in sorted(self.groups.items(), key=lambda g: (-len(g[1]), g[0])):
            few = " ".join(map(str, seeds[:6])) + (" …" if len(seeds) > 6 else "")
            lines.append("%5d× in %d programs  %s  [seeds %s]" % (self.times[name], len(seeds), name, few))
        return "\n".join(lines + self.broken)
