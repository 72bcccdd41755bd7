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

NAME = "skipped CUDA graphs"
_LOGS = ("perf_hints", "cudagraphs")  # up to torch 2.9, and later


class _Ear(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:
        session = sessions.current()
        if session is not None and record.levelno >= logging.WARNING:
            with session.guarded(NAME):
                session.post("no_cuda_graph", text=record.getMessage(), compile_id=running.compile_id(session))
        return True


def listen() -> Callable[[], None]:
    owner, _ = hooks.place(NAME)
    logs = [logging.getLogger("%s.__%s" % (owner.__name__, name)) for name in _LOGS]
    ear = _Ear()
    for log in logs:
        log.addFilter(ear)

    def undo() -> None:
        for log in logs:
            log.removeFilter(ear)

    return undo
