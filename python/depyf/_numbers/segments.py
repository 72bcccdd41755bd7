"""Cutting operations in a row out of a captured graph."""

from __future__ import annotations

from typing import Any, Dict, List, Sequence, Tuple

import torch
import torch.fx

from .clones import clones, flat, keep_gradient, leaves
from .precise import AUTOCAST
from .stepping import modes_kept


class Segment:
    """Some operations of a graph with what they take, as eager has it there."""

    def __init__(self, gm: Any, names: List[str], values: List[Any], wanted: List[bool], tangents: Dict[int, Any]):
        self.gm = gm
        self.names = names
        self.values = values
        self.wanted = wanted  # Which of them have a gradient.
        self.tangents = tangents  # By number of the output.


def operations(gm: Any) -> List[Any]:
    return [n for n in gm.graph.nodes if n.op not in ("placeholder", "output", "get_attr")]


def copied(gm: Any) -> Any:
    """A copy of a graph, and of graphs within it, that nobody else changes; parameters and buffers are shared."""
    graph = torch.fx.Graph()
    graph.output(graph.graph_copy(gm.graph, {}))
    made = torch.fx.GraphModule(gm, graph)
    for name, inner in graphs_within(made):
        setattr(made, name, copied(inner))
    return made


def graphs_within(gm: Any) -> List[Tuple[str, Any]]:
    """The graphs that operations of a graph run, by name: branches of torch.cond, what is checkpointed."""
    return [(name, m) for name, m in gm.named_children() if isinstance(m, torch.fx.GraphModule)]


def inner_calls(whole: Segment) -> List[Segment]:
    """What eager calls the graphs within with, as far as only tensors and numbers go in; without gradients."""
    found: List[Segment] = []
    gm = copied(whole.gm)
    for _, inner in graphs_within(gm):
        _let_see(inner, copied(inner), found)
    with modes_kept(), torch.no_grad():
        gm(*clones(whole.values))
    return found


def _let_see(gm: Any, plain: Any, found: List[Segment]) -> None:
    """Let a graph note what it is called with. Some operations call it, others go through its nodes."""
    inputs = [n for n in gm.graph.nodes if n.op == "placeholder"]

    def see(*args: Any) -> None:
        if len(found) < _INNER_CALLS and all(_simple(v) for v in args):
            found.append(Segment(plain, [n.name for n in inputs], clones(args), [False] * len(args), {}))

    first = next(n for n in gm.graph.nodes if n.op != "placeholder")
    with gm.graph.inserting_before(first):
        gm.graph.call_function(see, tuple(inputs))
    gm.recompile()


_INNER_CALLS = 8


class _Run(torch.fx.Interpreter):  # type: ignore[misc]
    """Eager, with a look at the values between two operations."""

    def __init__(self, gm: Any) -> None:
        super().__init__(gm)
        self.at: Dict[Any, List[Any]] = {}

    def run_node(self, n: Any) -> Any:
        for look in self.at.get(n, ()):
            look(self.env)
        value = super().run_node(n)
        return value


def boundaries(whole: Segment) -> List[int]:
    """Where the graph can be cut: numbers of operations before which only tensors and numbers are alive."""
    ops = operations(whole.gm)
    place = {n: i for i, n in enumerate(ops)}
    last = {n: max([place.get(u, len(ops)) for u in n.users], default=-1) for n in ops}
    awkward: List[Any] = []

    run = _Run(whole.gm)

    def note(env: Any, n: Any) -> None:
        if not _simple(env.get(n)):
            awkward.append(n)

    for n in ops:
        after = n.next
        run.at.setdefault(after, []).append(lambda env, n=n: note(env, n))
    run.garbage_collect_values = True
    # What dies with its only use is looked at before that use, which is its next node or later.
    with modes_kept(), torch.no_grad():
        run.run(*clones(whole.values))
    context = {n for n in awkward if getattr(n.target, "__name__", "") in AUTOCAST}
    fixed = [n for n in awkward if n not in context]
    return [i for i in range(1, len(ops)) if not any(place[n] < i <= last[n] for n in fixed)]


def _simple(v: Any) -> bool:
    return v is None or isinstance(v, (torch.Tensor, int, float, bool))


def cut(whole: Segment, first: int, last: int) -> Segment:
    """The operations first to last - 1, with the values and gradients that eager has at both ends."""
    ops = operations(whole.gm)
    if (first, last) == (0, len(ops)):
        return whole
    inside = set(ops[first:last])
    taken: List[Any] = []
    given: List[Any] = []
    for n in whole.gm.graph.nodes:
        outer = [u for u in n.users if u not in inside]
        if n in inside:
            if outer and getattr(n.target, "__name__", "") not in AUTOCAST:
                given.append(n)
        elif n.op != "get_attr" and n.op != "output" and any(u in inside for u in n.users):
            if getattr(n.target, "__name__", "") not in AUTOCAST:
                taken.append(n)
    if not given and getattr(ops[last - 1].target, "__name__", "") not in AUTOCAST:
        given = [ops[last - 1]]
    values, wanted, tangents = _at_ends(whole, ops, first, last, taken, given)
    gm = _graph(whole.gm, ops, first, last, taken, given)
    return Segment(gm, [n.name for n in taken], values, wanted, tangents)


