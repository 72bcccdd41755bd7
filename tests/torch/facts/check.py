"""Run programs watched by depyf and recorded by torch, and compare what both say.

    cd tests/torch; PYTHON -m facts.check [-b BACKEND] [--of snippets|programs|gpu|models] [NAME...]
    cd tests/torch; PYTHON -m facts.check [--args="ARG..."] program.py

TORCH_TRACE is set before torch is imported; each program is one dump and one piece of torch's log.
With --alone torch records nothing: what depyf says then is kept in FOLDER. A run with --besides compares with
that as well, since a fact that depyf knows only while torch records is none for a user.
"""

from __future__ import annotations

import argparse
import faulthandler
import functools
import glob
import io
import json
import os
import pathlib
import re
import shlex
import sys
import tempfile
from contextlib import redirect_stdout
from typing import Any, Callable, Optional

# Seconds that one program may take. Where it stalls, the run ends with the stacks of all threads.
LIMIT = float(os.environ.get("FACTS_LIMIT", "900"))

from . import logged  # noqa: E402

_home = tempfile.TemporaryDirectory()
os.environ.pop("TORCH_TRACE", None)
if "--alone" not in sys.argv:
    os.environ["TORCH_TRACE"] = _home.name + "/trace"
    logged.prepare(_home.name)
os.environ.setdefault("OMP_NUM_THREADS", "1")

import support  # noqa: E402
import torch  # noqa: E402
from depyf import _binary  # noqa: E402

from . import exceptions, heard, meant, pages, recorded, said, sources  # noqa: E402
from .compare import Mismatch, compare, shortened  # noqa: E402


class Trace:
    """The log that torch writes, taken piece by piece."""

    def __init__(self) -> None:
        self.reader = recorded.Reader()
        self.taken: "dict[str, int]" = {}

    def piece(self) -> str:
        text = ""
        for path in sorted(glob.glob(os.environ["TORCH_TRACE"] + "/*")):
            with open(path, encoding="utf-8", newline="") as f:
                f.seek(self.taken.get(path, 0))
                text += f.read()
                self.taken[path] = f.tell()
        return text


trace = Trace()
logs = logged.Logs(str(_binary.find()), _home.name)


def watch(program: Callable[[], object]) -> "tuple[dict[str, Any], list[Mismatch]]":
    """Run a program; return what depyf says of it, and where its pages say something else."""
    torch._dynamo.reset()
    torch.manual_seed(0)  # what it draws is the same with torch's log and without
    with tempfile.TemporaryDirectory() as name:
        faulthandler.dump_traceback_later(LIMIT, exit=True)
        try:
            # Without torch's log as `depyf run` does it: nothing is exchanged, and the facts are the same.
            with support.dumping(name, swap="TORCH_TRACE" in os.environ), redirect_stdout(io.StringIO()):
                program()
        finally:
            faulthandler.cancel_dump_traceback_later()
        folder = next(p.parent for p in sorted(pathlib.Path(name).rglob("events.jsonl")))
        told = said.report(str(_binary.find()), folder)
        return told, [Mismatch("all", kind, *shortened(*both)) for kind, *both in pages.differences(folder, told)]


def uncounted(fact: object) -> str:
    """A fact without the versions of dicts, which count all dicts of a process."""
    return re.sub(r"(___dict_version\([^=]*\) == )\d+", r"\1…", str(fact))


def _without_cuda_graphs() -> int:
    """How often torch has left out CUDA graphs that were asked for."""
    return torch._dynamo.utils.counters["inductor"]["cudagraph_skips"]


def check(program: Callable[[], object], alone: "Optional[dict[str, Any]]") -> "list[Mismatch]":
    before = trace.piece()
    trace.reader.read(before)  # What is from before, file names aside.
    logs.skip(before)
    skipped = _without_cuda_graphs()
    with heard.listening() as besides:
        told, on_pages = watch(program)
    skipped = _without_cuda_graphs() - skipped
    piece = trace.piece()
    facts = trace.reader.read(piece)
    besides.tell(facts)
    found = logs.differences(facts, piece)
    found += compare(
        facts, said.facts(told), lambda torch, ours: meant.settle(torch, ours, besides.objects, sources.main)
    )
    found += on_pages
    ours = sum(x["times"] for x in told.get("without_cuda_graphs", []) if x["skipped"])
    if ours != skipped:
        found.append(Mismatch("all", "graphs without CUDA graphs", skipped, ours))
    if alone is not None:
        found += [
            Mismatch(m.compilation, m.kind + " without TORCH_TRACE", m.torch, m.depyf)
            for m in compare(said.facts(told), said.facts(alone))
            if m.kind not in ("seconds", "later") and uncounted(m.torch) != uncounted(m.depyf)
        ]
    return found


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("-b", "--backend", default="aot_eager")
    parser.add_argument("--of", default="snippets", choices=["snippets", "programs", "gpu", "models"])
    parser.add_argument("-n", "--every", type=int, default=1)
    parser.add_argument("--alone", type=pathlib.Path)
    parser.add_argument("--besides", type=pathlib.Path)
    parser.add_argument("--args", type=shlex.split, default=[], help="of a program that is a file")
    parser.add_argument("name", nargs="*")
    options = parser.parse_args()
    programs = sources.choose(options.of, options.name, options.every, options.args)
    wrong = 0
    excused: "set[str]" = set()
    for name, run in programs.items():
        program = functools.partial(run, options.backend)
        if options.alone:
            options.alone.mkdir(parents=True, exist_ok=True)
            (options.alone / (name + ".json")).write_text(json.dumps(watch(program)[0]))
            continue
        alone = json.loads((options.besides / (name + ".json")).read_text()) if options.besides else None
        for mismatch in check(program, alone):
            row = exceptions.excuse(torch.__version__, options.of, name, mismatch)
            if row:
                excused.add(row.name)
            else:
                wrong += 1
                print("%s %s" % (name, mismatch), flush=True)
    if options.alone:
        return 0
    if not options.name and options.every == 1:
        for row in exceptions.ROWS:
            if row.applies(torch.__version__, options.of) and row.name not in excused:
                wrong += 1
                print("the exception %r is needed no more" % row.name)
    print(
        "torch %s, %s: %d %s, %d differences" % (torch.__version__, options.backend, len(programs), options.of, wrong)
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
