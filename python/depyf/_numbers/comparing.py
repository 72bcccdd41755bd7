"""depyf.compare: one function, eager and compiled, from the same state."""

from __future__ import annotations

import contextlib
from typing import Any, Callable, Dict, List, Optional, Tuple, Union

import torch

from . import supported
from .answer import Comparison
from .clones import clones, finite, flat, floating
from .derivative import Derivatives
from .measure import compare as differences
from .record import Call, Recorder
from .search import Search, fresh
from .state import State
from .stepping import Result, changed
from .watch import Watch

Backward = Union[bool, Callable[[Any], Any]]


def compare(
    fn: Any,
    *inputs: Any,
    backward: Backward = True,
    backend: Any = "inductor",
    dynamic: Optional[bool] = None,
    **kwargs: Any,
) -> Comparison:
    """Run a function eager and compiled, and name the first operation whose numbers go wrong.

    The same random numbers, parameters, buffers, modes and copies of the inputs are used for
    each run, and what the function changes is put back at the end. A float64 reference says who is wrong.

    backward: also compare gradients; or a function of the result that makes the loss of it.
    backend, dynamic: as of torch.compile.

    RuntimeError is raised if torch is older than 2.6.
    """
    supported()
    fn = _original(fn)
    inputs_of = _Inputs(fn, inputs, kwargs)
    facts: Dict[str, Any] = {
        "function": _name(fn),
        "mode": "compare",
        "backend": _name(backend),
        "findings": [],
        "notes": [],
    }
    with contextlib.ExitStack() as closing:
        closing.callback(inputs_of.state.restore)
        with Derivatives() as derivatives:
            eager = inputs_of.run(fn, backward)
        facts["findings"] += derivatives.found
        recorder = Recorder(backend)
        closing.callback(recorder.done)
        with fresh(quiet=False):
            compiled_fn = torch.compile(fn, backend=recorder, dynamic=dynamic)
            try:
                compiled = inputs_of.run(compiled_fn, backward)
            except Exception as e:
                words = "%s: %s" % (type(e).__name__, str(e).strip().splitlines()[0] if str(e).strip() else "")
                facts["findings"].append({"kind": "raises", "pass": "forward", "operations": [], "error": words})
                return Comparison(facts)
        facts["notes"] += recorder.troubles
        facts["graphs"] = len(recorder.graphs)
        facts["left_out"] = recorder.left_out
        _judge(facts, recorder, eager, compiled, dynamic)
        if facts["not_finite"] and not any(f["kind"] == "not finite" for f in facts["findings"]):
            found = inputs_of.watched(fn, backward)
            if found is not None:
                facts["findings"].append(found)
    return Comparison(facts)


def _judge(facts: Dict[str, Any], recorder: Recorder, eager: Any, compiled: Any, dynamic: Optional[bool]) -> None:
    apart = differences(eager, compiled, None)
    bad = not all(finite(r.value) for r in eager)
    facts["apart"] = apart[:4]
    facts["not_finite"] = bad
    if not apart and not bad:
        return
    random: List[str] = []
    searches: List[Tuple[Call, Search]] = []
    for call in recorder.calls:
        try:
            varies = True if any(isinstance(v, int) for v in call.values) else dynamic
            with fresh(), call.surroundings():
                search = Search(call.segment(), recorder.backend, varies, call.random)
                searches.append((call, search))
                random += [n for n in search.drawn if n not in random]
                found = search.not_finite() if bad else search.difference()
        except Exception as e:
            facts["notes"].append(
                "a call of graph %s could not be compared: %s: %s" % (call.graph.compile_id, type(e).__name__, e)
            )
            continue
        if found is not None:
            _add(facts, call, found)
            break
    if bad and not any(f["kind"] == "not finite" for f in facts["findings"]):
        for call, search in reversed(searches):
            with fresh(), call.surroundings():
                found = search.not_finite_backward()
            if found is not None:
                _add(facts, call, found)
                break
    if bad and apart:
        for call, search in searches:
            try:
                with fresh(), call.surroundings():
                    found = search.difference()
            except Exception as e:
                facts["notes"].append("a graph could not be compared: %s: %s" % (type(e).__name__, e))
                continue
            if found is not None:
                _add(facts, call, found)
                break
    facts["random"] = random
    facts["explained"] = [m for _, search in searches for m in search.explained][:4]
    if apart and not facts["findings"] and not random and not facts["explained"]:
        # No graph gives other numbers. One may give back memory that somebody else writes to.
        for call, search in searches:
            with contextlib.suppress(Exception), fresh(), call.surroundings():
                found = search.sharing()
                if found is not None:
                    _add(facts, call, found)
                    break


