"""`depyf run`: a program as it is, watched from beginning to end.

Python is started anew, in this process, with the arguments that run the program: no frame
of ours lies below the program's, and sys.argv, __main__ and all the rest are what Python
makes them. Where somebody watches this very Python, such as a debugger that has started
`depyf run`, he has to keep it: then the program is run here, as `python` would.
"""

from __future__ import annotations

import atexit
import os
import sys
import time

from . import _auto, _ending

TYPE_CHECKING = False
if TYPE_CHECKING:  # The typing module takes longer to import than this package.
    import types
    from typing import Any, NoReturn

USAGE = """usage: depyf run [--out DIR] [--swap] [--debug] [--compare | --find-nan]
                 [--] (SCRIPT | -m MODULE | -c CODE) [ARGUMENTS ...]

Runs a Python program unchanged and dumps what torch.compile does in it.
  --out DIR   the dump folder (default: $DEPYF_DUMP, else ./depyf_dump)
  --swap      let proven code run from the dumped files, so that breakpoints in
              them are hit (also: DEPYF_SWAP=1)
  --debug     the same, and pause once, when the first function has been
              compiled, so that breakpoints can be set in the dumped files
  --compare   run each graph eager and in float64, too, on copies: which operation
              is the first whose numbers are wrong, and who is, eager or compiled
              (also: DEPYF_NUMBERS=compare); it takes several times as long
  --find-nan  where a graph's results or gradients have the first NaN: which
              operation made it (also: DEPYF_NUMBERS=find-nan)
Processes that the program starts are watched too, each in a folder below DIR.
"""

_FIRST = "DEPYF_HANDOVER"  # What _site/sitecustomize.py is told.


def main(arguments: list[str]) -> NoReturn:
    """Run the program that the arguments name, as `python` would."""
    options, rest = _options(arguments)
    folder = os.path.abspath(options["out"] or os.environ.get(_auto.VARIABLE) or "depyf_dump")
    # Another folder is another run, even inside a watched program.
    os.environ[_auto.VARIABLE] = folder
    os.environ[_auto.RUN] = os.urandom(8).hex()
    if options["swap"] or options["debug"]:
        os.environ[_auto.SWAP] = "1"
    if options["numbers"]:
        os.environ[_auto.NUMBERS] = options["numbers"]
    if not _watched():
        _start_anew(arguments, rest, options["debug"])
    begin(options["debug"])
    status = 0
    try:
        _execute(rest)
    except SystemExit:
        raise
    except BaseException as e:
        status = _show(e)
    sys.exit(status)


def begin(debug: bool) -> None:
    """Watch this process from now on, and say at its end where the dump is."""
    begun: list[Any] = []
    _auto.on_begin.append(begun.append)
    _auto.start()
    if debug:
        _pause_once()
    # Registered before what the sessions register, and so called after it.
    atexit.register(_say, os.environ[_auto.VARIABLE], begun, os.getpid(), time.time())


def _options(arguments: list[str]) -> tuple[dict[str, Any], list[str]]:
    options: dict[str, Any] = {"out": None, "swap": False, "debug": False, "numbers": ""}
    rest = list(arguments)
    while rest:
        first = rest[0]
        if first in ("-h", "--help"):
            print(USAGE, end="")
            sys.exit(0)
        if first in ("--debug", "--swap"):
            options[first[2:]] = True
            del rest[0]
        elif first in ("--compare", "--find-nan"):
            options["numbers"] = first[2:]
            del rest[0]
        elif first in ("-o", "--out") and len(rest) > 1:
            options["out"] = rest[1]
            del rest[:2]
        elif first.startswith("--out="):
            options["out"] = first[6:]
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
    return options, rest


def _watched() -> bool:
    """Whether somebody, a debugger or a profiler, watches this very Python."""
    from ._torch import pause

    tools: Any = getattr(sys, "monitoring", None)
    return (
        sys.gettrace() is not None
        or sys.getprofile() is not None
        or any(tools.get_tool(n) for n in (range(6) if tools else ()))
        or pause.debugger_loaded()
    )


def _start_anew(arguments: list[str], rest: list[str], debug: bool) -> None:
    """Become the Python that runs the program; return where that is not possible."""
    if not sys.executable or sys.flags.ignore_environment or sys.flags.no_site:
        return
    before = os.environ.get("PYTHONPATH")
    ours = os.path.join(os.path.dirname(os.path.abspath(__file__)), "_site")
    environment = dict(os.environ)
    environment[_FIRST] = "%d%s" % (debug, "-" if before is None else "=" + before)
    environment["PYTHONPATH"] = os.pathsep.join([ours, before] if before else [ours])
    command = [sys.executable, *_interpreter_options(len(arguments) + 1), *rest]
    try:
        if os.name == "posix":
            os.execve(sys.executable, command, environment)
    except OSError:
        return
    # Elsewhere the shell would go on at once.
    import subprocess

    try:
        done = subprocess.run(command, env=environment)
    except OSError:
        return
    sys.exit(done.returncode)


def _interpreter_options(count: int) -> list[str]:
    """Return the options of this Python, whose command line ends with count arguments of depyf's."""
    whole = getattr(sys, "orig_argv", None)  # Python 3.10
    if whole is None:
        import subprocess

        options: list[str] = subprocess._args_from_interpreter_flags()  # type: ignore[attr-defined]
        return options
    # Before them stand `-m depyf`, or the path of the command.
    before: list[str] = whole[1:-count]
    return before[: -2 if before[-2:-1] == ["-m"] else -1]


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
    import builtins
    import types

    module = types.ModuleType("__main__")

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
    _ending.error = error
    sys.excepthook(type(error), error.with_traceback(tb), tb)
    return 130 if isinstance(error, KeyboardInterrupt) else 1


def _pause_once() -> None:
    """Stop for a person as soon as there are files to set breakpoints in."""
    from . import _imports

    def begin() -> None:
        from ._torch import debugging, frames

        frames.after_first.append(debugging.announce)

    _imports.when_loaded("torch._dynamo", begin)


def _of_others() -> str:
    """Words on other processes, such as torchrun's: they are watched by depyf.pth, which a checkout does not have."""
    import site

    folders = [*getattr(site, "getsitepackages", list)(), site.getusersitepackages()]
    if any(os.path.exists(os.path.join(f, "depyf.pth")) for f in folders):
        return ""
    return (
        "; programs that it starts, as torchrun does, are watched where depyf is installed, and here it is not"
        " (no depyf.pth in site-packages)"
    )


def _say(folder: str, begun: list[Any], owner: int, since: float) -> None:
    """Say at the end where the dump is, or why there is none."""
    if os.getpid() != owner:
        return  # A forked process that ends in order.
    page = os.path.join(folder, "processes.md")
    try:
        from . import _settle

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
        elif "torch" not in sys.modules:
            text = "nothing was compiled: the program did not import torch" + _of_others()
        else:
            text = "nothing was compiled: the program did not use torch.compile" + _of_others()
        print("depyf: " + text, file=sys.stderr)
    except Exception:
        return
