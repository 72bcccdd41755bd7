"""torch's structured log, received inside the process (torch 2.4 and later).

torch makes the records only while its logger has a handler, and a handler of
its own that has nowhere to write takes itself off; so a handler of ours is all
it takes, and no file is written.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import re
import sys
import threading
import warnings
from typing import Any, Callable, Optional

from . import functions, guards, hooks, identities, ids
from . import session as sessions
from .compiling import code_in_progress
from .patching import divert, unseen

# Frequent records that no report uses; not sending them is what makes it cheap.
_QUIET = frozenset(
    {
        "chromium_event",
        "compilation_metrics_runtime",
        "describe_tensor",
        "describe_storage",
        "describe_source",
        "expression_created",
        "symbolic_shape_specialization",
        "propagate_real_tensors_provenance",
    }
)


# Artifacts likewise: large, and no report uses them. Of bytecode we have the code objects.
_LARGE = frozenset({"torch._functorch.config", "aot_forward_graph_fw_metadata", "aot_autograd_runtime_wrappers"})
_LISTINGS = ("_ORIGINAL_BYTECODE", "_MODIFIED_BYTECODE")

# Graphs that torch formats a second time for its log, and the stage under which
# the hook of `graphs` has them already. Formatting a graph is what costs most.
_SAME = {
    "dynamo_output_graph": "Captured_Graph",
    "aot_joint_graph": "Joint_graph",
    "aot_forward_graph": "Forward_graph",
    "aot_inference_graph": "Forward_graph",
    "aot_backward_graph": "Backward_graph",
    "inductor_post_grad_graph": "AFTER_POST_GRAD",
}

_original: Callable[..., Any]
_structured: Callable[..., Any]
_logger: logging.Logger  # Of the structured log, while we listen,
_ours: list[logging.Handler] = []  # our handler,
_alone_with: list[logging.Handler] = []  # and all its handlers when nobody else does.


class _Handler(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        _tell(getattr(record, "metadata", None), getattr(record, "payload", None))

    def handleError(self, record: logging.LogRecord) -> None:
        """Say nothing: a failure of ours is no concern of the user's log."""


def _tell(metadata: Any, payload: Any) -> None:
    """Tell the session of one record of the log."""
    if not isinstance(metadata, dict) or next(iter(metadata), None) in _QUIET:
        return
    session = sessions.current(compiling="dynamo_start" in metadata)
    if session is None:
        return
    with session.guarded("trace"):
        _tell_names(session)
        if "str" in metadata and session.names:
            return
        if "dynamo_start" in metadata:
            _tell_function(session)
        if "dynamo_cpp_guards_str" in metadata:
            identities.send(session)
        metadata, settings = _without_settings(session, metadata)
        session.post("trace", envelope=json.dumps(metadata, default=str), payload=payload, **settings)


def _debug(message: object, *_: Any, extra: Any = None, **__: Any) -> None:
    """Stand in for the logger's debug where nobody else listens: no stack to look at, no record to make."""
    if isinstance(extra, dict):
        with contextlib.suppress(Exception):
            _tell(extra.get("metadata"), extra.get("payload"))


def _tell_function(session: sessions.Session) -> None:
    code = code_in_progress()
    if code is not None:
        functions.tell(session, code, ids.current())


def _tell_names(session: sessions.Session) -> None:
    """Tell a session what numbers stand for in the log.

    torch tells each file name once in a process: to whoever listened at that time.
    """
    try:
        names: dict[str, int] = hooks.get("numbers in the log")
    except hooks.Missing:
        return
    if len(names) == session.names:
        return
    for name, number in list(names.items())[session.names :]:
        session.post("trace", envelope=json.dumps({"str": [name, number]}), payload=None)
    session.names = len(names)


