"""What the tests with real torch share."""

from __future__ import annotations

import ast
import atexit
import collections
import contextlib
import enum
import fcntl
import functools
import gc
import io
import json
import os
import pathlib
import re
import sys
import tempfile
import time
import types
import unittest
import warnings
from typing import Any, Iterator
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

# A warm cache of Inductor's skips stages; every run of the tests starts cold.
_cache = tempfile.TemporaryDirectory()
os.environ["TORCHINDUCTOR_CACHE_DIR"] = _cache.name

import depyf  # noqa: E402
import numpy as np  # noqa: E402
import torch  # noqa: E402
import torch._dynamo  # noqa: E402
import warm  # noqa: E402
from depyf import _binary  # noqa: E402
from depyf._torch import printing  # noqa: E402

warm.time_guards_once()
# torch's own objects are no garbage, and looking through them takes a tenth of the time of the tests.
gc.collect()
gc.freeze()
atexit.register(gc.unfreeze)  # Else they count as leaked.

TORCH = tuple(int(n) for n in torch.__version__.split("+")[0].split(".")[:2])

if TORCH < (2, 3):
    # Its backend aot_eager wraps its compiler once more for each backward pass that it compiles.
    sys.setrecursionlimit(10000)

# make test sets it to "oldest", or to "middle" for the versions between the newest and the oldest.
HALF = bool(os.environ.get("DEPYF_SHARE"))  # each snippet with one backend
SHARE = os.environ.get("DEPYF_SHARE") == "middle"
_LEFT = "left to the newest%%s torch; make test-torch TORCH=%s runs it" % torch.__version__.split("+")[0]
not_in_a_share = unittest.skipIf(SHARE, _LEFT % " and the oldest")
by_the_newest = unittest.skipIf(HALF, _LEFT % "")
# Tests that take long take turns: of the two versions in the middle, the older one runs these, the newer one those.
LATER = TORCH >= (2, 9)
_TURN = "the other torch in the middle runs it; so does make test-torch TORCH=%s" % torch.__version__.split("+")[0]
on_the_older = unittest.skipIf(SHARE and LATER, _TURN)
on_the_later = unittest.skipIf(SHARE and not LATER, _TURN)
needs_program = unittest.skipUnless(_binary.find(), "NOT RUN: there is no depyf program; build it first")


class Dump:
    """A finished dump folder and what its event log says."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        self.events: list[dict[str, Any]] = []
        log = folder / "events.jsonl"
        if log.exists():
            for line in log.read_text(encoding="utf-8").splitlines():
                self.events.append(json.loads(line))

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [e["fields"] for e in self.events if e["type"] == kind]

    @property
    def names(self) -> list[str]:
        return sorted(p.name for p in self.folder.iterdir())

    def unswapped(self) -> list[str]:
        return ["%s: %s" % (f["key"], f["why"]) for f in self.of("swapped") if not f["ok"]]

    def problems(self) -> list[str]:
        return ["%s: %s" % (f["where"], f["error"]) for f in self.of("problem")]

    def figures(self) -> dict[str, int]:
        """Return how many frames were captured, proven and swapped."""
        made = [e["result"]["new"] for e in self.events if e["type"] == "bytecode"]
        return {
            "frames": len(made),
            "proven": sum(bool(m["proven"]) for m in made),
            "swapped": sum(f["ok"] for f in self.of("swapped")),
        }

    def rests(self) -> list[str]:
        """Tell of the texts of resume functions that are not proven. full_code prints them; no frame runs them."""
        bad = []
        for event in self.events:
            rest = event["result"].get("old") if event["type"] == "bytecode" else None
            # Of most in a function of many breaks it is only said where their statements stand.
            if rest and not rest["proven"] and rest["verdict"] != "not written out":
                bad.append("%s, %s" % (rest["verdict"], rest["detail"]))
        return bad

    def nameless(self) -> dict[str, int]:
        """Count the lines of transformed code, and those that tell a reader nothing.

        That are copies of a name under another one, and lines with a name that only says that there is a value.
        """
        lines = nameless = 0
        for path in self.folder.rglob("__transformed_code_*.py"):
            text = path.read_text(encoding="utf-8")
            lines += sum(bool(line.strip()) and not line.lstrip().startswith("#") for line in text.splitlines())
            found = set()
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.Assign) and isinstance(node.value, ast.Name):
                    if all(isinstance(t, ast.Name) for t in node.targets):
                        found.add(node.lineno)
                if isinstance(node, ast.Name) and re.fullmatch(r"value(_\d+)?|_?temp_\d+", node.id):
                    found.add(node.lineno)
            nameless += len(found)
        return {"lines": lines, "nameless": nameless}

    def unparsable(self) -> list[str]:
        bad = []
        for path in self.folder.rglob("*.py"):
            try:
                ast.parse(path.read_text(encoding="utf-8"))
            except SyntaxError as e:
                bad.append("%s: %s" % (path.name, e))
        return bad

    def not_importable(self) -> list[str]:
        """List the full_code files that fail when they are executed: they only define things."""
        bad = []
        for path in self.folder.rglob("full_code_for_*.py"):
            try:
                # dont_inherit: this file defers annotations, and a dumped file must be able to evaluate its own.
                code = compile(path.read_text(encoding="utf-8"), str(path), "exec", dont_inherit=True)
                exec(code, {"__name__": path.stem})
            except Exception as e:
                bad.append("%s: %s: %s" % (path.name, type(e).__name__, e))
        return bad


@contextlib.contextmanager
def dumping(folder: str, **options: Any) -> Iterator[Dump]:
    """prepare_debug, checked for saying nothing; the Dump is filled at the end."""
    dump = Dump(pathlib.Path(folder))
    with depyf.prepare_debug(folder, **options):
        yield dump
    dump.__init__(pathlib.Path(folder))  # type: ignore[misc]


def settled(folder: pathlib.Path) -> pathlib.Path:
    """Wait until no depyf process holds a dump below folder: a killed program is reported after its end."""
    for dump in sorted([folder, *(p for p in folder.rglob("*") if p.is_dir())]):
        fd = os.open(dump, os.O_RDONLY)
        deadline = time.monotonic() + 120
        try:
            while True:
                try:
                    fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    if time.monotonic() > deadline:
                        raise AssertionError("somebody still holds %s" % dump) from None
                    time.sleep(0.02)
        finally:
            os.close(fd)
    return folder


@contextlib.contextmanager
def printed_twice() -> Iterator[list[tuple[str, str]]]:
    """Have torch print every graph too; the list gets torch's text and what we made ourselves."""
    texts: list[tuple[str, str]] = []
    readable = printing.readable

    def both(gm: Any, layout: dict[str, Any]) -> str:
        text = readable(gm, layout)
        texts.append((printing.by_torch(gm, layout), printing.quickly(gm, layout)))
        return text

    with mock.patch.object(printing, "readable", both):
        yield texts


