"""The programs: snippets, files in programs and in gpu, models, and any file. Each takes the name of a backend."""

from __future__ import annotations

import functools
import importlib.util
import pathlib
import runpy
import sys
from typing import Any, Callable

from test_snippets import SNIPPETS, run

HERE = pathlib.Path(__file__).resolve().parent
MODELS = HERE.parents[1] / "models"


def snippets() -> "dict[str, Callable[[str], object]]":
    return {name: functools.partial(run, name) for name in SNIPPETS}


def programs() -> "dict[str, Callable[[str], object]]":
    return {p.stem: functools.partial(_main, p) for p in sorted((HERE / "programs").glob("*.py"))}


def gpu() -> "dict[str, Callable[[str], object]]":
    return {p.stem: functools.partial(_main, p) for p in sorted((HERE.parent / "gpu").glob("*.py"))}


def _main(path: pathlib.Path, backend: str) -> None:
    """Import a program anew and run it; its module stays, since torch and depyf name what is in it."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec and spec.loader
    module = sys.modules[path.stem] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.main(backend)


def models() -> "dict[str, Callable[[str], object]]":
    sys.path.insert(0, str(MODELS))
    from catalogue import CASES

    return {name: functools.partial(_model, case) for name, case in CASES.items()}


def _model(case: object, backend: str) -> object:
    from run import compiled

    return compiled(case, backend)


# What the names in a file that was run mean.
main: "dict[str, Any]" = {}


def file(name: str, args: "list[str]") -> "Callable[[str], object]":
    """A file that is run as Python would run it; the backend is its own affair."""

    def program(backend: str) -> None:
        sys.path.insert(0, str(pathlib.Path(name).resolve().parent))
        old, sys.argv = sys.argv, [name, *args]
        main.clear()
        try:
            main.update(runpy.run_path(name, run_name="__main__"))
        except Exception as e:
            print("%s: %s" % (type(e).__name__, str(e).split("\n")[0]), file=sys.stderr)
        finally:
            sys.argv = old
            del sys.path[0]

    return program


def choose(kind: str, names: "list[str]", every: int, args: "list[str]") -> "dict[str, Callable[[str], object]]":
    """The programs of a kind, or those of the names; a name may be a file's."""
    files = {pathlib.Path(n).stem: file(n, args) for n in names if n.endswith(".py")}
    if files and len(files) == len(names):
        return files
    known = {"snippets": snippets, "programs": programs, "gpu": gpu, "models": models}[kind]()
    if names:
        return {**files, **{n: known[n] for n in names if not n.endswith(".py")}}
    return dict(list(known.items())[::every])
