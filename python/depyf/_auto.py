"""Watching a program that does not mention depyf: DEPYF_DUMP=dir and `depyf run`.

A line in depyf.pth, which the wheel puts beside the package, imports depyf at the
start of every Python process that has DEPYF_DUMP; so does `import depyf` itself.
Nothing of torch is imported then. Only when the program has imported
torch._dynamo are the hooks set, and only when something is compiled does the Go
program start and the folder appear: compile workers and helpers of the program,
which inherit the variable, leave no trace.
"""

from __future__ import annotations

import os

from . import _imports

TYPE_CHECKING = False
if TYPE_CHECKING:  # The typing module takes longer to import than this package.
    from typing import Any, Callable, Optional

VARIABLE = "DEPYF_DUMP"
# Names one run of a program with all the processes it starts: a dump that an
# earlier run left is replaced, one that a sibling left is not.
RUN = "DEPYF_RUN"
# Set to 1: proven code runs from the dumped files, so that breakpoints in them are hit.
SWAP = "DEPYF_SWAP"
# What to look for in the numbers of each graph: compare or find-nan (see _numbers.program).
NUMBERS = "DEPYF_NUMBERS"

_started = False
# Called with the session, should there be one.
on_begin: list[Callable[[Any], None]] = []


def start(folder: Optional[str] = None) -> None:
    """Watch this process, and those it starts, from the moment it imports torch._dynamo."""
    global _started
    folder = folder or os.environ.get(VARIABLE)
    if not folder or _started:
        return
    _started = True
    # Processes started from another directory mean the same folder.
    os.environ[VARIABLE] = folder = os.path.abspath(folder)
    os.environ.setdefault(RUN, os.urandom(8).hex())
    chosen = folder

    def begin() -> None:
        try:
            from ._torch import unasked

            unasked.begin(chosen, swap(), lambda session: [f(session) for f in on_begin])
        except Exception as e:
            from ._client import warn

            warn("depyf cannot watch this program: %s: %s" % (type(e).__name__, e))

    _imports.when_loaded("torch._dynamo", begin)
    mode = os.environ.get(NUMBERS)
    if mode in ("compare", "find-nan"):
        # With the rest of torch._dynamo this module would be imported too early.
        _imports.when_loaded("torch._dynamo.repro.after_dynamo", lambda: _look_at_numbers(mode))


def _look_at_numbers(mode: str) -> None:
    try:
        from ._numbers import program

        program.begin(mode)
    except Exception as e:
        from ._client import warn

        warn("depyf cannot look at the numbers of this program: %s: %s" % (type(e).__name__, e))


def swap() -> bool:
    """Whether proven code is to run from the dumped files."""
    return os.environ.get(SWAP, "") not in ("", "0")