def equal(a: Any, b: Any) -> bool:
    """Whether two results are the same, tensors within rounding.

    Functions are the same if they were made in one place with equal defaults
    and captured values; the user's objects, if they are of one class and hold equal values.
    """
    if isinstance(a, torch.Tensor):
        return isinstance(b, torch.Tensor) and a.dtype == b.dtype and torch.allclose(a, b, equal_nan=True)
    if isinstance(a, np.ndarray):
        return isinstance(b, np.ndarray) and a.dtype == b.dtype and np.allclose(a, b, equal_nan=True)
    if type(a) is not type(b):
        return isinstance(a, (int, float, np.generic)) and isinstance(b, (int, float, np.generic)) and bool(a == b)
    if isinstance(a, (list, tuple, collections.deque)):
        return len(a) == len(b) and all(map(equal, a, b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(equal(a[k], b[k]) for k in a)
    if isinstance(a, types.FunctionType):
        return a.__code__.co_name == b.__code__.co_name and equal(_captured(a), _captured(b))
    if isinstance(getattr(a, "__dict__", None), dict) and not isinstance(a, (type, enum.Enum)):
        return equal(vars(a), vars(b))
    return bool(a == b)


def _captured(fn: types.FunctionType) -> tuple[Any, ...]:
    cells = [c.cell_contents for c in fn.__closure__ or ()]
    return fn.__code__.co_firstlineno, fn.__defaults__, fn.__kwdefaults__, fn.__annotations__, cells


@functools.lru_cache(maxsize=None)
def _inductor_fails() -> str:
    """What Inductor itself raises, where it does not work for want of a compiler or headers."""
    try:
        torch.compile(lambda x: x.sin() + 1, backend="inductor")(torch.ones(3))
    except Exception as e:
        return type(e).__name__
    finally:
        torch._dynamo.reset()
    return ""


def need_inductor(case: unittest.TestCase) -> None:
    """Skip a test where Inductor itself does not work."""
    if _inductor_fails():
        case.skipTest("NOT RUN: Inductor fails without depyf too: %s" % _inductor_fails())


class TorchCase(unittest.TestCase):
    """A test with a fresh Dynamo, a folder of its own and silence expected."""

    def setUp(self) -> None:
        torch._dynamo.reset()
        os.environ["TORCHINDUCTOR_CACHE_DIR"] = tempfile.mkdtemp(dir=_cache.name)
        torch.manual_seed(0)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    @contextlib.contextmanager
    def quiet(self) -> Iterator[None]:
        """Fail if depyf writes or warns."""
        out, err = io.StringIO(), io.StringIO()
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                yield
        ours = [str(w.message) for w in caught if "depyf" in str(w.message)]
        self.assertEqual(ours, [])
        self.assertNotIn("depyf", out.getvalue() + err.getvalue())

    def need_inductor(self) -> None:
        need_inductor(self)

    def check(self, dump: Dump, rests: str = "") -> None:
        """What has to hold for every dump; rests says why the text of a resume function may be unproven."""
        self.assertEqual(dump.problems(), [])
        self.assertEqual(dump.unparsable(), [])
        self.assertEqual(dump.not_importable(), [])
        self.assertEqual([r for r in dump.rests() if not rests or rests not in r], [])
        self.assertNotIn("incomplete.txt", dump.names)