def _without_settings(session: sessions.Session, metadata: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Take torch's settings out of the figures of a compilation; return those that are not known yet.

    With each compilation torch tells all its settings, 35 of 38 KB.
    """
    changed = {}
    for name in ("compilation_metrics", "bwd_compilation_metrics"):
        figures = metadata.get(name)
        if not isinstance(figures, dict):
            continue
        settings = {k: v for k, v in figures.items() if k.endswith("_config") and isinstance(v, str)}
        metadata = {**metadata, name: {k: v for k, v in figures.items() if k not in settings}}
        changed.update({k: v for k, v in settings.items() if session.settings.get(k) != v})
    session.settings.update(changed)
    return metadata, {"settings": changed} if changed else {}


def attach() -> Callable[[], None]:
    """Attach a handler; return what detaches it."""
    global _logger, _ours, _alone_with
    logger: logging.Logger = hooks.get("structured log")
    handler = _Handler()
    handler.emit = unseen(handler.emit)  # type: ignore[method-assign]
    logger.addHandler(handler)
    # Ours comes first: torch's own takes itself off the list while it is gone through, and who stands behind it misses
    # that record.
    logger.handlers.insert(0, logger.handlers.pop())
    _logger, _ours, _alone_with = logger, [handler], [handler]
    restore = _patch_structured()

    def undo() -> None:
        restore()
        logger.removeHandler(handler)

    return undo


def _patch_structured() -> Callable[[], None]:
    """Keep torch from making records that nobody will read."""
    global _original, _structured

    def trace_structured(*args: Any, **kwargs: Any) -> Any:
        # This body runs with the globals of torch's module. Dynamo looks at what it calls: what
        # needs no call comes first, which most records are.
        from depyf._torch import trace

        if args and args[0] in trace._QUIET and trace._logger.handlers == trace._alone_with:
            return
        if not trace._structured(args, kwargs):
            trace._original(*args, **kwargs)

    try:
        _structured = unseen(structured)
        _original, undo = divert(hooks.get("unread records of the log"), trace_structured)  # type: ignore[arg-type]
    except Exception as e:
        hooks.failed("unread records of the log", e)
        return lambda: None
    return undo


def structured(args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Make a record that nobody but us reads, or leave it out; return whether it was one.

    Without us it would not be made, so Dynamo sees nothing of it. One that others read it
    sees as ever.
    """
    if not _alone():
        return False
    try:
        if _unread(*args, **kwargs):
            return True
        if "payload_fn" in kwargs:
            kwargs["payload_fn"] = _brief(kwargs["payload_fn"])
    except Exception:
        pass  # The signature has changed: torch knows what to do with it.
    with _Alone():
        _original(*args, **kwargs)
    return True


def _brief(payload: Any) -> Any:
    """Have what no report shows left out of the text of a record, where making it takes long.

    Only a function that is exactly torch's is taken apart; every other makes its text itself.
    """
    code = getattr(payload, "__code__", None)
    if code is None:
        return payload
    seen = dict(zip(code.co_freevars, payload.__closure__ or ()))
    if code.co_names == ("traceback", "format_exc") and seen.keys() - {"exc_info"} == {"user_stack_trace"}:
        # Finding the lines of torch's own frames and underlining them is most of what the
        # record of a graph break costs, 3 ms for each.
        failing = seen["exc_info"].cell_contents if "exc_info" in seen else True
        stack = seen["user_stack_trace"].cell_contents
        return lambda: "%s\n%s" % (stack, _errors(sys.exc_info()[1]) if failing else "")
    if code.co_names in (("guard_manager",), ("str", "guard_manager")) and seen.keys() - {"latency"} == {"self"}:
        return lambda: _tree(payload, seen["self"].cell_contents)
    return payload


def _errors(error: Optional[BaseException]) -> str:
    """Return what traceback.format_exc(limit=0) does of an error and those behind it.

    That function asks whether notes are a sequence, and Python remembers the answer. A program that
    formats an error itself then runs a frame less than without us, which Dynamo counts.
    """
    told: list[str] = []
    while error is not None and len(told) < 40:
        kind = type(error)
        module = "" if kind.__module__ in ("builtins", "__main__") else kind.__module__ + "."
        words = str(error)
        told.append("%s%s%s\n" % (module, kind.__qualname__, words and ": " + words))
        cause = error.__cause__
        if cause is not None:
            told.append("\nThe above exception was the direct cause of the following exception:\n\n")
        elif error.__context__ is not None and not error.__suppress_context__:
            cause = error.__context__
            told.append("\nDuring handling of the above exception, another exception occurred:\n\n")
        error = cause
    return "".join(reversed(told))


def _tree(payload: Any, owner: Any) -> str:
    """Tell the checks in an event of their own, and leave the record without a text."""
    session = sessions.current()
    if session is None:
        return ""
    try:
        guards.tell_made(session, owner.guard_manager)
        return ""
    except Exception:
        return str(payload())


def _alone() -> bool:
    """Whether a record would only reach us: TORCH_TRACE is off."""
    global _alone_with
    if _logger.handlers == _alone_with:
        return True
    if not all(h in _ours or _idle(h) for h in _logger.handlers):
        return False
    _alone_with = list(_logger.handlers)
    return True


def _idle(handler: logging.Handler) -> bool:
    """Whether a handler is torch's own, which without TORCH_TRACE goes at the first record that it gets.

    Where the program has turned logging off it gets none, and stays.
    """
    return (
        type(handler).__name__ == "LazyTraceHandler"
        and getattr(handler, "root_dir", "") is None
        and getattr(handler, "stream", "") is None
        and "MAST_HPC_JOB_NAME" not in os.environ
    )


# For the log, torch 2.6 writes a script that repeats each compilation, and warns of every
# setting of its own that the script leaves out. The user asked for neither.
_SCRIPT = ("ignore", re.compile("Skipping serialization of "), UserWarning, None, 0)


class _Alone:
    """Take the records of a call straight, and give no warnings that are there only because we read the log.

    The rule is not announced (as warnings.filterwarnings does): then warnings that the
    program has seen would be given again.

    A record may make another before it is made itself: the names of the files of its stack.
    """

    lock = threading.Lock()
    entered = 0  # How often, in all threads.

    def __enter__(self) -> None:
        rules: Any = warnings.filters
        rules.insert(0, _SCRIPT)
        self.rules = rules
        with _Alone.lock:
            _Alone.entered += 1
            vars(_logger)["debug"] = _debug

    def __exit__(self, *details: object) -> None:
        with _Alone.lock:
            _Alone.entered -= 1
            if not _Alone.entered:
                vars(_logger).pop("debug", None)
        if _SCRIPT in self.rules:
            self.rules.remove(_SCRIPT)


def _unread(name: str, metadata_fn: Any = dict, **_: Any) -> bool:
    """Whether we have no use for a record."""
    if name in _QUIET:
        return True
    if name == "artifact":
        artifact = metadata_fn().get("name", "")
        return artifact in _LARGE or artifact.endswith(_LISTINGS)
    if name not in _SAME:
        return False
    session = sessions.current()
    return session is not None and (_SAME[name], ids.current()) in session.dumped
