"""One program: its three runs and what is wrong with them."""

from __future__ import annotations

from typing import Any

from .children import COMPILED, PLAIN, WATCHED, Home
from .judge import Verdict, differs, judge, outcome


def check(text: str, backend: str = "eager") -> Verdict:
    """Run a program in the three ways and judge it."""
    with Home(text) as home:
        plain = home.run(PLAIN, backend)
        if "lost" in plain:
            return Verdict([], broken="alone: %s" % plain["lost"])
        compiled = home.run(COMPILED, backend)
        watched = home.run(WATCHED, backend)
        verdict = judge(plain, compiled, watched, home.dump)
        if any(differs(f.kind) for f in verdict.failures) and not _steady(home, backend, compiled):
            verdict.broken = "two runs of torch.compile alone differ"
        return verdict


def _steady(home: Home, backend: str, compiled: "dict[str, Any]") -> bool:
    """Whether another run without depyf shows the same."""
    return bool(outcome(home.run(COMPILED, backend)) == outcome(compiled))
