"""An interpreter that has torch imported already, and forks itself for each program that a test starts.

Most of what a small program with torch.compile costs is the import of torch, of Dynamo and of Inductor: 6 to 10 s of
processor against half a second for all the rest. python() is a command that takes the arguments of Python; its
programs have standard streams, a directory, an environment, sys.path, sys.argv and an end of their own, and everything
that they start by sys.executable is forked, too. Whatever a fork cannot be is started for real, by that same command:

* options of the interpreter other than -B, or a program on standard input,
* an environment that Python or torch read when they begin and that differs from the tests' (see _KEPT),
* open files other than the standard streams, as pipes of a pool of workers are.

What differs all the same: torch is in sys.modules before the program imports it, and frames of this file lie below the
program's. So a test of how programs begin, of who is on the stack, or of debuggers wants a real one (see cold in
programs).

    python warm.py SOCKET       the interpreter; it ends with its standard input
"""

from __future__ import annotations

import atexit
import gc
import importlib.machinery
import json
import multiprocessing
import os
import pathlib
import signal
import socket
import stat
import struct
import subprocess
import sys
import tempfile
import threading
import time
import types
from typing import Any, NoReturn, Optional

# What begins so is read when Python or torch begin, but for these.
_READ = ("PYTHON", "TORCH", "PYTORCH")
_KEPT = ("PYTHONPATH", "PYTHONBREAKPOINT", "TORCHINDUCTOR_CACHE_DIR", "TORCHELASTIC_")
# Read again by _log_anew.
_LOGS = ("TORCH_LOGS", "TORCH_LOGS_OUT", "TORCH_LOGS_FORMAT", "TORCH_TRACE")

# The command: it asks the interpreter, waits for the program's end, and ends likewise. {real}, {path} are filled in.
_COMMAND = """\
#!{real} -IS
import json, os, signal, socket, struct, sys

def cold():
    os.execv({real!r}, [{real!r}, *sys.argv[1:]])

opened = [int(n) for n in os.listdir("/proc/self/fd")]
if any(n > 2 and os.path.exists("/proc/self/fd/%d" % n) for n in opened):
    cold()
mask = os.umask(0)
os.umask(mask)
job = json.dumps([sys.argv, dict(os.environ), os.getcwd(), mask]).encode("utf-8", "surrogateescape")
server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
try:
    server.connect({path!r})
    socket.send_fds(server, [struct.pack("!I", len(job))], [0, 1, 2])
    server.sendall(job)
except OSError:
    cold()
said = server.makefile("rb")
pid = int(said.readline() or 0)
if not pid:
    cold()
for each in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGUSR1):
    signal.signal(each, lambda number, _: os.kill(pid, number))
status = said.readline()
if not status:
    os.kill(os.getpid(), signal.SIGKILL)
code = os.waitstatus_to_exitcode(int(status))
if code < 0:
    signal.signal(-code, signal.SIG_DFL) if -code != signal.SIGKILL else None
    os.kill(os.getpid(), -code)
sys.exit(code)
"""


def python() -> str:
    """Return the command; the interpreter behind it starts with the first one that asks."""
    global _command
    if _command is None:
        _command = _start()
    return _command


_command: Optional[str] = None


def _start() -> str:
    if not (hasattr(os, "fork") and os.path.isdir("/proc/self/fd")):
        return sys.executable
    home = tempfile.TemporaryDirectory()
    atexit.register(home.cleanup)
    path = os.path.join(home.name, "socket")
    command = pathlib.Path(home.name, "python")
    command.write_text(_COMMAND.format(real=sys.executable, path=path), encoding="utf-8")
    command.chmod(command.stat().st_mode | stat.S_IXUSR)
    environment = {k: v for k, v in os.environ.items() if not k.startswith("DEPYF_")}
    server = subprocess.Popen(
        [sys.executable, os.path.abspath(__file__), str(command), path],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
    )
    assert server.stdin is not None and server.stdout is not None
    atexit.register(server.wait)
    atexit.register(server.stdin.close)
    if server.stdout.readline() != b"listening\n":
        raise OSError("the interpreter of warm.py did not start")
    return str(command)


