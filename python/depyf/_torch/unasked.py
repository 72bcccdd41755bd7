"""Watching a whole process, from the first compilation to the end."""

from __future__ import annotations

from typing import Callable, Optional

from . import capture, ended
from . import session as sessions


def begin(folder: str, swap: bool, on_begin: Callable[[sessions.Session], object]) -> None:
    """Set the hooks. The session begins when something is compiled."""
    capture.install(swap)

    def opener() -> Optional[sessions.Session]:
        session = capture.open_session(folder, False, True, swap)
        if session is None:
            return None
        session.tell_trouble()
        on_begin(session)
        return session

    sessions.open_later(opener)


def explain_nothing(folder: str) -> Optional[sessions.Session]:
    """Write a dump that says why there is nothing in it."""
    sessions.open_later(None)
    session = capture.open_session(folder, False, True, False)
    if session is not None:
        capture.finish(session, ended.uncaught())
    return session
