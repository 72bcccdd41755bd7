"""Finding the first operation that differs, and the first that is not finite."""

from __future__ import annotations

import contextlib
import functools
import re
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple, cast

import torch

from .._torch import hooks
from .._torch.patching import attribute
from . import places
from .clones import Random, finite, flat, has_nan, keep_gradient, leaves, on_gradient
from .clones import clones as copies
from .measure import Measure, compare, unexplained
from .record import Counted, lookup
from .segments import Segment, boundaries, copied, cut, inner_calls, operations, without_chance
from .sharing import difference
from .stepping import Pair, Shaken, gradients, modes_kept, results, run_pair

_KERNEL = re.compile(r"\b((?:cpp|triton)_\w*fused_\w+|extern_kernels\.\w+|torch\.ops\.\w+\.\w+)\b")
_SAMPLES = 3
_STEPS = 40  # Segments that are compiled at most.


class Search:
    """Looks at one call of one graph."""

    def __init__(self, call: Segment, backend: Any, dynamic: Optional[bool], random: Random) -> None:
        self.backend = backend
        self.dynamic = dynamic
        self.steps = 0
        self.drawn: Dict[str, Any] = {}
        self.lost: Optional[str] = None
        self.explained: List[Measure] = []  # Differences of a whole graph that precision explains.
        random.restore()
        self.taken: Dict[str, Any] = {}  # What random operations take, and its gradient.
        self.types_only = False  # Whether random operations take part, of which only the types can be compared.
        self._call = call
        self.whole = without_chance(call, self._drawn(call), self.taken)
        self._cuts: Optional[List[int]] = None

    def _drawn(self, call: Segment) -> Dict[str, Any]:
        """What random operations draw: by name, whether in place, and the value."""
        before = [Random()]

        def see(n: Any, args: List[Any], value: Any) -> None:
            if before[0].drawn():
                before[0] = Random()
                for a in args:
                    v = pair.env.get(a)
                    if isinstance(v, torch.Tensor) and v.dtype.is_floating_point and v is not value:
                        self.taken.setdefault(a.name, None)
                        if v.requires_grad:
                            keep_gradient(v, self.taken, a.name)
                if isinstance(value, torch.Tensor):
                    in_place = (
                        bool(n.args) and isinstance(n.args[0], torch.fx.Node) and value is pair.env.get(n.args[0])
                    )
                    self.drawn[n.name] = (in_place, value.detach().clone())

        pair = Pair(call.gm, False, see)
        with modes_kept():
            used, asked = leaves(copies(call.values), call.wanted, True)
            outs = flat(pair.both(used, [])[0])
        if self.drawn:
            gradients(outs, call.names, asked, call.tangents)
        return self.drawn

    # What differs.

    def difference(self) -> Optional[Dict[str, Any]]:
        """The first operations whose compiled results are not eager's, or None."""
        found = self.check(self.whole)
        if not found and self.drawn:
            self.whole, self.types_only, self._cuts = self._call, True, None
            found = self.check(self.whole)
        if not found:
            return None
        count = len(operations(self.whole.gm))
        first, last, found = self._narrow(0, count, found)
        segment = cut(self.whole, first, last)
        inner = self._within(segment)
        if inner is not None:
            return inner
        ops = operations(self.whole.gm)[first:last]
        code: List[str] = []
        with contextlib.suppress(Exception):
            self.check(segment, code=code)
        return {
            "kind": "differs",
            "pass": "backward" if all(m["result"] == "gradient" for m in found) else "forward",
            "operations": [places.described(self.whole.gm, n) for n in ops],
            "measures": found[:4],
            "stage": self._stage(segment),
            "kernels": _kernels(code),
            "reference_lost": self.lost,
            "segment": segment,
        }

    def _within(self, segment: Segment) -> Optional[Dict[str, Any]]:
        """What differs in a graph that an operation runs, a branch say."""
        try:
            for call in inner_calls(segment):
                inner = Search(call, self.backend, self.dynamic, Random())
                found = inner.difference() if not inner.drawn else None
                if found is not None:
                    return found
        except Exception:
            pass  # The operation as a whole is named.
        return None

    def sharing(self) -> Optional[Dict[str, Any]]:
        """The operation whose result does not share memory as in eager, or None. It matters where somebody writes."""
        with fresh():
            found = difference(self._call, self._compiled(self._call, self.backend))
        if found is None:
            return None
        node, facts = found
        if node.op == "placeholder":
            return None
        at = operations(self._call.gm).index(node) if node.op != "get_attr" else 0
        return {
            "kind": "differs",
            "pass": "forward",
            "operations": [places.described(self._call.gm, node)],
            "measures": [facts],
            "stage": "",
            "kernels": [],
            "segment": cut(self._call, *self._around(at)),
        }

    def check(self, segment: Segment, backend: Any = None, code: Optional[List[str]] = None) -> List[Measure]:
        """What of a segment differs by more than its precision explains."""
        eager, gold, lost = run_pair(segment.gm, segment.names, segment.values, segment.wanted, segment.tangents)
        self.lost = self.lost or lost
        self.steps += 1
        with fresh():

            def once() -> Any:
                run = self._compiled(segment, backend or self.backend)
                return results(run, segment.names, segment.values, segment.wanted, segment.tangents)

            compiled = _with_code(once, code) if code is not None else once()
        found = compare(eager, compiled, gold)
        if self.types_only:
            return [m for m in found if "compiled_dtype" in m]
        if not found:
            return []
        shaken = []
        for seed in range(_SAMPLES):
            with contextlib.suppress(Exception):
                shaken.append(
                    results(
                        Shaken(segment.gm, seed).run,
                        segment.names,
                        _shaken(segment, seed),
                        segment.wanted,
                        segment.tangents,
                    )
                )
        kept = unexplained(found, eager, shaken)
        if segment is self.whole and backend is None and not kept:
            self.explained = found
        return kept

    def _compiled(self, segment: Segment, backend: Any) -> Callable[..., Any]:
        """What a backend makes of a segment: asked as Dynamo asks it, or by Dynamo where sizes vary."""
        if not self.dynamic:
            with contextlib.suppress(Exception), modes_kept():
                used, _ = leaves(copies(segment.values), segment.wanted)
                return cast("Callable[..., Any]", lookup(backend)(copied(segment.gm), used))
        counted = Counted(backend)
        run = torch.compile(copied(segment.gm), backend=counted, dynamic=self.dynamic)

        def call(*args: Any) -> Any:
            value = run(*args)
            if not counted.times:
                raise RuntimeError("torch did not compile the graph")
            return value

        return call

    def _narrow(self, first: int, last: int, found: List[Measure]) -> Tuple[int, int, List[Measure]]:
        """Halve the operations as long as one half differs by itself; the first half is asked first."""
        cuts = self._boundaries()
        while self.steps < _STEPS:
            inner = [p for p in cuts if first < p < last]
            if not inner:
                break
            middle = inner[len(inner) // 2]
            for a, b in ((first, middle), (middle, last)):
                half = self._try(a, b)
                if half:
                    first, last, found = a, b, half
                    break
            else:
                return self._shrink(first, last, found)
        return first, last, found

    def _shrink(self, first: int, last: int, found: List[Measure]) -> Tuple[int, int, List[Measure]]:
        """It takes operations of both halves: leave out what does not matter, from either end."""
        for p in [p for p in self._boundaries() if first < p < last]:
            part = self._try(p, last) if self.steps < _STEPS else None
            if not part:
                break
            first, found = p, part
        for p in reversed([p for p in self._boundaries() if first < p < last]):
            part = self._try(first, p) if self.steps < _STEPS else None
            if not part:
                break
            last, found = p, part
        return first, last, found

    def _try(self, first: int, last: int) -> List[Measure]:
        try:
            return self.check(cut(self.whole, first, last))
        except Exception:
            return []  # What cannot run by itself is no smaller example.

    def _boundaries(self) -> List[int]:
        if self._cuts is None:
            self._cuts = boundaries(self.whole)
        return self._cuts

    def _stage(self, segment: Segment) -> str:
        """Which part of torch makes the difference."""
        if (
            self.backend if isinstance(self.backend, str) else getattr(self.backend, "compiler_name", "")
        ) != "inductor":
            return "backend"
        for backend in ("aot_eager", "aot_eager_decomp_partition"):
            try:
                if self.check(segment, backend):
                    return backend
            except Exception:
                continue
        return "inductor"

    # What is not finite.

    def not_finite(self) -> Optional[Dict[str, Any]]:
        """The operation that first made a NaN or an infinity that reaches a result of the forward pass."""
        tags: Dict[Any, Dict[str, Any]] = {}
        inputs = [n for n in self.whole.gm.graph.nodes if n.op == "placeholder"]
        for n, v in zip(inputs, self.whole.values):
            if not finite(v):
                tags[n] = {"node": n, "nan": has_nan(v), "given": True}

        def see(n: Any, args: List[Any], value: Any) -> None:
            tag = _tag(n, args, value, tags, pair)
            if tag is not None:
                tags[n] = tag
            if args and value is pair.env.get(args[0]):
                if tag is not None:
                    tags[args[0]] = tag
                else:
                    tags.pop(args[0], None)

        pair = Pair(self.whole.gm, True, see)
        with modes_kept(), torch.no_grad():
            pair.both(copies(self.whole.values), copies(self.whole.values, torch.float64))
        output = next(n for n in self.whole.gm.graph.nodes if n.op == "output")
        got = [tags[n] for n in output.all_input_nodes + inputs if n in tags]
        got = [t for t in got if not t.get("meant") and not (t.get("given") and not t["nan"])]
        got.sort(key=lambda t: not t["nan"])
        if not got or got[0].get("given"):
            return None
        return self._origin(got[0], "forward")

    def _origin(self, tag: Dict[str, Any], direction: str) -> Dict[str, Any]:
        found = {
            "kind": "not finite",
            "pass": direction,
            "operations": [places.described(self.whole.gm, tag["node"])],
            "value": tag.get("value", "nan"),
            "takes": tag.get("takes", []),
            "dtype": tag.get("dtype", ""),
            "reference_finite": tag.get("reference_finite"),
            "stage": "",
            "kernels": [],
        }
        if tag.get("became") is not None:
            found["became_nan"] = places.described(self.whole.gm, tag["became"])
        at = operations(self.whole.gm).index(tag["node"])
        with contextlib.suppress(Exception):
            found["segment"] = cut(self.whole, *self._around(at))
        return found

    def _around(self, at: int) -> Tuple[int, int]:
        """The smallest segment around an operation."""
        ends = [0, *self._boundaries(), len(operations(self.whole.gm))]
        return max(p for p in ends if p <= at), min(p for p in ends if p > at)

    def not_finite_backward(self) -> Optional[Dict[str, Any]]:
        """The operation whose backward pass first made a NaN or an infinity of finite gradients."""
        whole = self.whole
        if not all(finite(g) for g in whole.tangents.values()):
            return None
        order: List[Any] = []

        def bad(n: Any, g: Any) -> None:
            if n not in order and not finite(g):
                order.append(n)

        def see(n: Any, args: List[Any], value: Any) -> None:
            for v in flat(value):
                if isinstance(v, torch.Tensor) and v.requires_grad:
                    on_gradient(v, functools.partial(bad, n))

        pair = Pair(whole.gm, False, see)
        with modes_kept():
            used, asked = leaves(copies(whole.values), whole.wanted, True)
            inputs = [n for n in whole.gm.graph.nodes if n.op == "placeholder"]
            for n, leaf in zip(inputs, asked):
                if leaf is not None:
                    on_gradient(leaf, functools.partial(bad, n))
            outs = flat(pair.both(used, [])[0])
        gradients(outs, whole.names, asked, whole.tangents)
        ops = operations(whole.gm)
        place = {n: i for i, n in enumerate(ops)}
        for v in order:
            for user in sorted((u for u in v.users if u in place), key=lambda u: -place[u]):
                tag = self._breaks_backward(user, v, place[user])
                if tag is not None:
                    return self._origin(tag, "backward")
        return None

    def _breaks_backward(self, user: Any, v: Any, at: int) -> Optional[Dict[str, Any]]:
        segment = cut(self.whole, *self._around(at))
        if not all(finite(g) for g in segment.tangents.values()):
            return None
        eager, gold, _ = run_pair(segment.gm, segment.names, segment.values, segment.wanted, segment.tangents)
        bad = [r for r in eager if r.kind == "gradient" and not finite(r.value)]
        if not bad:
            return None
        good = None
        if gold is not None:
            good = all(finite(r.value) for r in gold if r.kind == "gradient")
        value = "nan" if has_nan(bad[0].value) else "inf"
        dtype = str(bad[0].value.dtype).replace("torch.", "")
        takes = [_range(n, x) for n, x in zip(segment.names, segment.values) if isinstance(x, torch.Tensor)]
        return {
            "node": user,
            "nan": value == "nan",
            "value": value,
            "dtype": dtype,
            "takes": takes,
            "reference_finite": good,
        }


def _tag(n: Any, args: List[Any], value: Any, tags: Dict[Any, Any], pair: Any) -> Optional[Dict[str, Any]]:
    """What is to be remembered of a value: where its NaN or infinity comes from; None if it is finite."""
    bad = [v for v in flat(value) if not finite(v)]
    if not bad:
        return None
    nan = any(has_nan(v) for v in bad)
    from_inputs = [tags[a] for a in args if a in tags]
    for tag in from_inputs:
        if tag["nan"] or not nan:
            return dict(tag)
    for tag in from_inputs:
        if not tag.get("meant") and not tag.get("given"):
            # An infinity that turned into a NaN: the infinity is what went wrong.
            return {**tag, "nan": True, "became": n}
    if not nan and any(isinstance(a, float) and not finite(a) for a in flat((n.args, n.kwargs))):
        return {"node": n, "nan": False, "meant": True}
    gold = pair.gold.get(n)
    return {
        "node": n,
        "nan": nan,
        "value": "nan" if nan else "inf",
        "dtype": str(getattr(bad[0], "dtype", "float")).replace("torch.", ""),
        "takes": [_range(a.name, pair.env.get(a)) for a in args if isinstance(pair.env.get(a), torch.Tensor)],
        "reference_finite": None if gold is None else all(finite(v) for v in flat(gold)),
    }


def _range(name: str, t: Any) -> Dict[str, Any]:
    t = t.detach()
    facts = {"name": name, "dtype": str(t.dtype).replace("torch.", ""), "shape": list(t.shape)}
    if t.numel() and not t.dtype.is_complex and t.layout == torch.strided:
        facts["least"] = "%.6g" % float(t.double().min())
        facts["most"] = "%.6g" % float(t.double().max())
    return facts


def _shaken(segment: Segment, seed: int) -> List[Any]:
    """The inputs off by a rounding, in memory shared as before."""
    values = copies(segment.values)
    generator = torch.Generator().manual_seed(1000 + seed)
    seen = set()
    for v in values:
        if isinstance(v, torch.Tensor) and v.dtype.is_floating_point and v.layout == torch.strided:
            if v.untyped_storage()._cdata not in seen and v.numel() and not _overlaps(v):
                eps = torch.finfo(v.dtype).eps
                v.mul_((torch.rand(v.shape, generator=generator) * 2 * eps + (1 - eps)).to(v.device, v.dtype))
            seen.add(v.untyped_storage()._cdata)
    return values


def _overlaps(v: Any) -> bool:
    return any(s == 0 and n > 1 for n, s in zip(v.shape, v.stride()))


def _kernels(code: List[str]) -> List[str]:
    names: List[str] = []
    for text in code:
        for name in _KERNEL.findall(text):
            if name not in names and "(" not in name:
                names.append(name)
    written = [n for n in names if "fused" in n]
    return written or names


def _with_code(run: Callable[[], Any], code: List[str]) -> Any:
    """Call a compiled function and keep what Inductor writes for it."""
    try:
        owner, name = hooks.place("code of kernels")
        undo = attribute(owner, name, lambda before: staticmethod(code.append))
    except hooks.Missing:
        return run()
    try:
        return run()
    finally:
        undo()


@contextlib.contextmanager
def fresh(quiet: bool = True) -> Iterator[None]:
    """Compile anew: no cache, no limit of recompilations; if quiet, nothing of it is in a dump."""
    from .._torch import session as sessions

    with contextlib.ExitStack() as stack:
        if quiet:
            stack.enter_context(sessions.muted())
        for module, settings in (
            ("torch._inductor.config", {"fx_graph_cache": False, "fx_graph_remote_cache": False}),
            ("torch._functorch.config", {"enable_autograd_cache": False}),
            ("torch._dynamo.config", {"recompile_limit": 1000, "cache_size_limit": 1000, "suppress_errors": False}),
        ):
            import importlib

            config: Any = importlib.import_module(module)
            for name, value in settings.items():
                with contextlib.suppress(Exception):
                    if name in config._config:
                        stack.enter_context(config.patch({name: value}))
        yield