def _at_ends(whole: Segment, ops: Sequence[Any], first: int, last: int, taken: List[Any], given: List[Any]) -> Any:
    run = _Run(whole.gm)
    values: List[Any] = []
    wanted: List[bool] = []
    tangents: Dict[int, Any] = {}

    def begin(env: Any) -> None:
        held = [env[n] for n in taken]
        values[:] = clones(held)
        wanted[:] = [isinstance(v, torch.Tensor) and v.requires_grad for v in held]

    def end(env: Any) -> None:
        # An assignment to an item gives None; in the code of a compiled graph it gives the tensor that is changed.
        given[:] = [n for n in given if env[n] is not None]
        # Outputs are counted as they come back: flat.
        tensors = flat([env[n] for n in given])
        for i, v in enumerate(tensors):
            if isinstance(v, torch.Tensor) and v.requires_grad:
                keep_gradient(v, tangents, i)

    run.at.setdefault(ops[first], []).append(begin)
    follower = ops[last] if last < len(ops) else next(n for n in whole.gm.graph.nodes if n.op == "output")
    run.at.setdefault(follower, []).append(end)
    for own in (False, True):
        try:
            with modes_kept():
                used, asked = leaves(clones(whole.values), whole.wanted, own)
                outs = flat(run.run(*used))
            _backward(outs, asked, whole.tangents)
            break
        except RuntimeError as e:
            if own or "leaf" not in str(e):
                raise
    return values, wanted, tangents


def _backward(outs: Sequence[Any], asked: Sequence[Any], tangents: Dict[int, Any]) -> None:
    pairs = [(outs[i], g) for i, g in tangents.items() if i < len(outs)]
    pairs = [(o, g) for o, g in pairs if isinstance(o, torch.Tensor) and o.requires_grad]
    if pairs:
        torch.autograd.backward([o for o, _ in pairs], [g.to(o.dtype) for o, g in pairs])


def _graph(gm: Any, ops: Sequence[Any], first: int, last: int, taken: List[Any], given: List[Any]) -> Any:
    graph = torch.fx.Graph()
    new: Dict[Any, Any] = {}
    for n in taken:
        new[n] = graph.placeholder(n.name)
    for n in gm.graph.nodes:
        if n.op == "get_attr":
            new[n] = graph.node_copy(n, new.__getitem__)
    open_contexts: List[Any] = []
    for n in ops[:first]:
        name = getattr(n.target, "__name__", "")
        if name == "_enter_autocast":
            open_contexts.append(n)
        elif name == "_exit_autocast":
            open_contexts.remove(n.args[0])
    for n in open_contexts:
        new[n] = graph.node_copy(n, new.__getitem__)
    modes = [n for n in ops[:first] if getattr(n.target, "__name__", "") == "_set_grad_enabled"]
    for n in modes[-1:]:
        graph.node_copy(n, new.__getitem__)
    for n in ops[first:last]:
        new[n] = graph.node_copy(n, new.__getitem__)
        name = getattr(n.target, "__name__", "")
        if name == "_enter_autocast":
            open_contexts.append(n)
        elif name == "_exit_autocast":
            open_contexts.remove(n.args[0])
    for n in reversed(open_contexts):
        graph.call_function(torch.amp.autocast_mode._exit_autocast, (new[n],))
    if modes or any(getattr(n.target, "__name__", "") == "_set_grad_enabled" for n in ops[first:last]):
        graph.call_function(torch._C._set_grad_enabled, (True,))
    graph.output(tuple(new[n] for n in given))
    used = {a for n in graph.nodes for a in n.all_input_nodes}
    for n in [n for n in graph.nodes if n.op == "get_attr" and n not in used]:
        graph.erase_node(n)
    for n in graph.nodes:
        # Sizes and tensors of another tracing would be believed.
        for key in ("example_value", "val", "tensor_meta", "grapharg"):
            n.meta.pop(key, None)
    graph.lint()
    return torch.fx.GraphModule(gm, graph)


def without_chance(whole: Segment, drawn: Dict[str, Any], taken: Dict[str, Any]) -> Segment:
    """The graph with the values of random operations as further inputs: compiled code draws other numbers.

    What these operations take becomes a further output, with its gradient: what leads there counts, too.
    """
    if not drawn:
        return whole
    gm = copied(whole.gm)
    names, values = list(whole.names), list(whole.values)
    wanted = list(whole.wanted)
    first = next(iter(gm.graph.nodes))
    place = next((n for n in gm.graph.nodes if n.op != "placeholder"), first)
    for n in list(gm.graph.nodes):
        if n.name not in drawn:
            continue
        in_place, value = drawn[n.name]
        with gm.graph.inserting_before(place):
            given = gm.graph.placeholder("drawn_" + n.name)
        if in_place:
            with gm.graph.inserting_before(n):
                put = gm.graph.call_method("copy_", (n.args[0], given))
                put.meta = dict(n.meta)
            n.replace_all_uses_with(put)
        else:
            n.replace_all_uses_with(given)
        gm.graph.erase_node(n)
        names.append("drawn_" + n.name)
        values.append(value)
        wanted.append(not in_place and value.dtype.is_floating_point and torch.is_grad_enabled())
    tangents = dict(whole.tangents)
    output = next(n for n in gm.graph.nodes if n.op == "output")
    outs = list(output.args[0])
    for n in gm.graph.nodes:
        if n.name in taken and n.op != "placeholder":
            if taken[n.name] is not None:
                tangents[len(outs)] = taken[n.name]
            outs.append(n)
    output.args = (tuple(outs),)
    gm.recompile()
    return Segment(gm, names, values, wanted, tangents)
