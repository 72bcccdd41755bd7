"""Which of the processes of a run this is."""

from __future__ import annotations

import atexit
import hashlib
import os
import sys
from typing import Callable, Optional

# One process a graph: the data-parallel rank, where a server has several engines.
_DATA_PARALLEL = ("VLLM_DP_RANK", "DP_RANK")


def rank() -> Optional[str]:
    """The rank of a distributed run, as "3", or "3_dp_1" with several engines; else None."""
    found = None
    if int_of("WORLD_SIZE", 2) > 1:
        found = os.environ.get("RANK")
    for name in _DATA_PARALLEL:
        part = os.environ.get(name)
        if part and int_of(name[:-4] + "SIZE", 2) > 1:
            return "%s_dp_%s" % (found or "0", part)
    return found or None


def int_of(name: str, default: int) -> int:
    try:
        return int(os.environ[name])
    except (KeyError, ValueError):
        return default


def run() -> str:
    """A name that the processes of one run share, and no other run has.

    The key that multiprocessing makes anew in each program, and hands to the
    processes that it starts, tells them apart; it is a secret, hence the hash.
    """
    known = os.environ.get("DEPYF_RUN")
    if known:
        return known
    process = sys.modules.get("multiprocessing.process")
    try:
        key = bytes(process.current_process().authkey)  # type: ignore[union-attr]
    except Exception:
        return ""
    return hashlib.sha256(b"depyf" + key).hexdigest()[:16]


def interpreter() -> Optional[str]:
    """A program that is this very Python; None where Python is part of another program."""
    path = sys.executable or ""
    name = os.path.basename(path).lower()
    return path if name.startswith("python") and os.path.isfile(path) else None


def at_exit(f: Callable[[], None]) -> None:
    """Call f when the interpreter ends, or when a process of multiprocessing does.

    The latter runs no atexit functions; it has a list of its own.
    """
    atexit.register(f)
    util = sys.modules.get("multiprocessing.util")
    if util is not None:
        util.Finalize(None, f, exitpriority=100)
