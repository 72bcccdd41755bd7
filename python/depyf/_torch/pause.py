"""Whether and how to stop for a person with a debugger."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:  # `depyf run` imports this before the program: typing takes longer than all of this package.
    from typing import Any, Optional


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


def debugger_loaded() -> bool:
    """Whether this Python belongs to a debugger, which need not trace anything yet."""
    return "pydevd" in sys.modules or "debugpy" in sys.modules or _pdb_running()


def obstacle() -> Optional[str]:
    """Return why breakpoint() would talk to nobody; None when somebody is there."""
    hook = sys.breakpointhook
    if hook is not sys.__breakpointhook__:
        if "pydevd" in str(getattr(hook, "__module__", "")):
            return "the debugger has no client yet"
        return None  # Somebody has chosen what a breakpoint does.
    chosen = os.environ.get("PYTHONBREAKPOINT")
    if chosen:
        return "PYTHONBREAKPOINT=0 turns breakpoints off" if chosen == "0" else None
    try:
        if _pdb_running():
            return None
        if sys.stdin is not None and not sys.stdin.closed and (sys.stdin.isatty() or _has_input()):
            return None
    except Exception:
        pass
    return "standard input is not interactive"


def _pdb_running() -> bool:
    """Whether the program runs under pdb, or another debugger that is built on bdb.

    Between breakpoints such a debugger need not trace anything, and it may have read
    all of its commands ahead: its frames, which started the program, tell.
    """
    bdb = sys.modules.get("bdb")
    if bdb is None:
        return False
    if isinstance(getattr(sys.gettrace(), "__self__", None), bdb.Bdb):
        return True
    frame: Any = sys._getframe()
    while frame is not None:
        if frame.f_globals is vars(bdb) and frame.f_code.co_name.startswith("run"):
            return True
        frame = frame.f_back
    return False


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
