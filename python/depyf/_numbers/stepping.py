"""Running a captured graph operation by operation, eager and in float64 at once.

Nothing is kept longer than the graph needs it.
"""

from __future__ import annotations

import contextlib
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence

import torch
import torch.fx

from .clones import clones, flat, floating, leaves, mapped, same
from .exact import Exact
from .precise import AUTOCAST, double_module, precisely

See = Callable[[Any, List[Any], Any], None]


class Pair(torch.fx.Interpreter):  # type: ignore[misc]
    """Eager, and the float64 reference beside it.

    The reference follows eager where a value is no floating-point number: a comparison or
    an index that turns out the other way is a matter of rounding, and what follows from it too.
    """

    def __init__(self, gm: Any, precise: bool, see: Optional[See] = None) -> None:
        super().__init__(gm)
        self.precise = precise
        self.see = see
        self.gold: Dict[Any, Any] = {}
        self.lost: Optional[str] = None  # The first operation that could not be done in float64.
        self._inputs: List[Any] = []
        self._modules: Dict[int, Any] = {}
        self._golden_result: Any = None
        self._exact = Exact(gm)

    def both(self, inputs: Sequence[Any], golden: Sequence[Any]) -> Any:
        """Return what eager and the reference compute; the latter is None without one."""
        self._inputs = list(golden)
        result = self.run(*inputs)
        self.gold.clear()
        self._exact.clear()
        return result, self._golden_result

    def run_node(self, n: Any) -> Any:
        value = super().run_node(n)
        if self.precise:
            if n.op == "placeholder":
                self.gold[n] = self._inputs.pop(0)
            elif n.op == "output":
                self._golden_result = torch.fx.node.map_arg(
                    n.args[0], lambda a: self._exact.of(a, self.env.get(a), self.gold[a])
                )
            else:
                self.gold[n] = self._precisely(n, value)
            for dead in self.user_to_last_uses.get(n, []):
                self.gold.pop(dead, None)
        if self.see is not None and n.op not in ("placeholder", "output"):
            args: List[Any] = []
            torch.fx.node.map_arg((n.args, n.kwargs), lambda a: args.append(a))
            self.see(n, args, value)
        return value

    def _precisely(self, n: Any, value: Any) -> Any:
        if getattr(n.target, "__name__", "") in AUTOCAST:
            return None
        if n.op == "get_attr":
            return double_module(value, self._modules) if isinstance(value, torch.nn.Module) else _double(value)
        args = torch.fx.node.map_arg(n.args, self.gold.__getitem__)
        kwargs = torch.fx.node.map_arg(n.kwargs, self.gold.__getitem__)
        try:
            with precisely():
                if n.op == "call_module":
                    return _followed(double_module(self.fetch_attr(n.target), self._modules)(*args, **kwargs), value)
                compute = getattr(self, n.op)
                wider = self._exact.wider(n, value, compute, args, kwargs)
                own = compute(n.target, args, kwargs)
                self._exact.keep(n, value, own if wider is None else wider)
                return _followed(own, value)
        except Exception:
            self.lost = self.lost or n.name
            if args and isinstance(args[0], torch.Tensor) and value is self.env.get(n.args[0]):
                # It was done in place.
                with torch.no_grad():
                    args[0].copy_(value)
                return args[0]
            return _double(value)


def _double(value: Any) -> Any:
    return mapped(lambda v: clones([v], torch.float64)[0] if isinstance(v, torch.Tensor) else v, value)


def _followed(value: Any, eager: Any) -> Any:
    """The reference's value, with what is no floating-point number taken from eager."""

    def follow(ours: Any, theirs: Any) -> Any:
        if not isinstance(theirs, torch.Tensor):
            return theirs
        if floating(theirs) or theirs.dtype.is_complex or torch.equal(ours, theirs):
            return ours
        return theirs.clone()

    if isinstance(eager, torch.Tensor):
        return follow(value, eager)
    ours, theirs = flat(value), flat(eager)
    if not any(isinstance(t, torch.Tensor) for t in theirs):
        return eager
    spec = torch.utils._pytree.tree_structure(eager)
    return torch.utils._pytree.tree_unflatten([follow(a, b) for a, b in zip(ours, theirs)], spec)


def autocast_modes() -> List[Any]:
    """For each kind of device: whether autocast is on, and to which type."""
    devices = ["cpu", "cuda"] if torch.cuda.is_available() else ["cpu"]
    return [(d, torch.is_autocast_enabled(d), torch.get_autocast_dtype(d)) for d in devices]


@contextlib.contextmanager
def modes_kept() -> Iterator[None]:
    """A graph that fails half-way must not leave its modes behind."""
    with contextlib.ExitStack() as stack:
        stack.enter_context(torch.set_grad_enabled(torch.is_grad_enabled()))
        for device, on, kind in autocast_modes():
            stack.enter_context(torch.autocast(device, enabled=on, dtype=kind))
        yield


class Result:
    """One tensor that a graph gives back, or leaves behind."""

    def __init__(self, kind: str, name: str, value: Any) -> None:
        self.kind = kind  # "output", "gradient" (of an input) or "input" (as it is afterwards)
        self.name = name
        self.value = value


def results(
    run: Callable[..., Any],
    names: Sequence[str],
    values: Sequence[Any],
    wanted: Sequence[bool],
    tangents: Dict[int, Any],
) -> List[Result]:
    """Run something on copies of its own; list outputs, gradients and inputs that it changed."""
    try:
        return _results(run, names, values, wanted, tangents, False)
    except RuntimeError as e:
        if "leaf" not in str(e):
            raise
        return _results(run, names, values, wanted, tangents, True)


