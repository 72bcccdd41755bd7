"""Whose graph is running: a backend may compile parts of it only when it is called, for a size, say.

vLLM does. At that time torch compiles no function, and has no compile id for what it formats.
"""

from __future__ import annotations

import sys
from types import CodeType, FunctionType, MethodType
from typing import Any, Iterator, Optional

from . import hooks, ids
from . import session as sessions

_GRAPH = "__compiled_fn_"
# How many frames may lie between the code that calls a graph and the graph's own: wrappers of torch.
_WRAPPERS = 6


def compile_id(session: sessions.Session) -> Optional[str]:
    """Return the id of the compilation in progress, or that of the graph that this thread is running."""
    return ids.current() or _of_graph(session)


def _of_graph(session: sessions.Session) -> Optional[str]:
    made = {}
    for frame in session.frames:
        for code in (frame.new(), frame.final()):
            if code is not None:
                made[id(code)] = frame
    above: list[CodeType] = []
    at: Any = sys._getframe(2) if made else None
    while at is not None:
        known = made.get(id(at.f_code))
        if known is not None:
            # What Dynamo's code calls may be anything: only a graph of its own counts.
            called = above[-_WRAPPERS:]
            graphs = set(map(id, _codes_of_graphs(at.f_code, at.f_globals)))
            return known.compile_id if any(id(c) in graphs for c in called) else None
        above.append(at.f_code)
        at = at.f_back
    return None


def _codes_of_graphs(code: CodeType, globals_: dict[str, Any]) -> Iterator[CodeType]:
    """Yield the code of each graph that a function of Dynamo's calls by its name."""
    for name in code.co_names:
        if name.startswith(_GRAPH):
            graph = globals_.get(name)
            try:
                graph = hooks.get("functions behind wrappers")(graph)
            except Exception as e:
                hooks.failed("functions behind wrappers", e)
            if not isinstance(graph, (FunctionType, MethodType)):
                graph = next((vars(c)["__call__"] for c in type(graph).__mro__ if "__call__" in vars(c)), None)
            if isinstance(graph, MethodType):
                graph = graph.__func__
            if isinstance(graph, FunctionType):
                yield graph.__code__
