"""A backend around the user's: it remembers with what each graph was called."""

from __future__ import annotations

import contextlib
from typing import Any, Dict, Iterator, List

import torch

from .._torch import hooks
from .clones import Random, clones, flat, keep_gradient
from .segments import Segment, copied
from .stepping import autocast_modes

# Calls of one graph, and of all: later ones are counted only.
CALLS, ALL_CALLS = 8, 200


# Dynamo compares a backend with those of its cache by address, and does not keep them.
_asked: List[Any] = []


class Call:
    """One call of a graph."""

    def __init__(self, graph: "Graph", values: List[Any], number: int) -> None:
        self.graph = graph
        self.number = number
        self.random = Random()
        self.gradients = torch.is_grad_enabled()
        self.autocast = autocast_modes()
        self.wanted = [
            self.gradients and isinstance(v, torch.Tensor) and v.requires_grad and v.dtype.is_floating_point
            for v in values
        ]
        self.values = clones(values)
        self.tangents: Dict[int, Any] = {}

    @contextlib.contextmanager
    def surroundings(self) -> Iterator[None]:
        """The modes in which the graph was called."""
        with contextlib.ExitStack() as stack:
            for device, on, kind in self.autocast:
                stack.enter_context(torch.autocast(device, enabled=on, dtype=kind))
            stack.enter_context(torch.set_grad_enabled(self.gradients))
            yield

    def segment(self) -> Segment:
        # Dynamo leaves code alone that was made while it compiled, as the first copy was.
        gm = copied(self.graph.gm)
        names = [n.name for n in gm.graph.nodes if n.op == "placeholder"]
        return Segment(gm, names, self.values, self.wanted, dict(self.tangents))


class Graph:
    """One graph that Dynamo captured."""

    def __init__(self, gm: Any, compile_id: Any) -> None:
        self.gm = copied(gm)
        self.compile_id = compile_id
        self.calls = 0


class Recorder:
    """Compiles as another backend does, and keeps calls."""

    def __init__(self, backend: Any) -> None:
        _asked.append(self)
        self.backend = backend
        self.graphs: List[Graph] = []
        self.calls: List[Call] = []
        self.left_out = 0
        self.closed = False
        self.troubles: List[str] = []

    def __call__(self, gm: Any, inputs: Any, **options: Any) -> Any:
        graph = None
        if self.closed:
            return lookup(self.backend)(gm, inputs, **options)
        try:
            from .._torch import ids

            graph = Graph(gm, ids.current())
            self.graphs.append(graph)
        except Exception as e:
            self.troubles.append("a graph could not be copied: %s: %s" % (type(e).__name__, e))
        compiled = lookup(self.backend)(gm, inputs, **options)
        return compiled if graph is None else self._around(graph, compiled)

    def done(self) -> None:
        """Keep no more calls, and let go of those that there are."""
        self.closed = True
        self.calls, self.graphs = [], []

    def _around(self, graph: Graph, compiled: Any) -> Any:
        def call(*args: Any) -> Any:
            kept = None if self.closed else self._keep(graph, list(args))
            outs = compiled(*args)
            if kept is not None:
                for i, o in enumerate(flat(outs)):
                    if isinstance(o, torch.Tensor) and o.requires_grad:
                        keep_gradient(o, kept.tangents, i)
            return outs

        return call

    def _keep(self, graph: Graph, args: List[Any]) -> Any:
        graph.calls += 1
        if graph.calls > CALLS or len(self.calls) >= ALL_CALLS:
            self.left_out += 1
            return None
        try:
            call = Call(graph, args, graph.calls)
        except Exception as e:
            self.troubles.append("a call could not be kept: %s: %s" % (type(e).__name__, e))
            return None
        self.calls.append(call)
        return call


class Counted:
    """A backend, and how often it was asked."""

    def __init__(self, backend: Any) -> None:
        _asked.append(self)
        self.backend = backend
        self.times = 0

    def __call__(self, gm: Any, inputs: Any, **options: Any) -> Any:
        self.times += 1
        return lookup(self.backend)(gm, inputs, **options)


def lookup(backend: Any) -> Any:
    if not isinstance(backend, str):
        return backend
    return hooks.get("backends by name")(backend)