def _add(facts: Dict[str, Any], call: Call, found: Dict[str, Any]) -> None:
    found.update(compile_id=call.graph.compile_id, call=call.number)
    facts["findings"].append(found)


class _Inputs:
    """The function's arguments and what it can reach, as they were."""

    def __init__(self, fn: Any, inputs: Any, kwargs: Any) -> None:
        # Only what the arguments hold besides tensors is walked: tensors are copied for each run.
        self.given = (inputs, kwargs)
        self.leaves = flat(self.given)
        self.spec = torch.utils._pytree.tree_structure(self.given)
        self.state = State([fn, [v for v in self.leaves if not isinstance(v, torch.Tensor)]])
        self.values = clones(self.leaves)
        self.asks = [isinstance(v, torch.Tensor) and v.requires_grad for v in self.leaves]

    def fresh(self) -> List[Any]:
        self.state.restore()
        self.state.clear_gradients()
        values = clones(self.values)
        for v, ask in zip(values, self.asks):
            if ask:
                v.requires_grad_()
        return values

    def run(self, fn: Any, backward: Backward) -> List[Result]:
        """Outputs, gradients, and what was changed."""
        values = self.fresh()
        args, kwargs = torch.utils._pytree.tree_unflatten(values, self.spec)
        out = fn(*args, **kwargs)
        outs = [o for o in flat(out) if isinstance(o, torch.Tensor)]
        found = [Result("output", str(i), o.detach()) for i, o in enumerate(outs)]
        if backward:
            _go_back(out, outs, backward)
            found = [Result(r.kind, r.name, clones([r.value])[0]) for r in found]
            for i, v in enumerate(values):
                if isinstance(v, torch.Tensor) and v.grad is not None:
                    found.append(Result("gradient", "argument %d" % i, v.grad.detach()))
        found += [Result("input", "argument %d" % i, values[i].detach()) for i in changed(values, self.values)]
        for name, t in self.state.tensors:
            if t.is_leaf and t.grad is not None:
                found.append(Result("gradient", name, t.grad.detach().clone()))
        found += [Result("input", n, t.clone()) for n, t in self.state.changed().items()]
        return found

    def watched(self, fn: Any, backward: Backward) -> Optional[Dict[str, Any]]:
        values = self.fresh()
        args, kwargs = torch.utils._pytree.tree_unflatten(values, self.spec)
        with Watch() as watch:
            out = fn(*args, **kwargs)
            if backward:
                _go_back(out, [o for o in flat(out) if isinstance(o, torch.Tensor)], backward)
        found: Optional[Dict[str, Any]] = watch.found
        return found


def _go_back(out: Any, outs: List[Any], backward: Backward) -> None:
    if callable(backward):
        backward(out).backward()
        return
    asked = [o for o in outs if o.requires_grad and floating(o)]
    if not asked:
        return
    if len(asked) == 1 and asked[0].numel() == 1:
        asked[0].sum().backward()
        return
    # Sums would hide what a softmax or a normalisation gets wrong.
    generator = torch.Generator().manual_seed(0)
    given = [torch.randn(o.shape, generator=generator).to(o.device, o.dtype) for o in asked]
    torch.autograd.backward(asked, given)


def _original(fn: Any) -> Any:
    """The function or module that torch.compile was given."""
    while True:
        inner = getattr(fn, "_orig_mod", None) or getattr(fn, "_torchdynamo_orig_callable", None)
        if inner is None:
            return fn
        fn = inner


def _name(o: Any) -> str:
    if isinstance(o, str):
        return o
    return getattr(o, "__qualname__", None) or type(o).__qualname__
