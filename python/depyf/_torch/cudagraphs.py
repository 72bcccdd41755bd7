"""Why a graph runs without CUDA graphs, though the program asked for them.

torch says so in a warning, often when the graph first runs: torch/_inductor/cudagraph_utils.py,
log_cudagraph_skip_and_bump_counter. The logger's name has changed; both are listened to. The
warning goes on to the user as ever.
"""

from __future__ import annotations

import logging
from typing import Callable

from . import hooks, running
from . import session as sessions
from .patching import hear

NAME = "skipped CUDA graphs"
_LOGS = ("perf_hints", "cudagraphs")  # up to torch 2.9, and later


def _see(record: logging.LogRecord) -> None:
    session = sessions.current()
    if session is not None:
        with session.guarded(NAME):
            session.post("no_cuda_graph", text=record.getMessage(), compile_id=running.compile_id(session))


def listen() -> Callable[[], None]:
    owner, _ = hooks.place(NAME)
    undoes = [hear(logging.getLogger("%s.__%s" % (owner.__name__, name)), _see, logging.WARNING) for name in _LOGS]

    def undo() -> None:
        for f in undoes:
            f()

    return undo
