"""`depyf run --compare` and `--find-nan`: the graphs of a program that runs as it is.

What the program computes is what its own compiled code gives; the comparison is made beside it,
on copies, and the random numbers go on as if there were none.
"""

from __future__ import annotations

import contextlib
import functools
import os
import sys
from typing import Any, Callable, Dict, List

import torch

from .._torch import hooks, ids
from .._torch import session as sessions
from . import supported
from .clones import Random, flat, has_nan, on_gradient
from .places import described
from .record import Call, Graph
from .search import Search, fresh
from .segments import operations

COMPARE, FIND_NAN = "compare", "find-nan"

_watchers: List["_Watched"] = []


def begin(mode: str) -> None:
    """Put a backend of ours around each that the program asks for from now on."""
    supported()
    place, name = hooks.place("backends asked for")
    before = getattr(place, name)

    @functools.wraps(before)
    def wrap(backend: Any, *args: Any, **kwargs: Any) -> Any:
        return before(_watch(backend, mode), *args, **kwargs)

    setattr(place, name, wrap)
    sessions.before_end.append(_finish)


def _watch(backend: Any, mode: str) -> Any:
    watched = _Watched(backend, mode)
    _watchers.append(watched)  # Dynamo does not keep what it compares with.

    @functools.wraps(backend, updated=())
    def compiler(gm: Any, inputs: Any, **options: Any) -> Any:
        return watched.compile(gm, inputs, options)

    compiler._torchdynamo_orig_backend = backend  # type: ignore[attr-defined]
    for name in ("get_compiler_config", "compiler_name"):
        if hasattr(backend, name):
            setattr(compiler, name, getattr(backend, name))
    return compiler


class _Watched:
    """A backend of the program, and the calls of its graphs that wait for their gradients."""

    def __init__(self, backend: Any, mode: str) -> None:
        self.backend = backend
        self.mode = mode
        self.waiting: List[Call] = []
        self.graphs = 0
        self.found = 0

    def compile(self, gm: Any, inputs: Any, options: Dict[str, Any]) -> Any:
        graph = None
        if not sessions.is_muted():
            with contextlib.suppress(Exception):
                graph = Graph(gm, ids.current())
                self.graphs += 1
        compiled = self.backend(gm, inputs, **options)
        return compiled if graph is None else self._around(graph, compiled)

    def _around(self, graph: Graph, compiled: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any) -> Any:
            kept = None
            if not self._enough(graph):
                with contextlib.suppress(Exception):
                    kept = Call(graph, list(args), graph.calls + 1)
            graph.calls += 1
            value = compiled(*args)
            if kept is not None:
                try:
                    self._called(kept, list(args), flat(value))
                except Exception as e:
                    _complain(e)
            return value

        return call

    def _enough(self, graph: Graph) -> bool:
        """Whether more calls of a graph need not be looked at."""
        return graph.calls > 0 if self.mode == COMPARE else self.found > 0

    def _called(self, call: Call, args: List[Any], outs: List[Any]) -> None:
        going_back = [(i, o) for i, o in enumerate(outs) if isinstance(o, torch.Tensor) and o.requires_grad]
        if self.mode == FIND_NAN and any(has_nan(o) for o in outs):
            self._look(call)
            return
        if not going_back:
            if self.mode == COMPARE:
                self._look(call)
            return
        begun: List[bool] = []

        def gradient(i: int, g: Any) -> None:
            call.tangents[i] = g.clone()
            if not begun:
                begun.append(True)
                torch.autograd.Variable._execution_engine.queue_callback(lambda: self._went_back(call, args))

        for i, o in going_back:
            on_gradient(o, functools.partial(gradient, i))
        self.waiting.append(call)
        # Calls whose gradients nobody asks for are not kept.
        del self.waiting[:-64]

    def _went_back(self, call: Call, args: List[Any]) -> None:
        if call not in self.waiting:
            return
        self.waiting.remove(call)
        try:
            self._look(call)
        except Exception as e:
            _complain(e)

    def finish(self) -> None:
        waiting, self.waiting = self.waiting, []
        for call in waiting:
            if self.mode == COMPARE:
                try:
                    self._look(call)
                except Exception as e:
                    _complain(e)

    def _look(self, call: Call) -> None:
        if self.mode == FIND_NAN and self.found:
            return
        session = sessions.current()
        random = Random()
        try:
            with fresh(), torch.enable_grad(), call.surroundings():
                varies = True if any(isinstance(v, int) for v in call.values) else None
                search = Search(call.segment(), self.backend, varies, call.random)
                found = [search.not_finite()]
                if found[0] is None and call.tangents:
                    found = [search.not_finite_backward()]
                if self.mode == COMPARE:
                    # A program may mean its infinities; where the two do not agree on them is news.
                    found.append(search.difference())
        finally:
            random.restore()
        findings = [f for f in found if f is not None]
        if findings:
            self.found += len(findings)
            _tell(session, self.backend, call, findings)


def _tell(session: Any, backend: Any, call: Call, findings: List[Dict[str, Any]]) -> None:
    from .._client import client

    for found in findings:
        found.pop("segment", None)
        found.update(compile_id=call.graph.compile_id, call=call.number)
    # torch's own bookkeeping, as for autocast, has no line.
    places = (described(call.graph.gm, n) for n in operations(call.graph.gm))
    facts = {
        "function": next((p["function"] for p in places if p.get("function")), "a graph"),
        "backend": str(getattr(backend, "compiler_name", None) or getattr(backend, "__name__", "") or backend),
        "graphs": 1,
        "findings": findings,
    }
    if session is not None:
        session.post("wrong", **facts)
    text = client.request({"cmd": "wrong", "facts": facts})["text"]
    print("depyf: " + text.split("\n", 1)[0], file=sys.stderr)


def _complain(error: Exception) -> None:
    session = sessions.current()
    if session is not None:
        session.problem(
            "wrong numbers", "a call of a graph could not be compared: %s: %s" % (type(error).__name__, error)
        )


def _finish() -> None:
    """At the end of the process: look at what nobody asked gradients of, and say so if nothing is wrong."""
    for watched in _watchers:
        watched.finish()
    graphs = sum(w.graphs for w in _watchers)
    session = sessions.current()
    if graphs and session is not None and not any(w.found for w in _watchers) and _watchers[0].mode == COMPARE:
        name = os.path.basename(sys.argv[0]) if getattr(sys, "argv", None) else "the program"
        session.post("wrong", function=name, backend="", graphs=graphs, findings=[])
