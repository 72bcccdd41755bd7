"""How far two results are apart, and whether precision explains it."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Sequence

import torch

from .stepping import Result

# What is below this part of the largest number is not looked at twice.
_CLOSE = {torch.float64: 1e-11, torch.float32: 2e-6, torch.float16: 2e-3, torch.bfloat16: 1.6e-2}
# Results move by this much more than shaking the inputs of operations shows.
_MARGIN = 16.0
# One is wrong if it is further from float64 than the other by more than this.
_AS_FAR = 4.0

Measure = Dict[str, Any]


def measure(kind: str, name: str, eager: Any, compiled: Any, gold: Any) -> Optional[Measure]:
    """Return what is different between two tensors, or None."""
    found: Measure = {"result": kind, "name": name, "dtype": _words(eager), "shape": list(eager.shape)}
    if compiled is None:
        return {**found, "missing": True}
    if eager.dtype != compiled.dtype:
        return {**found, "compiled_dtype": _words(compiled)}
    if eager.shape != compiled.shape:
        return {**found, "compiled_shape": list(compiled.shape)}
    if gold is not None and gold.shape != eager.shape:
        gold = None
    if eager.numel() == 0:
        return None
    if not (eager.is_floating_point() or eager.dtype.is_complex):
        return _unlike(found, eager, compiled, None if gold is None else gold.to(eager.dtype))
    a, b = _wide(eager), _wide(compiled)
    r = None if gold is None else _wide(gold)
    other = _unlike(found, _kinds(a), _kinds(b), None if r is None else _kinds(r))
    if other is not None:
        at = int((_kinds(a) != _kinds(b)).flatten().nonzero()[0])
        return {**other, **_values(a, b, r, at)}
    fine = torch.isfinite(a)
    if not bool(fine.any()):
        return None
    off = torch.where(fine, (a - b).abs(), torch.zeros_like(a))
    scale = float(torch.where(fine, a.abs(), torch.zeros_like(a)).max())
    at = int(off.flatten().argmax())
    difference = float(off.flatten()[at])
    if difference <= _CLOSE.get(eager.dtype, 1e-2) * scale:
        return None
    found.update(difference=difference, scale=scale, **_values(a, b, r, at))
    if r is not None:
        good = fine & torch.isfinite(r)
        zero = torch.zeros_like(a)
        found["eager_error"] = float(torch.where(good, (a - r).abs(), zero).max())
        found["compiled_error"] = float(torch.where(good, (b - r).abs(), zero).max())
    return found


def _unlike(found: Measure, eager: Any, compiled: Any, gold: Any) -> Optional[Measure]:
    """Count where what has no distance is not the same, and how often each is not what the reference has."""
    unequal = (eager != compiled).flatten()
    count = int(unequal.sum())
    if not count:
        return None
    counts = {"unequal": count, "of": eager.numel()}
    if gold is not None:
        counts["eager_unlike"] = int((eager != gold).sum())
        counts["compiled_unlike"] = int((compiled != gold).sum())
    return {**found, **counts, **_values(eager, compiled, gold, int(unequal.nonzero()[0]))}


def _kinds(t: Any) -> Any:
    """For each number whether it is finite, an infinity of which sign, or a NaN."""
    infinite = torch.where(torch.isinf(t), torch.sign(t), torch.zeros_like(t))
    return torch.where(torch.isnan(t), torch.full_like(t, 2), infinite)


def _values(a: Any, b: Any, r: Any, at: int) -> Dict[str, Any]:
    values = {"eager_value": _number(a, at), "compiled_value": _number(b, at), "at": _index(a, at)}
    if r is not None:
        values["reference_value"] = _number(r, at)
    return values


def _index(t: Any, at: int) -> List[int]:
    out: List[int] = []
    for size in reversed(t.shape):
        out.insert(0, at % size)
        at //= size
    return out


def _number(t: Any, at: int) -> str:
    v = t.flatten()[at].item()
    return "%.9g" % v if isinstance(v, float) else str(v)


def _words(t: Any) -> str:
    return str(t.dtype).replace("torch.", "")


def _wide(t: Any) -> Any:
    t = t.detach()
    if t.layout != torch.strided:
        t = t.to_dense()
    return t.double() if not t.dtype.is_complex else torch.view_as_real(t.to(torch.complex128))


def compare(eager: Sequence[Result], compiled: Sequence[Result], gold: Optional[Sequence[Result]]) -> List[Measure]:
    """List the results that are different."""
    theirs = {(r.kind, r.name): r.value for r in compiled}
    reference = {(r.kind, r.name): r.value for r in gold or ()}
    found = []
    for r in eager:
        key = (r.kind, r.name)
        if r.kind == "gradient" and key not in theirs and not bool(r.value.any()):
            continue  # No gradient is a gradient of zero.
        m = measure(r.kind, r.name, r.value, theirs.get(key), reference.get(key))
        if m is not None:
            found.append(m)
    mine = {(r.kind, r.name) for r in eager}
    for r in compiled:
        if (r.kind, r.name) not in mine and (r.kind != "gradient" or bool(r.value.any())):
            found.append({"result": r.kind, "name": r.name, "dtype": _words(r.value), "shape": [], "extra": True})
    return found


def unexplained(found: Sequence[Measure], eager: Sequence[Result], shaken: Sequence[Sequence[Result]]) -> List[Measure]:
    """Keep what is more than precision explains, and note how much that would be."""
    kept = []
    for m in found:
        key = (m["result"], m["name"])
        mine: Any = next((r.value for r in eager if (r.kind, r.name) == key), None)
        others = [r.value for run in shaken for r in run if (r.kind, r.name) == key and mine is not None]
        others = [o for o in others if o.shape == mine.shape]
        if "difference" in m:
            noise = max([_moved(mine, o) for o in others], default=0.0)
            eps = torch.finfo(mine.dtype).eps
            m["explained"] = _MARGIN * max(noise, eps * m["scale"] / 2)
            if m["difference"] > m["explained"] and not _both_as_far(m):
                kept.append(m)
        elif "unequal" in m:
            m["explained"] = _MARGIN * max([_others(mine, o) for o in others], default=0.0)
            if m["unequal"] > m["explained"]:
                kept.append(m)
        else:
            kept.append(m)
    return kept


def _both_as_far(m: Measure) -> bool:
    """Whether both are about equally far from float64: then it is the computation that has no such precision."""
    if "eager_error" not in m:
        return False
    less, more = sorted((m["eager_error"], m["compiled_error"]))
    return bool(more <= _AS_FAR * less)


def _moved(a: Any, b: Any) -> float:
    off = (_wide(a) - _wide(b)).abs()
    off = off[torch.isfinite(off)]
    return float(off.max()) if off.numel() else 0.0


def _others(a: Any, b: Any) -> float:
    if a.is_floating_point() or a.dtype.is_complex:
        a, b = _kinds(_wide(a)), _kinds(_wide(b))
    return float((a != b).sum())