def _results(
    run: Callable[..., Any],
    names: Sequence[str],
    values: Sequence[Any],
    wanted: Sequence[bool],
    tangents: Dict[int, Any],
    own: bool,
) -> List[Result]:
    copies = clones(values)
    with modes_kept():
        used, asked = leaves(copies, wanted, own)
        outs = flat(run(*used))
    found = [Result("output", str(i), o.detach()) for i, o in enumerate(outs) if isinstance(o, torch.Tensor)]
    found += gradients(outs, names, asked, tangents)
    return found + [Result("input", names[i], used[i].detach()) for i in changed(used, values)]


def changed(used: Sequence[Any], values: Sequence[Any]) -> List[int]:
    """Which inputs have other values now. Versions do not tell: batch_norm changes its statistics without."""
    return [i for i, v in enumerate(values) if isinstance(v, torch.Tensor) and not same(used[i], v)]


def gradients(
    outs: Sequence[Any], names: Sequence[str], asked: Sequence[Any], tangents: Dict[int, Any]
) -> List[Result]:
    """The gradients of a graph's inputs, given those of its outputs."""
    pairs = [(outs[i], g) for i, g in tangents.items() if i < len(outs)]
    pairs = [(o, g) for o, g in pairs if isinstance(o, torch.Tensor) and o.requires_grad]
    inputs = [(n, a) for n, a in zip(names, asked) if a is not None]
    if not pairs or not inputs:
        return []
    with torch.autocast("cpu", enabled=False):
        got = torch.autograd.grad(
            [o for o, _ in pairs],
            [a for _, a in inputs],
            [g.to(o.dtype) for o, g in pairs],
            allow_unused=True,
        )
    return [Result("gradient", n, g.detach()) for (n, _), g in zip(inputs, got) if g is not None]


class Shaken(torch.fx.Interpreter):  # type: ignore[misc]
    """Eager with each result off by up to one rounding: how far the results move is what precision explains."""

    def __init__(self, gm: Any, seed: int) -> None:
        super().__init__(gm)
        self._generator = torch.Generator().manual_seed(seed)

    def run_node(self, n: Any) -> Any:
        args: List[Any] = []
        torch.fx.node.map_arg((n.args, n.kwargs), lambda a: args.append(self.env.get(a)))
        value = super().run_node(n)
        if n.op in ("placeholder", "output", "get_attr"):
            return value  # Inputs are given shaken. A copy of one would keep what is changed in it from its owner.
        if not isinstance(value, torch.Tensor):
            return value
        return value if self._shared(value, args) else self._shake(value)

    def _shared(self, value: Any, args: List[Any]) -> bool:
        """Whether it is a view, or changed in place: then others see it, too."""
        at = [a.untyped_storage()._cdata for a in flat(args) if _strided(a)]
        return not _strided(value) or value.untyped_storage()._cdata in at

    def _shake(self, value: Any) -> Any:
        if not value.dtype.is_floating_point:
            return value
        eps = torch.finfo(value.dtype).eps
        factor = torch.rand(value.shape, generator=self._generator).mul_(2 * eps).add_(1 - eps)
        if value.dtype in (torch.float16, torch.bfloat16):
            # The sum of one and half a rounding is one again.
            return (value.float() * factor.to(value.device)).to(value.dtype)
        return value * factor.to(value.device, value.dtype)


def _strided(v: Any) -> bool:
    return type(v) in (torch.Tensor, torch.nn.Parameter) and v.layout == torch.strided


def run_pair(
    gm: Any,
    names: Sequence[str],
    values: Sequence[Any],
    wanted: Sequence[bool],
    tangents: Dict[int, Any],
    precise: bool = True,
) -> Any:
    """Results of eager, and of the reference or None; and why there is none."""
    pair: List[Any] = [None]

    def once(own: bool) -> Any:
        pair[0] = Pair(gm, precise)
        with modes_kept():
            used, asked = leaves(clones(values), wanted, own)
            golden, golden_asked = leaves(clones(values, torch.float64), wanted, own) if precise else ([], [])
            outs, gold = pair[0].both(used, golden)
        outs, gold = flat(outs), flat(gold) if precise else []
        other = changed(used, values)
        eager = _listed(outs, names, asked, tangents, used, other)
        if not precise:
            return eager, None
        try:
            doubled = {i: g.double() if floating(g) else g for i, g in tangents.items()}
            with precisely():
                return eager, _listed(gold, names, golden_asked, doubled, golden, other)
        except Exception as e:
            pair[0].lost = pair[0].lost or type(e).__name__
            return eager, None

    try:
        eager, gold = once(False)
    except RuntimeError as e:
        if "leaf" not in str(e):
            raise
        eager, gold = once(True)
    return eager, gold, pair[0].lost


def _listed(
    outs: List[Any],
    names: Sequence[str],
    asked: Sequence[Any],
    tangents: Dict[int, Any],
    used: Sequence[Any],
    other: Sequence[int],
) -> List[Result]:
    found = [Result("output", str(i), o.detach()) for i, o in enumerate(outs) if isinstance(o, torch.Tensor)]
    found += gradients(outs, names, asked, tangents)
    return found + [Result("input", names[i], used[i].detach()) for i in other]