def time_guards_once() -> None:
    """Let torch (2.9 and later) time guards as they are.

    It empties the processor's caches first, by writing to 32 MB that are new each time: a fifth of what compiling a
    small function costs.
    """
    guards: Any = sys.modules["torch._dynamo.guards"]
    if not hasattr(guards, "profile_guard_manager"):
        return

    def timed(root: Any, scope: Any, *rounds: int) -> float:
        started = time.perf_counter()
        root.check(scope)
        return (time.perf_counter() - started) * 1e6

    guards.profile_guard_manager = timed


class _Job(types.SimpleNamespace):
    arguments: list[str]
    environment: dict[str, str]
    folder: str
    mask: int
    files: list[int]


def _fits(job: _Job, own: dict[str, str]) -> bool:
    """Whether a fork of this interpreter is what a new one would be."""
    rest = [a for a in job.arguments[1:] if a != "-B"]
    if not rest or (rest[0].startswith("-") and rest[0] not in ("-m", "-c")):
        return False

    def read(environment: dict[str, str]) -> dict[str, str]:
        return {
            k: v for k, v in environment.items() if k.startswith(_READ) and not k.startswith(_KEPT) and k not in _LOGS
        }

    return read(job.environment) == read(own)


def _serve(path: str) -> _Job:
    """Fork for each job that fits; return it, in the process that is to run it."""
    import selectors

    own = dict(os.environ)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(path)
    listener.listen(16)
    wakes, waker = socket.socketpair()
    for each in (wakes, waker):
        each.setblocking(False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(waker.fileno())
    waiting = selectors.DefaultSelector()
    for watched in (listener, wakes, sys.stdin):
        waiting.register(watched, selectors.EVENT_READ)
    children: dict[int, socket.socket] = {}
    print("listening", flush=True)
    while True:
        for key, _ in waiting.select():
            if key.fileobj is sys.stdin:
                for pid in children:
                    os.kill(pid, signal.SIGKILL)
                os._exit(0)
            elif key.fileobj is wakes:
                wakes.recv(4096)
            elif key.fileobj is listener:
                asks, _ = listener.accept()
                job = _read(asks)
                if job is None or not _fits(job, own):
                    _say(asks, 0)
                    asks.close()
                else:
                    pid = os.fork()
                    if pid == 0:
                        signal.set_wakeup_fd(-1)
                        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                        waiting.close()
                        for each in (listener, wakes, waker, asks, *children.values()):
                            each.close()
                        return job
                    children[pid] = asks
                    _say(asks, pid)
                    waiting.register(asks, selectors.EVENT_READ)
                for file in job.files if job else ():
                    os.close(file)
            else:  # Who asked is gone, and so must be what it waited for.
                asks = key.fileobj  # type: ignore[assignment]
                waiting.unregister(asks)
                for pid, each in children.items():
                    if each is asks:
                        os.kill(pid, signal.SIGKILL)
        while children:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if not pid:
                break
            asks = children.pop(pid)
            if asks in [key.fileobj for key in waiting.get_map().values()]:
                waiting.unregister(asks)
            _say(asks, status)
            asks.close()


def _say(to: socket.socket, number: int) -> None:
    try:
        to.sendall(b"%d\n" % number)
    except OSError:
        pass  # Killed while it waited.


def _read(asks: socket.socket) -> Optional[_Job]:
    head, files, _, _ = socket.recv_fds(asks, 4, 3)
    text = b""
    wanted = struct.unpack("!I", head)[0] if len(head) == 4 else 0
    while len(text) < wanted:
        part = asks.recv(wanted - len(text))
        if not part:
            return None
        text += part
    if not text:
        return None
    arguments, environment, folder, mask = json.loads(text.decode("utf-8", "surrogateescape"))
    return _Job(arguments=arguments, environment=environment, folder=folder, mask=mask, files=list(files))


def _become(job: _Job, base: list[str]) -> None:
    """Make this process what a new interpreter would be before it runs the program."""
    for number, file in enumerate(job.files):
        os.dup2(file, number, inheritable=True)
        os.close(file)
    os.chdir(job.folder)
    os.umask(job.mask)
    os.environ.clear()
    os.environ.update(job.environment)
    sys.dont_write_bytecode = "-B" in job.arguments[1:2] or bool(os.environ.get("PYTHONDONTWRITEBYTECODE"))
    sys.orig_argv = list(job.arguments)
    first = os.environ.get("PYTHONPATH", "")
    sys.path[:] = [os.path.abspath(p) for p in first.split(os.pathsep) if p] + base
    sys.path_importer_cache.clear()
    # Each program has a key of its own, by which depyf tells runs apart.
    multiprocessing.current_process().authkey = os.urandom(32)
    _log_anew()
    import torch

    if "OMP_NUM_THREADS" in os.environ:
        torch.set_num_threads(int(os.environ["OMP_NUM_THREADS"]))
    try:
        import sitecustomize  # type: ignore[import-not-found]  # noqa: F401
    except ModuleNotFoundError as e:
        if e.name != "sitecustomize":
            raise


def _log_anew() -> None:
    """Read the variables of torch's logs, as the end of `import torch` does."""
    if any(name in os.environ for name in _LOGS):
        import torch

        torch._logging._internal.LOG_TRACE_HANDLER = None  # It knows its folder already.
        torch._logging._internal._init_logs()


def _run(arguments: list[str]) -> None:
    """Run a script, -m MODULE or -c CODE as __main__."""
    import builtins
    import runpy

    rest = arguments[2:] if arguments[1] == "-B" else arguments[1:]
    if rest[0] == "-m":
        sys.argv = ["-m", *rest[2:]]
        sys.path.insert(0, os.getcwd())
        runpy._run_module_as_main(rest[1])  # type: ignore[attr-defined]
        return
    main = types.ModuleType("__main__")
    if sys.version_info < (3, 14):
        main.__annotations__ = {}
    # inspect looks for the loader, and Dynamo asks inspect.
    main.__dict__.update(__builtins__=builtins, __loader__=importlib.machinery.BuiltinImporter)
    if rest[0] == "-c":
        sys.argv = ["-c", *rest[2:]]
        sys.path.insert(0, "")
        code = compile(rest[1], "<string>", "exec", dont_inherit=True)
    else:
        sys.argv = list(rest)
        sys.path.insert(0, os.path.dirname(os.path.realpath(rest[0])))
        path = os.path.abspath(rest[0])
        loader = importlib.machinery.SourceFileLoader("__main__", path)
        main.__dict__.update(__file__=path, __cached__=None, __loader__=loader)
        with open(path, "rb") as f:
            code = compile(f.read(), path, "exec", dont_inherit=True)
    sys.modules["__main__"] = main
    exec(code, main.__dict__)


def _main(command: str, path: str) -> NoReturn:
    # Without the folder of this file, and without what the variable adds.
    added = [p for p in os.environ.get("PYTHONPATH", "").split(os.pathsep) if p]
    base = sys.path[1 + len(added) :]
    sys.executable = command
    import torch._dynamo

    time_guards_once()
    if tuple(map(int, torch.__version__.split(".")[:2])) >= (2, 3):  # torch 2.2 starts processes when it is imported.
        import torch._inductor.compile_fx  # noqa: F401

        try:
            from torch._inductor import cpu_vec_isa

            cpu_vec_isa.valid_vec_isa_list()  # It starts compilers to find out, and keeps the answer.
        except Exception:
            pass  # Inductor does not work here, or asks elsewhere.

    # No fork looks for garbage in what all of them share: that would copy it, and take seconds.
    gc.collect()
    gc.freeze()
    job = _serve(path)
    status = 0
    try:
        _become(job, base)
        _run(job.arguments)
    except SystemExit as e:
        status = _status(e)
    except BaseException as e:
        tb: Any = e.__traceback__
        while tb is not None and tb.tb_frame.f_globals.get("__file__") == __file__:
            tb = tb.tb_next
        sys.last_type, sys.last_value, sys.last_traceback = type(e), e.with_traceback(tb), tb
        if sys.version_info >= (3, 12):
            sys.last_exc = e
        sys.excepthook(type(e), e, tb)
        status = 130 if isinstance(e, KeyboardInterrupt) else 1
    _end(status)


def _status(error: SystemExit) -> int:
    if error.code is None or isinstance(error.code, int):
        return error.code or 0
    print(error.code, file=sys.stderr)
    return 1


def _end(status: int) -> NoReturn:
    """End as the interpreter does, but for the destruction of all modules, which takes seconds."""
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(status & 0xFF)


if __name__ == "__main__":
    _main(*sys.argv[1:])
