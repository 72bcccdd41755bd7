"""How compilations end that leave no code: the call raised, or the function runs as ordinary Python from then on.

torch's log tells the errors, but not whether the caller gets to see them, and of a function at the
limit of recompilations not even its name. So the two callables that torch's frame evaluation calls are watched.
"""

from __future__ import annotations

import inspect
import os
import threading
from types import CodeType
from typing import Any, Callable, Dict, List, Optional, Tuple

from . import hooks, ids
from . import session as sessions
from .compiling import code_in_progress
from .patching import attribute


class _Attempt:
    """One frame that torch was asked to compile."""

    def __init__(self, frame: Any) -> None:
        self.frame = frame
        self.compile_id: Optional[str] = None
        self.error: Optional[BaseException] = None
        self.limit: Optional[Tuple[str, Any]] = None


class _Attempts(threading.local):
    def __init__(self) -> None:
        self.list: List[_Attempt] = []


_attempts = _Attempts()


def patch_conversion() -> Callable[[], None]:
    """Watch what becomes of each frame. Before torch 2.3 these are closures that cannot be reached."""
    undo: List[Callable[[], None]] = []
    places = [hooks.place(name) for name in ("errors of compilations", "outcome of compilations")]
    for owner, name in places:
        if "skip" not in inspect.signature(getattr(owner, name)).parameters:
            raise RuntimeError("%s no longer counts the frames above it" % owner.__name__)
    for owner, name in places:
        undo.append(attribute(owner, name, _watched))

    def undo_all() -> None:
        for each in reversed(undo):
            each()

    return undo_all


def _watched(original: Callable[..., Any]) -> Callable[..., Any]:
    def __call__(self: Any, frame: Any, *args: Any, **kwargs: Any) -> Any:
        if len(args) < 4:
            kwargs["skip"] = kwargs.get("skip", 0) + 1  # torch leaves out of its stacks what it adds to them itself.
        attempt, outer = _enter(frame)
        try:
            result = original(self, frame, *args, **kwargs)
        except Exception as e:
            _leave(attempt, outer, e, None)
            if e.__traceback__ is not None:
                e.__traceback__ = e.__traceback__.tb_next  # The user's traceback does not show this frame.
            raise
        _leave(attempt, outer, None, result)
        return result

    return __call__


def _enter(frame: Any) -> Tuple[_Attempt, bool]:
    known = _attempts.list
    if known and known[-1].frame is frame:
        return known[-1], False
    known.append(_Attempt(frame))
    return known[-1], True


def _leave(attempt: _Attempt, outer: bool, error: Optional[Exception], result: Any) -> None:
    if error is not None:
        attempt.error = error
    if not outer:
        return
    _attempts.list.remove(attempt)
    try:
        _tell(attempt, error is not None, result)
    finally:
        # The error's traceback leads to frames that hold the attempt. As a circle they, and the tensors of a
        # compilation that has failed, would outlive it until Python collects garbage, in the middle of another:
        # with compiled autograd, torch 2.6 then takes the tensors of the one for those of the other.
        attempt.frame = attempt.error = None


def _tell(attempt: _Attempt, raised: bool, result: Any) -> None:
    if attempt.error is None and attempt.limit is None or attempt.compile_id is None:
        return
    session = sessions.current(compiling=True)
    if session is not None:
        with session.guarded("outcome"):
            _send(session, attempt.frame.f_code, attempt, raised, _then(result))


def _then(result: Any) -> str:
    """What torch does with later calls: "run_only" the versions there are, or "skip" the function."""
    strategy = getattr(result, "frame_exec_strategy", None)
    if strategy is not None:  # From torch 2.7 on.
        return str(getattr(strategy.cur_action, "name", strategy.cur_action)).lower()
    if result is None or "Skip" in type(result).__name__:
        return "skip"
    return "run_only" if "CacheLimitHit" in type(result).__name__ else ""


def _send(session: sessions.Session, code: CodeType, attempt: _Attempt, raised: bool, then: str) -> None:
    e = attempt.error
    limit, value = attempt.limit or (None, None)
    session.post(
        "outcome",
        compile_id=attempt.compile_id,
        func=code.co_name,
        file=code.co_filename,
        line=code.co_firstlineno,
        raised=raised,
        **told(e),
        limit=limit,
        limit_value=value,
        then=then,
    )


def told(error: Optional[BaseException]) -> Dict[str, Any]:
    """Return what events tell of an error."""
    if error is None:
        return {"error_type": None, "error": None, "error_stack": []}
    return {"error_type": type(error).__qualname__, "error": str(error), "error_stack": _stack(error)}


def _stack(error: Optional[BaseException]) -> List[dict]:  # type: ignore[type-arg]
    """Return where the error comes from: the frames that are not torch's, outermost first."""
    import torch

    ours = (os.path.dirname(torch.__file__) + os.sep, os.path.dirname(os.path.dirname(__file__)) + os.sep, "<")
    found: List[dict] = []  # type: ignore[type-arg]
    for _ in range(20):
        if error is None:
            break
        at = error.__traceback__
        here = []
        while at is not None:
            name = at.tb_frame.f_code.co_filename
            if not name.startswith(ours):
                here.append({"filename": name, "line": at.tb_lineno, "name": at.tb_frame.f_code.co_name})
            at = at.tb_next
        found = here[-20:] or found
        error = getattr(error, "inner_exception", None) or error.__cause__
    return found


# Two names of one function.
LIMITS = ("limit of recompilations", "limit of the cache")


def patch_limit(name: str) -> Callable[[], None]:
    """Watch torch ask, at the beginning of each compilation, whether the function has had enough of them."""

    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        def exceeds_limit(*args: Any, **kwargs: Any) -> Any:
            answer = original(*args, **kwargs)
            try:
                _note(answer)
            except Exception as e:
                session = sessions.current()
                if session is not None:
                    session.problem("limit of recompilations", "%s: %s" % (type(e).__name__, e))
            return answer

        return exceeds_limit

    return attribute(*hooks.place(name), make)


def _note(answer: Any) -> None:
    exceeded, kind = answer if isinstance(answer, tuple) else (answer, "cache_size_limit")
    code = code_in_progress()
    attempt = _attempts.list[-1] if _attempts.list else None
    known = attempt is not None and attempt.frame.f_code is code
    if attempt is None or not known:
        attempt = _Attempt(None)
    attempt.compile_id = ids.current()
    if not exceeded:
        return
    from torch._dynamo import config

    attempt.limit = (str(kind), getattr(config, kind, None))
    if known or code is None:
        return
    session = sessions.current(compiling=True)
    if session is not None:
        # Where nothing tells more: this torch leaves such a function alone from then on.
        _send(session, code, attempt, False, "skip")
