"""Watching a whole process, from the first compilation to the end."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Callable, Optional

from .._client import client
from . import capture
from . import session as sessions


def begin(folder: str, swap: bool, on_begin: Callable[[sessions.Session], object]) -> None:
    """Set the hooks. The session begins when something is compiled."""
    if _asked():
        client.begin()  # It takes some milliseconds, which setting the hooks takes, too.
    capture.install(swap)

    def opener() -> Optional[sessions.Session]:
        session = capture.open_session(folder, False, True, swap)
        if session is None:
            return None
        session.tell_trouble()
        on_begin(session)
        return session

    sessions.open_later(opener)


def _asked() -> bool:
    """Whether torch.compile has imported torch._dynamo, so that this process is about to compile something."""
    asking = getattr(getattr(sys.modules.get("torch"), "compile", None), "__code__", None)
    frame: Optional[FrameType] = sys._getframe()
    while frame is not None and frame.f_code is not asking:
        frame = frame.f_back
    return frame is not None


def explain_nothing(folder: str) -> Optional[sessions.Session]:
    """Write a dump that says why there is nothing in it."""
    sessions.open_later(None)
    session = capture.open_session(folder, False, True, False)
    if session is not None:
        capture.finish_last(session)
    return session
