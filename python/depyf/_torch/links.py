"""Which global of the transformed code is which graph or resume function."""

from __future__ import annotations

from typing import Optional

from . import resumes
from . import session as sessions


def send(session: sessions.Session) -> None:
    """Send a `global` event for each compiled or resume function a frame refers to."""
    for frame in session.frames:
        with session.guarded("globals of " + frame.old.co_name):
            names = dict.fromkeys(n for c in resumes.with_inner(frame.new) for n in c.co_names)
            for name in names:
                if name.startswith("__compiled_fn_"):
                    _send(session, frame.key, name, "graph", None)
            for name, code in frame.resumes:
                key = None if code is None else session.known_key(code)
                if key is not None or name in names:
                    _send(session, frame.key, name, "resume", key)


def _send(session: sessions.Session, key: str, name: str, kind: str, resume_key: Optional[str]) -> None:
    graph = name if kind == "graph" else None
    session.post("global", key=key, name=name, kind=kind, graph=graph, resume_key=resume_key, compile_id=None)
