"""The programs: snippets, the files in programs, models, and any file. Each takes the name of a backend."""

from __future__ import annotations

import functools
import pathlib
import runpy
import sys
from typing import Callable

from test_snippets import SNIPPETS, run

HERE = pathlib.Path(__file__).resolve().parent
MODELS = HERE.parents[1] / "models"


def snippets() -> "dict[str, Callable[[str], object]]":
    return {name: functools.partial(run, name) for name in SNIPPETS}


def programs() -> "dict[str, Callable[[str], object]]":
    return {p.stem: functools.partial(_main, p) for p in sorted((HERE / "programs").glob("*.py"))}


def _main(path: pathlib.Path, backend: str) -> None:
    runpy.run_path(str(path))["main"](backend)


def models() -> "dict[str, Callable[[str], object]]":
    sys.path.insert(0, str(MODELS))
    from catalogue import CASES

    return {name: functools.partial(_model, case) for name, case in CASES.items()}


def _model(case: object, backend: str) -> object:
    from run import compiled

    return compiled(case, backend)


def file(name: str) -> "Callable[[str], object]":
    """A file that is run as Python would run it; the backend is its own affair."""

    def program(backend: str) -> None:
        sys.path.insert(0, str(pathlib.Path(name).resolve().parent))
        old, sys.argv = sys.argv, [name]
        try:
            runpy.run_path(name, run_name="__main__")
        except Exception as e:
            print("%s: %s" % (type(e).__name__, str(e).split("\n")[0]), file=sys.stderr)
        finally:
            sys.argv = old
            del sys.path[0]

    return program


def choose(kind: str, names: "list[str]", every: int) -> "dict[str, Callable[[str], object]]":
    """The programs of a kind, or those of the names; a name may be a file's."""
    known = {"snippets": snippets, "programs": programs, "models": models}[kind]()
    if names:
        return {n: file(n) if n.endswith(".py") else known[n] for n in names}
    return dict(list(known.items())[::every])
