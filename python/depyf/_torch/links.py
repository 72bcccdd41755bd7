"""Which global of the transformed code is which graph or resume function."""

from __future__ import annotations

from types import CodeType
from typing import Any, Optional

from . import resumes
from . import session as sessions


def send(session: sessions.Session, key: str, new: CodeType, called: list[tuple[str, Optional[CodeType]]]) -> None:
    """Send a `global` event for each compiled or resume function that the code of a frame refers to.

    That is now, when it has been made: torch takes its globals away when the code dies or is reset.
    """
    for name in dict.fromkeys(n for c in resumes.with_inner(new) for n in c.co_names):
        if name.startswith("__compiled_fn_"):
            _send(session, key, name, "graph", graph=name)
    for name, code in called:
        _send(session, key, name, "resume", resume_key=None if code is None else session.key_of(code))


def _send(session: sessions.Session, key: str, name: str, kind: str, **what: Any) -> None:
    fields = {"graph": None, "resume_key": None, **what}
    session.post("global", key=key, name=name, kind=kind, compile_id=None, **fields)
