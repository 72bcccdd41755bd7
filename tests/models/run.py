"""Compile real models under depyf: same results, every frame proven and swapped.

    python tests/models/run.py [-b BACKEND]... [-r FOLDER] [--numbers] [NAME...]

prints a row for each model and backend and fails if one is not as it should be.
-r keeps the frames that are not proven, in the form of testdata/dynamo.
--numbers asks depyf.compare in the place of that: it may find nothing wrong in any of them.
"""

from __future__ import annotations

import argparse
import contextlib
import logging
import math
import os
import pathlib
import re
import sys
import tempfile
import time
import warnings
from typing import Any, Callable

os.environ.setdefault("HF_HUB_OFFLINE", "1")
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "torch"))

import depyf  # noqa: E402
import support  # noqa: E402
import torch  # noqa: E402
from catalogue import CASES, Case  # noqa: E402
from depyf._client import client  # noqa: E402
from record_dynamo import recording  # noqa: E402


def close(a: Any, b: Any) -> bool:
    """Whether results agree, within what Inductor's rounding explains."""
    if isinstance(a, torch.Tensor):
        return isinstance(b, torch.Tensor) and a.shape == b.shape and torch.allclose(a, b, 1e-3, 1e-3, equal_nan=True)
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(close(a[k], b[k]) for k in a)
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(close, a, b))
    if a is None or isinstance(a, (str, int)):
        return type(a) is type(b) and bool(a == b)
    if isinstance(a, float):
        return isinstance(b, float) and math.isclose(a, b, rel_tol=1e-3, abs_tol=1e-3)
    # Caches and the like are compared by the tensors that they hold.
    if hasattr(a, "__dict__"):
        return type(a) is type(b) and close(vars(a), vars(b))
    return True


def outcome(case: Case, wrap: Callable[[Any], Any]) -> Any:
    torch._dynamo.reset()
    torch.manual_seed(0)
    return case.use(case.make(), wrap)


MOST_NAMELESS = 2  # in 100 lines


class Failure(str):
    """What torch says when it cannot compile a model."""


def compiled(case: Case, backend: str) -> Any:
    """Return the outcome of the compiled model; a failure is one."""
    try:
        return outcome(case, lambda f: torch.compile(f, backend=backend))
    except Exception as e:
        # Without addresses, which differ from run to run.
        text = re.sub(r"0x[0-9a-f]+", "0x", "%s: %s" % (type(e).__name__, str(e).split("\n")[0]))
        return Failure(text)


def row(case: Case, backend: str, keep: str) -> tuple[dict[str, int], list[str]]:
    """Run one model; return the figures and what is wrong."""
    want = outcome(case, lambda f: f)
    seen: list[Any] = []
    hook = torch._dynamo.convert_frame.register_bytecode_hook(lambda old, new: seen.append((old, new)))
    try:
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(sys.stderr):
            with support.dumping(folder) as dump:
                got = compiled(case, backend)
            wrong = dump.unswapped() + dump.problems() + dump.unparsable() + dump.not_importable()
            figures = {**dump.figures(), **dump.nameless()}
            frames = [e["result"]["new"]["proven"] for e in dump.events if e["type"] == "bytecode"]
    finally:
        hook.remove()
    if not close(want, got):
        plain = compiled(case, backend)
        if close(want, plain) or isinstance(got, Failure) and got != plain:
            wrong.append("another result than without depyf: %s" % (got if isinstance(got, Failure) else "values"))
        else:
            figures["torch alone " + ("fails" if isinstance(plain, Failure) else "differs")] = 1
    if client.failure:
        wrong.append(client.failure)
        client.failure = None  # The next model begins with a program of its own.
    elif not figures["frames"] and not isinstance(got, Failure):
        wrong.append("no frame was compiled")
    if keep:
        pathlib.Path(keep).mkdir(parents=True, exist_ok=True)
        for n, ((old, new), proven) in enumerate(zip(seen, frames)):
            if not proven:
                pathlib.Path(keep, "%s_%d.pkt" % (case.name, n)).write_bytes(recording(old, new))
    return figures, wrong


def numbers(case: Case, backend: str) -> list[str]:
    """Compare the first call of a model's in numbers; return what depyf.compare says is wrong."""
    answers: list[Any] = []

    def wrap(function: Any) -> Any:
        def call(*args: Any, **kwargs: Any) -> Any:
            if not answers:
                backward = bool(getattr(function, "training", False))
                answers.append(depyf.compare(function, *args, backward=backward, backend=backend, **kwargs))
            return function(*args, **kwargs)

        return call

    outcome(case, wrap)
    if not answers:
        return ["nothing was compared"]
    return [] if answers[0] else [" ".join(str(answers[0]).split())[:600]]


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("-b", "--backend", action="append")
    parser.add_argument("-r", "--record", default="")
    parser.add_argument("--numbers", action="store_true")
    parser.add_argument("name", nargs="*")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    failed = 0
    total = {"models": 0, "frames": 0, "proven": 0, "swapped": 0, "lines": 0, "nameless": 0}
    print(
        "| torch %s | backend | frames | proven | swapped | seconds | |\n|---|---|---|---|---|---|---|"
        % torch.__version__
    )
    for name in options.name or CASES:
        for backend in options.backend or ["eager", "aot_eager", "inductor"]:
            case = CASES[name]
            if backend == "inductor" and not case.inductor and not options.name:
                continue
            start = time.monotonic()
            try:
                if options.numbers:
                    figures, wrong = {}, numbers(case, backend)
                else:
                    figures, wrong = row(case, backend, options.record)
            except Exception as e:
                figures = {}
                wrong = ["%s: %s" % (type(e).__name__, str(e).split("\n")[0])]
            failed += bool(wrong)
            total["models"] += 1
            for k in ("frames", "proven", "swapped", "lines", "nameless"):
                total[k] += figures.setdefault(k, 0)
            note = "; ".join(wrong) or "; ".join(k for k in figures if k.startswith("torch alone"))
            took = time.monotonic() - start
            line = (name, backend, figures["frames"], figures["proven"], figures["swapped"], took, note)
            print("| %s | %s | %d | %d | %d | %.0f | %s |" % line, flush=True)
    print("%(models)d runs, %(frames)d frames, %(proven)d proven, %(swapped)d swapped" % total)
    if not options.numbers:
        share = 100 * total["nameless"] / max(1, total["lines"])
        print("%(lines)d lines of transformed code, %(nameless)d of them without a telling name" % total)
        if share >= MOST_NAMELESS:
            print("that is %.2f %%, and %s %% is too many" % (share, MOST_NAMELESS))
            failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
