"""`depyf run`: a program as it is, watched from beginning to end."""

from __future__ import annotations

import atexit
import os
import sys
import time
import types
from typing import Any, NoReturn, Optional

from . import _auto, _settle

USAGE = """usage: depyf run [--out DIR] [--debug] [--] (SCRIPT | -m MODULE | -c CODE) [ARGUMENTS ...]

Runs a Python program unchanged and dumps what torch.compile does in it.
  --out DIR   the dump folder (default: $DEPYF_DUMP, else ./depyf_dump)
  --debug     pause once, when the first function has been compiled, so that
              breakpoints can be set in the dumped files
Processes that the program starts are watched too, each in a folder below DIR.
"""


def main(arguments: list[str]) -> NoReturn:
    """Run the program that the arguments name, as `python` would."""
    out, debug, rest = _options(arguments)
    folder = os.path.abspath(out or os.environ.get(_auto.VARIABLE) or "depyf_dump")
    # Another folder is another run, even inside a watched program.
    os.environ[_auto.VARIABLE] = folder
    os.environ[_auto.RUN] = os.urandom(8).hex()
    begun: list[Any] = []
    _auto.start(folder, begun.append)
    if debug:
        _pause_once()
    status = 0
    # Registered before what the sessions register, and so called after it.
    atexit.register(_say, folder, begun, os.getpid(), time.time())
    try:
        _execute(rest)
    except SystemExit:
        raise
    except BaseException as e:
        status = _show(e)
    sys.exit(status)


def _options(arguments: list[str]) -> tuple[Optional[str], bool, list[str]]:
    out, debug = None, False
    rest = list(arguments)
    while rest:
        first = rest[0]
        if first in ("-h", "--help"):
            print(USAGE, end="")
            sys.exit(0)
        if first == "--debug":
            debug = True
            del rest[0]
        elif first in ("-o", "--out") and len(rest) > 1:
            out = rest[1]
            del rest[:2]
        elif first.startswith("--out="):
            out = first[6:]
            del rest[0]
        elif first == "--":
            del rest[0]
            break
        elif first.startswith("-") and first not in ("-m", "-c"):
            sys.exit("depyf run: unknown option %s\n\n%s" % (first, USAGE))
        else:
            break
    if not rest or (rest[0] in ("-m", "-c") and len(rest) < 2):
        sys.stderr.write(USAGE)
        sys.exit(2)
    return out, debug, rest


def _execute(rest: list[str]) -> None:
    """Run a script, -m MODULE or -c CODE as __main__."""
    if rest[0] == "-c":
        sys.argv = ["-c", *rest[2:]]
        _import_from("")
        _run_code(compile(rest[1], "<string>", "exec", dont_inherit=True), "<string>", None)
    elif rest[0] == "-m":
        _import_from("")
        sys.argv = [rest[1], *rest[2:]]
        _run_module(rest[1])
    else:
        sys.argv = list(rest)
        _run_script(rest[0])


def _import_from(folder: str) -> None:
    """Put the program's own folder where `python` puts it."""
    if getattr(sys.flags, "safe_path", False):
        return
    if folder == "":
        folder = os.getcwd() if sys.argv[0] != "-c" else ""
    sys.path[:1] = [folder]


def _run_script(path: str) -> None:
    if os.path.isdir(path) or path.endswith((".pyc", ".zip", ".pyz")):
        import runpy

        _import_from(os.path.dirname(os.path.realpath(path)))
        runpy.run_path(path, run_name="__main__")
        return
    try:
        with open(path, "rb") as f:
            text = f.read()
    except OSError as e:
        sys.exit("depyf run: %s" % e)
    _import_from(os.path.dirname(os.path.realpath(path)))
    _run_code(compile(text, path, "exec", dont_inherit=True), path, None)


def _run_module(name: str) -> None:
    import importlib.util

    try:
        spec: Any = importlib.util.find_spec(name)
        if spec is not None and spec.submodule_search_locations is not None:
            spec = importlib.util.find_spec(name + ".__main__")
        code = spec.loader.get_code(spec.name) if spec is not None else None
    except ImportError as e:
        sys.exit("depyf run: %s" % e)
    if code is None:
        sys.exit("depyf run: no module named %s that can be run" % name)
    sys.argv[0] = spec.origin
    _run_code(code, spec.origin, spec)


def _run_code(code: types.CodeType, path: str, spec: Any) -> None:
    module = types.ModuleType("__main__")
    import builtins

    values: dict[str, Any] = {"__builtins__": builtins, "__spec__": spec}
    if path != "<string>":
        values["__file__"] = path
    if spec is not None:
        values.update(__package__=spec.parent, __loader__=spec.loader)
    else:
        values["__package__"] = None
    module.__dict__.update(values)
    # Pickles and processes that are started anew look for the program there.
    sys.modules["__main__"] = module
    exec(code, module.__dict__)


def _show(error: BaseException) -> int:
    """Report what ended the program as `python` does, without our frames."""
    tb = error.__traceback__
    while tb is not None and tb.tb_frame.f_globals.get("__name__") == __name__:
        tb = tb.tb_next
    sys.excepthook(type(error), error.with_traceback(tb), tb)
    return 130 if isinstance(error, KeyboardInterrupt) else 1


def _pause_once() -> None:
    """Stop for a person as soon as there are files to set breakpoints in."""
    from . import _imports

    def begin() -> None:
        from ._torch import debugging, frames

        frames.after_first.append(debugging.announce)

    _imports.when_loaded("torch._dynamo", begin)


def _say(folder: str, begun: list[Any], owner: int, since: float) -> None:
    """Say at the end where the dump is, or why there is none."""
    if os.getpid() != owner:
        return  # A forked process that ends in order.
    page = os.path.join(folder, "processes.md")
    try:
        _settle.wait(folder)
        others = os.path.exists(page) and os.path.getmtime(page) >= since - 1
        if not begun and not others and "torch._dynamo" in sys.modules:
            from ._torch import unasked

            session = unasked.explain_nothing(folder)
            if session is not None:
                begun.append(session)
        if others:
            text = "what torch.compile did in the processes of the program is in %s; start with processes.md" % folder
        elif begun:
            text = "what torch.compile did is in %s; start with index.md" % begun[0].dir
        else:
            text = "nothing was compiled: the program did not use torch.compile"
        print("depyf: " + text, file=sys.stderr)
    except Exception:
        return
