"""Which results of a graph share memory: with its inputs, with each other, with results of the call before."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

import torch

from .clones import clones, flat, leaves
from .segments import Segment
from .stepping import modes_kept

BEFORE = "a result of the call before"


def shared(run: Callable[..., Any], segment: Segment) -> List[List[str]]:
    """For each result what it shares memory with, by name; a result is named by its number."""
    outs, _ = _once(run, segment)
    again, inputs = _once(run, segment)
    before = {_memory(o) for o in outs} - {None}
    found: List[List[str]] = []
    for i, o in enumerate(again):
        at = _memory(o)
        names = [n for n, v in zip(segment.names, inputs) if at is not None and _memory(v) == at]
        names += ["output %d" % j for j, p in enumerate(again) if j < i and at is not None and _memory(p) == at]
        found.append(names + [BEFORE] * (at in before))
    return found


def _once(run: Callable[..., Any], segment: Segment) -> Tuple[List[Any], Sequence[Any]]:
    with modes_kept():
        used, _ = leaves(clones(segment.values), segment.wanted, True)
        return flat(run(*used)), used


def _memory(v: Any) -> Optional[int]:
    if not isinstance(v, torch.Tensor) or v.layout != torch.strided or not v.numel():
        return None
    try:
        return int(v.untyped_storage().data_ptr())
    except RuntimeError:
        return None  # A kind of tensor that has no memory of its own.


def difference(segment: Segment, compiled: Callable[..., Any]) -> Optional[Tuple[Any, Dict[str, Any]]]:
    """The first result that shares its memory with others than in eager: its node and the facts."""
    wanted, got = shared(segment.gm, segment), shared(compiled, segment)
    output = next(n for n in segment.gm.graph.nodes if n.op == "output")
    nodes = flat(list(output.args[0]) if isinstance(output.args[0], (list, tuple)) else [output.args[0]])
    for i, (eager, other) in enumerate(zip(wanted, got)):
        if eager != other and i < len(nodes) and isinstance(nodes[i], torch.fx.Node):
            facts = {"result": "memory", "name": "output %d" % i, "shares": eager, "compiled_shares": other}
            return nodes[i], facts
    return None
