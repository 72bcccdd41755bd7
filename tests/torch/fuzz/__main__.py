"""Run random programs, or programs from files: python -m fuzz -h."""

from __future__ import annotations

import argparse
import gc
import pathlib
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import support  # noqa: E402, F401  (it puts the package on the path)
import torch  # noqa: E402

from . import children, shrink  # noqa: E402
from .program import generate  # noqa: E402
from .referee import check  # noqa: E402
from .tally import Tally  # noqa: E402

UNSWAPPED_EVERY = 3  # Of the random programs each third is run once more: see referee.check.


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    parser.add_argument("files", nargs="*", help="programs to judge instead of random ones")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0, help="of the first program; the others follow")
    parser.add_argument("--backend", default="eager")
    parser.add_argument("--keep", metavar="FOLDER", help="write the shrunk programs into here")
    parser.add_argument("--as-is", action="store_true", help="shrink nothing: it takes as long as some hundred runs")
    parser.add_argument("--show", action="store_true", help="print the programs and every failure in full")
    parser.add_argument("-v", "--verbose", action="store_true", help="a line for each program that fails")
    args = parser.parse_args()
    children.warm()
    tally = Tally()
    started = time.monotonic()
    if args.files:
        programs = [(i, pathlib.Path(f).read_text(encoding="utf-8")) for i, f in enumerate(args.files)]
    else:
        programs = [(seed, "") for seed in range(args.seed, args.seed + args.count)]
    for seed, given in programs:
        text = given or generate(seed)
        verdict = check(text, args.backend, unswapped=bool(given) or seed % UNSWAPPED_EVERY == 0)
        tally.add(seed, verdict)
        if args.show:
            print(text)
        if args.show or args.verbose:
            for failure in verdict.failures:
                print("seed %d: %s%s" % (seed, failure, "\n" + failure.detail if args.show else ""), flush=True)
            if verdict.broken:
                print("seed %d: %s" % (seed, verdict.broken), flush=True)
    words = args.backend, torch.__version__, time.monotonic() - started
    print("torch.compile with %s on torch %s, %.0f s:" % words)
    print(tally.report())
    for name, seeds in [] if args.as_is else sorted(tally.groups.items()):
        text = min((given or generate(s) for s, given in programs if s in seeds), key=len)
        with tempfile.TemporaryDirectory() as nowhere:
            path = shrink.keep(args.keep or nowhere, text, name, args.backend, seeds, torch.__version__)
            print("%s: %s" % (name, path if args.keep else "\n" + pathlib.Path(path).read_text("utf-8")), flush=True)
    gc.unfreeze()  # Else what was frozen counts as leaked.
    return 0 if tally.clean() else 1


if __name__ == "__main__":
    sys.exit(main())
