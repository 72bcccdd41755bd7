"""torch's structured log, received inside the process (torch 2.4 and later).

torch makes the records only while its logger has a handler, and a handler of
its own that has nowhere to write takes itself off; so a handler of ours is all
it takes, and no file is written.
"""

from __future__ import annotations

import json
import logging
import warnings
from typing import Any, Callable

from . import session as sessions

# Frequent records that no report uses; not sending them is what makes it cheap.
_QUIET = frozenset(
    {
        "chromium_event",
        "describe_tensor",
        "describe_storage",
        "describe_source",
        "expression_created",
        "symbolic_shape_specialization",
        "propagate_real_tensors_provenance",
    }
)


class _Handler(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        metadata: Any = getattr(record, "metadata", None)
        if not isinstance(metadata, dict) or next(iter(metadata), None) in _QUIET:
            return
        session = sessions.current(compiling="dynamo_start" in metadata)
        if session is None:
            return
        with session.guarded("trace"):
            session.post(
                "trace",
                envelope=json.dumps(metadata, default=str),
                payload=getattr(record, "payload", None),
            )

    def handleError(self, record: logging.LogRecord) -> None:
        """Say nothing: a failure of ours is no concern of the user's log."""


def attach() -> Callable[[], None]:
    """Attach a handler; return what detaches it."""
    import torch._logging._internal as internal

    logger = internal.trace_log
    if not hasattr(internal, "trace_structured"):
        raise RuntimeError("this torch has no structured log")
    handler = _Handler()
    logger.addHandler(handler)
    # While the log is on, torch 2.6 writes a script that repeats each compilation, and
    # warns of every setting of its own that the script leaves out. The user asked for neither.
    before = list(warnings.filters)
    warnings.filterwarnings("ignore", message="Skipping serialization of ", category=UserWarning)
    ours = [f for f in warnings.filters if f not in before]

    def undo() -> None:
        logger.removeHandler(handler)
        for rule in ours:
            if rule in warnings.filters:
                warnings.filters.remove(rule)  # type: ignore[attr-defined]

    return undo
