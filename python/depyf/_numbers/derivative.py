"""Whether the backward pass of the program's own autograd functions is the derivative of their forward pass.

Eager and compiled code run the same backward pass, so no comparison of the two shows that it is wrong.
"""

from __future__ import annotations

import sys
from typing import Any, Dict, List, Optional, Set

import torch

from .clones import Random, clones, finite, flat, floating
from .watch import user_frame

_CLOSE = 1e-3


class Derivatives:
    """Within the block each autograd function is checked by differences, in float64, when it is first used."""

    def __init__(self) -> None:
        self.found: List[Dict[str, Any]] = []
        self._seen: Set[Any] = set()
        self._busy = False

    def __enter__(self) -> "Derivatives":
        owner = torch.autograd.Function
        self._before = owner.__dict__["apply"]
        before, me = self._before, self

        def apply(cls: Any, *args: Any, **kwargs: Any) -> Any:
            value = before.__get__(None, cls)(*args, **kwargs)
            me._look(cls, args, kwargs)
            return value

        owner.apply = classmethod(apply)
        return self

    def __exit__(self, *_: object) -> None:
        torch.autograd.Function.apply = self._before

    def _look(self, cls: Any, args: Any, kwargs: Any) -> None:
        if self._busy or cls in self._seen or (cls.__module__ or "").split(".")[0] == "torch":
            return
        if not torch.is_grad_enabled() or not any(floating(a) and a.requires_grad for a in args):
            return
        self._seen.add(cls)
        self._busy = True
        random = Random()
        try:
            wrong = _wrong(lambda *a: self._before.__get__(None, cls)(*a, **kwargs), args, random)
        except Exception:
            wrong = None  # It has no float64, say.
        finally:
            random.restore()
            self._busy = False
        if wrong is not None:
            operation = {"node": "", "operation": cls.__qualname__, **user_frame(sys._getframe(2))}
            self.found.append({"kind": "derivative", "pass": "backward", "operations": [operation], **wrong})


def _wrong(function: Any, args: Any, random: Random) -> Optional[Dict[str, Any]]:
    """What backward says of a direction, and what differences say, if they are not the same."""
    copies = clones([a.detach() if isinstance(a, torch.Tensor) else a for a in args], torch.float64)
    moving = [i for i, a in enumerate(args) if floating(a) and a.requires_grad]
    generator = torch.Generator().manual_seed(0)

    def normal(t: Any) -> Any:
        return torch.randn(t.shape, generator=generator, dtype=torch.float64).to(t.device)

    with torch.enable_grad():
        leaves = [c.requires_grad_() if i in moving else c for i, c in enumerate(copies)]
        outs = [o for o in flat(function(*leaves)) if floating(o) and o.requires_grad]
        if (
            not outs
            or random.drawn()
            or any(o.shape == leaves[i].shape and torch.equal(o, leaves[i]) for o in outs for i in moving)
        ):
            return None  # An identity with another backward pass is meant so: gradients are reversed or scaled.
        weights = [normal(o) for o in outs]
        got = torch.autograd.grad(outs, [leaves[i] for i in moving], weights, allow_unused=True)
    ways = [normal(leaves[i]) for i in moving]
    told = sum(float((g * w).sum()) for g, w in zip(got, ways) if g is not None)

    def along(step: float) -> float:
        with torch.no_grad():
            sums = []
            for sign in (1, -1):
                moved = [c.detach().clone() if isinstance(c, torch.Tensor) else c for c in leaves]
                for i, w in zip(moving, ways):
                    moved[i] = moved[i] + sign * step * w
                values = [o for o in flat(function(*moved)) if floating(o)]
                sums.append(sum(float((o * w).sum()) for o, w in zip(values, weights)))
            return (sums[0] - sums[1]) / (2 * step)

    measured, again = along(1e-6), along(1e-5)
    scale = max(abs(measured), abs(told), 1e-6)
    if measured == 0 or abs(measured - again) > _CLOSE / 10 * scale or abs(measured - told) <= _CLOSE * scale:
        return None  # A function of steps has no derivative to be compared with.
    if not finite(told) or not finite(measured):
        return None
    return {"told": "%.6g" % told, "measured": "%.6g" % measured}
