"""The error that ended what is watched: it left the block, or the program did not catch it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Optional

from .. import _ending
from . import outcomes

if TYPE_CHECKING:
    from .session import Session

# How generators and programs end in order.
_IN_ORDER = (GeneratorExit, SystemExit)


def uncaught() -> Optional[BaseException]:
    """Return the error that ended the program; None at the prompt, where a session goes on after errors."""
    if hasattr(sys, "ps1") or sys.flags.interactive:
        return None
    # Python 3.12 has last_exc. Others set both as well, for debuggers, of errors that they have caught (pytest, of
    # a test that fails). The traceback of one that nobody has caught begins at the bottom of the stack.
    error = _ending.error or getattr(sys, "last_exc", None) or getattr(sys, "last_value", None)
    at = error.__traceback__ if error is not None else None
    if at is None or (error is not _ending.error and at.tb_frame.f_back is not None):
        return None
    return error


def send(session: Session, error: Optional[BaseException], block: bool) -> None:
    """Tell what has ended the block, or the program."""
    if error is None or isinstance(error, _IN_ORDER):
        return
    session.post("raised", block=block, **outcomes.told(error))
