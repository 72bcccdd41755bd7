"""What depyf says: `depyf report --format json`, see docs/json.md."""

from __future__ import annotations

import json
import pathlib
import subprocess
from typing import Any

from .form import Facts, bare, guard
from .recorded import STAGES


def report(binary: str, dump: pathlib.Path) -> "dict[str, Any]":
    done = subprocess.run([binary, "report", "--format", "json", str(dump)], stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


def facts(told: "dict[str, Any]") -> "list[Facts]":
    found = {}
    for c in told["compilations"]:
        failure, limit = c["failure"], c.get("limit")
        found[c["id"], c.get("resets", 0)] = Facts(
            id=c["id"],
            function=c["function"] or None,
            file=c["file"] or None,
            line=c["line"] or None,
            ended=not c.get("cut", False),
            restarts=c["restarts"],
            breaks=[(bare(b["reason"]), b["file"], b["line"]) for b in c["breaks"]],
            recompiled=[bare(r) for r in c["recompiled"]],
            failure=bare(failure["text"]) if failure else None,
            failed_at=(failure["file"], failure["line"]) if failure and failure.get("line") else None,
            raised=failure["error"] if failure and failure["raised"] else None,
            backward=[(bare(b["text"]), b["times"]) for b in c.get("backward_failures", [])],
            limit="%s %s" % (limit["setting"], limit["value"]) if limit else None,
            operations=c["operations"],
            guards=None if c["guards"] is None else sorted({guard(g["text"]) for g in c["guards"]}),
            seconds=c["seconds"],
            later=c.get("backward_seconds", 0),
            symbols={
                s["name"]: (s["source"], bare(s["value"]), s["range"], s.get("file", ""), s.get("line", 0))
                for s in c["symbols"]
            },
        )
    for g in told["graphs"]:
        of = found.get((g["compilation"], g.get("resets", 0)))
        if g["stage"] in STAGES.values() and of is not None:
            nodes = [(n["name"], n.get("file", ""), n.get("line", 0)) for n in g["nodes"]]
            of.graphs.setdefault(g["stage"], []).append(nodes)
        elif g["stage"] == "kernel" and of is not None:
            of.modules += 1
    assert len(found) == len(told["compilations"]), "two compilations have one id"
    return list(found.values())
