"""Two programs on one machine, measured so that both see it alike, however its speed changes.

What else a machine does makes one of its cores slower than the other, and both slower than a minute ago, by more than
what is to be measured. Programs that change places, or take turns, ten times a second see the same of it. Linux only.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import signal
import struct
import time

TURN = 0.1  # Seconds.


class Clock:
    """A clock that stands still while its program is stopped. The program may be another process."""

    def __init__(self) -> None:
        self._stopped = mmap.mmap(-1, 8)  # Shared with what is forked.

    def __call__(self) -> float:
        (stopped,) = struct.unpack("d", self._stopped[:8])
        return time.monotonic() - stopped

    def stood(self, seconds: float) -> None:
        (stopped,) = struct.unpack("d", self._stopped[:8])
        self._stopped[:8] = struct.pack("d", stopped + seconds)


def exchange(roots: list[int], cores: list[int]) -> None:
    """Let two programs, each on a core of its own, change places until one of them has ended."""
    while not any(ended(root) for root in roots):
        time.sleep(TURN)
        cores.reverse()
        trees = descendants(roots)
        for root, core in zip(roots, cores):
            for pid in trees[root]:
                with contextlib.suppress(OSError):
                    for thread in os.listdir("/proc/%d/task" % pid):
                        os.sched_setaffinity(int(thread), {core})


def take(roots: list[int], clocks: list[Clock]) -> None:
    """Let one of two programs run while the other is stopped, by turns until one of them has ended."""
    since = [time.monotonic()] * 2
    running = 0
    _signal(roots[1], signal.SIGSTOP)
    while not any(ended(root) for root in roots):
        time.sleep(TURN)
        _signal(roots[running], signal.SIGSTOP)
        since[running] = time.monotonic()
        running = 1 - running
        clocks[running].stood(time.monotonic() - since[running])
        _signal(roots[running], signal.SIGCONT)
    other = 1 - running
    clocks[other].stood(time.monotonic() - since[other])
    _signal(roots[other], signal.SIGCONT)


def _signal(root: int, which: int) -> None:
    for pid in descendants([root])[root]:
        with contextlib.suppress(OSError):
            os.kill(pid, which)


def ended(pid: int) -> bool:
    return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def descendants(roots: list[int]) -> dict[int, list[int]]:
    """Return the processes below each of some, itself included."""
    parents: dict[int, int] = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            with contextlib.suppress(OSError), open("/proc/%s/stat" % name, encoding="utf-8", errors="replace") as f:
                parents[int(name)] = int(f.read().rpartition(")")[2].split()[1])
    trees: dict[int, list[int]] = {root: [] for root in roots}
    for pid in parents:
        above = pid
        while above in parents and above not in trees:
            above = parents[above]
        if above in trees:
            trees[above].append(pid)
    return trees
