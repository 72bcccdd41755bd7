"""One program: its three runs and what is wrong with them."""

from __future__ import annotations

from typing import Any

from .children import COMPILED, PLAIN, UNSWAPPED, WATCHED, Home
from .judge import Verdict, differs, judge, outcome, visible


def check(text: str, backend: str = "eager", unswapped: bool = False) -> Verdict:
    """Run a program in the three ways and judge it; unswapped adds a run in which depyf only watches."""
    with Home(text) as home:
        plain = home.run(PLAIN, backend)
        if "lost" in plain:
            return Verdict([], broken="alone: %s" % "\n".join([plain["lost"], *plain.get("stalled", "").splitlines()]))
        compiled = home.run(COMPILED, backend)
        watched = home.run(WATCHED, backend)
        verdict = judge(plain, compiled, watched, home.dump)
        if unswapped:
            verdict.failures += visible(compiled, home.run(UNSWAPPED, backend))
        if any(differs(f.kind) for f in verdict.failures) and not _steady(home, backend, compiled):
            verdict.broken = "two runs of torch.compile alone differ"
        return verdict


def _steady(home: Home, backend: str, compiled: "dict[str, Any]") -> bool:
    """Whether another run without depyf shows the same."""
    return bool(outcome(home.run(COMPILED, backend)) == outcome(compiled))
