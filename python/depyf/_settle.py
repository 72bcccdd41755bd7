"""Waiting for the reports of processes that have ended.

A program that is killed, or that ends by os._exit, says nothing: its depyf process
sees the pipe close, writes the report and ends. Until then it holds a lock on the
folder (flock), which the kernel drops with the process.
"""

from __future__ import annotations

import glob
import json
import os
import time

# Writing the report of a large session takes seconds; a machine may be busy.
PATIENCE = 60.0


def wait(folder: str, seconds: float = PATIENCE) -> None:
    """Wait until nobody writes a report of an ended program into folder or one below it.

    Programs that still run are not waited for.
    """
    deadline = time.monotonic() + seconds
    for each in [folder, *glob.glob(os.path.join(glob.escape(folder), "*_*", ""))]:
        while time.monotonic() < deadline and _ended(_owner(each)) and _locked(each):
            time.sleep(0.02)


def _locked(folder: str) -> bool:
    """Whether a depyf process holds the folder."""
    try:
        import fcntl
    except ImportError:
        return False
    try:
        fd = os.open(folder, os.O_RDONLY)
    except OSError:
        return False
    try:
        # A shared lock disturbs nobody who only looks.
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    finally:
        os.close(fd)
    return False


def _owner(folder: str) -> int:
    """The process whose dump a folder holds, 0 if it is nobody's."""
    try:
        with open(os.path.join(folder, "events.jsonl"), encoding="utf-8") as f:
            return int(json.loads(f.readline())["fields"]["pid"])
    except (OSError, ValueError, KeyError, TypeError):
        return 0


def _ended(pid: int) -> bool:
    """Whether a process has ended, if only a moment ago: nobody may have waited for it yet."""
    if pid <= 0:
        return False
    try:
        with open("/proc/%d/stat" % pid, "rb") as f:
            return f.read().rpartition(b")")[2].split()[0] in (b"Z", b"X")
    except (OSError, IndexError):
        pass
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except OSError:
        pass
    return False
