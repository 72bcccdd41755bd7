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
    found = []
    for c in told["compilations"]:
        failure = c["failure"]
        found.append(
            Facts(
                id=c["id"],
                function=c["function"] or None,
                file=c["file"] or None,
                line=c["line"] or None,
                restarts=c["restarts"],
                breaks=[(bare(b["reason"]), b["file"], b["line"]) for b in c["breaks"]],
                recompiled=[bare(r) for r in c["recompiled"]],
                failure=bare(failure["text"]) if failure else None,
                failed_at=(failure["file"], failure["line"]) if failure and failure.get("line") else None,
                operations=c["operations"],
                guards=None if c["guards"] is None else sorted({guard(g["text"]) for g in c["guards"]}),
                seconds=c["seconds"],
                symbols={
                    s["name"]: (s["source"], s["value"], s["range"], s.get("file", ""), s.get("line", 0))
                    for s in c["symbols"]
                },
            )
        )
    by_id = {f.id: f for f in reversed(found)}
    for g in told["graphs"]:
        if g["stage"] in STAGES.values() and g["compilation"] in by_id:
            nodes = [(n["name"], n.get("file", ""), n.get("line", 0)) for n in g["nodes"]]
            by_id[g["compilation"]].graphs.setdefault(g["stage"], []).append(nodes)
    return found
