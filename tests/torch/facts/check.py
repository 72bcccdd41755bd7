"""Run programs watched by depyf and recorded by torch, and compare what both say.

    PYTHON -m facts.check [-b BACKEND] [-k WORD] [-n EVERY] [-o FOLDER] [NAME...]      in tests/torch

TORCH_TRACE is set before torch is imported; each program is one dump and one piece of torch's log.
With --without it is not set, and nothing is compared: -o then keeps what depyf says, to be compared with
what it says when torch records (see both.py).
"""

from __future__ import annotations

import argparse
import glob
import io
import os
import pathlib
import sys
import tempfile
from contextlib import redirect_stdout
from typing import Any, Callable

_home = tempfile.TemporaryDirectory()
os.environ.pop("TORCH_TRACE", None)
if "--without" not in sys.argv:
    os.environ["TORCH_TRACE"] = _home.name + "/trace"
os.environ.setdefault("OMP_NUM_THREADS", "1")

import support  # noqa: E402
import torch  # noqa: E402
from depyf import _binary  # noqa: E402
from test_snippets import SNIPPETS, run  # noqa: E402

from . import exceptions, recorded, said  # noqa: E402
from .compare import Mismatch, compare  # noqa: E402


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


def watch(program: Callable[[], object]) -> "dict[str, Any]":
    """Run a program; return what depyf says of it."""
    torch._dynamo.reset()
    with tempfile.TemporaryDirectory() as folder:
        with support.dumping(folder), redirect_stdout(io.StringIO()):
            program()
        return said.report(str(_binary.find()), pathlib.Path(folder))


def check(program: Callable[[], object]) -> "list[Mismatch]":
    trace.reader.read(trace.piece())  # What is from before, file names aside.
    told = watch(program)
    return compare(trace.reader.read(trace.piece()), said.facts(told))


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("-b", "--backend", default="aot_eager")
    parser.add_argument("-k", "--like", default="")
    parser.add_argument("-n", "--every", type=int, default=1)
    parser.add_argument("--without", action="store_true")
    parser.add_argument("-o", "--out", type=pathlib.Path)
    parser.add_argument("name", nargs="*")
    options = parser.parse_args()
    names = options.name or [n for n in SNIPPETS if options.like in n][:: options.every]
    wrong = compilations = 0
    excused: "set[str]" = set()
    for name in names:
        found = check(lambda: run(name, options.backend))
        for mismatch in found:
            row = exceptions.excuse(torch.__version__, name, mismatch)
            if row:
                excused.add(row.name)
            else:
                wrong += 1
                print("%s %s" % (name, mismatch), flush=True)
    if names == list(SNIPPETS):
        for row in exceptions.ROWS:
            if row.applies(torch.__version__) and row.name not in excused:
                wrong += 1
                print("the exception %r is needed no more" % row.name)
    print("torch %s, %s: %d programs, %d differences" % (torch.__version__, options.backend, len(names), wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
