"""Why a graph breaks, on a torch whose structured log does not say so (before 2.6).

Those versions tell it to the logger of TORCH_LOGS=graph_breaks only, when that is on.
A filter on the logger sees the records first, and drops them unless the user has
turned the log on.
"""

from __future__ import annotations

import json
import logging
import re
from typing import Callable

from . import session as sessions

_FRAME = re.compile(r'File "(.*)", line (\d+)')


class _Filter(logging.Filter):
    def __init__(self, enabled: bool) -> None:
        super().__init__()
        self.enabled = enabled

    def filter(self, record: logging.LogRecord) -> bool:
        if not str(record.msg).startswith("Graph break"):
            return self.enabled
        session = sessions.current(compiling=True)
        if session is not None:
            with session.guarded("graph break"):
                _send(session, record)
        return self.enabled


def _send(session: sessions.Session, record: logging.LogRecord) -> None:
    """Word the record as newer versions do in their structured log."""
    # 2.2: "Graph break: REASON from user code at:\nSTACK"; in 2.4 the reason is the
    # exception, and REASON is empty.
    reason, _, stack = record.getMessage().partition(" from user code at:")
    if not stack:
        _post(session, reason)
        return
    reason = reason.replace("Graph break:", "", 1).strip()
    at = _FRAME.findall(stack)
    where = "Graph break in user code at %s:%s\n" % at[-1] if at else ""
    if not reason and record.exc_info:
        reason = str(record.exc_info[1])
    reason = reason.split("\n")[0]
    _post(session, "%sReason: %s\nUser code traceback:\n%s" % (where, reason, stack))


def _post(session: sessions.Session, text: str) -> None:
    envelope = json.dumps({"artifact": {"name": "dynamo_graph_break_reason", "encoding": "string"}})
    session.post("trace", envelope=envelope, payload=text)


def listen() -> Callable[[], None]:
    """Listen to the log of graph breaks, where there is nothing better."""
    import torch

    if tuple(int(n) for n in torch.__version__.split(".")[:2]) >= (2, 6):
        return lambda: None
    log = torch._logging.getArtifactLogger("torch._dynamo.symbolic_convert", "graph_breaks")
    level, ours = log.level, _Filter(log.isEnabledFor(logging.DEBUG))
    log.addFilter(ours)
    log.setLevel(logging.DEBUG)

    def undo() -> None:
        log.removeFilter(ours)
        if log.level == logging.DEBUG:
            log.setLevel(level)

    return undo
