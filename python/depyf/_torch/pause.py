"""Whether and how to stop for a person with a debugger."""

from __future__ import annotations

import os
import sys


def client_attached() -> bool:
    """Whether a graphical debugger (VS Code, PyCharm) is connected.

    Breakpoints are set in its window, so that nothing has to stop here.
    """
    debugpy = sys.modules.get("debugpy")
    if debugpy is not None:
        try:
            return bool(debugpy.is_client_connected())
        except Exception:
            return False
    pydevd = sys.modules.get("pydevd")
    get = getattr(pydevd, "get_global_debugger", None)
    return bool(get and get() is not None)


def can_prompt() -> bool:
    """Whether breakpoint() has somebody to talk to."""
    if sys.breakpointhook is not sys.__breakpointhook__:
        return True  # Somebody has chosen what a breakpoint does.
    chosen = os.environ.get("PYTHONBREAKPOINT")
    if chosen:
        return chosen != "0"
    try:
        if sys.stdin is None or sys.stdin.closed:
            return False
        return sys.stdin.isatty() or _pdb_running() or _has_input()
    except Exception:
        return False


def _pdb_running() -> bool:
    trace = getattr(sys.gettrace(), "__self__", None)
    if "bdb" not in sys.modules:
        return False
    return isinstance(trace, sys.modules["bdb"].Bdb)


def _has_input() -> bool:
    """Whether a script for the debugger waits on standard input.

    An empty pipe says nothing: servers and test runners often leave one open
    that nobody will ever write to, and waiting on it would hang the program.
    """
    import stat

    fd = sys.stdin.fileno()
    mode = os.fstat(fd).st_mode
    if stat.S_ISREG(mode):
        return os.fstat(fd).st_size > os.lseek(fd, 0, os.SEEK_CUR)
    if not stat.S_ISFIFO(mode) and not stat.S_ISSOCK(mode):
        return False
    import array
    import fcntl
    import termios

    waiting = array.array("i", [0])
    fcntl.ioctl(fd, termios.FIONREAD, waiting)
    return waiting[0] > 0
