"""The reference's own whole numbers, where they are results.

What follows a comparison or an index takes it from eager. Where one is a result itself, that
would judge eager by eager: there the reference's own value counts. Numbers of few bits are
computed again in 64, by other code of torch than eager's.
"""

from __future__ import annotations

import operator
from typing import Any, Callable, Dict, Optional

import torch

from .clones import NARROW, clones, flat


class Exact:
    """Own values of a graph's operations that give whole numbers, as long as nobody changes them."""

    def __init__(self, gm: Any) -> None:
        output = next(n for n in gm.graph.nodes if n.op == "output")
        self._wanted = set(output.all_input_nodes)
        self._wanted |= {n.args[0] for n in self._wanted if n.target is operator.getitem}
        self._own: Dict[Any, Any] = {}
        self._versions: Dict[Any, Any] = {}

    def clear(self) -> None:
        self._own.clear()
        self._versions.clear()

    def keep(self, n: Any, eager: Any, own: Any) -> None:
        if n not in self._wanted or not any(_whole(v) for v in flat(eager)):
            return
        if n.target is operator.getitem and n.args[0] in self._own:
            own = self._own[n.args[0]][n.args[1]]
        self._own[n] = own
        self._versions[n] = _version(eager)

    def of(self, n: Any, eager: Any, followed: Any) -> Any:
        """What the reference has for an operation: its own, unless eager's has been changed in place since."""
        if n not in self._own or self._versions[n] != _version(eager):
            return followed
        return self._own[n]

    def wider(self, n: Any, eager: Any, compute: Callable[..., Any], args: Any, kwargs: Any) -> Any:
        """The value with its whole numbers taken in 64 bits, or None where there is nothing to widen."""
        if n not in self._wanted or not _whole(eager):
            return None
        if not any(_narrow(v) for v in flat((args, kwargs))):
            return None
        try:
            # On copies: what is done in place is done to what is kept by the reference itself.
            leaves, spec = torch.utils._pytree.tree_flatten((args, kwargs))
            args, kwargs = torch.utils._pytree.tree_unflatten(clones(leaves, whole=torch.int64), spec)
            value = compute(n.target, args, kwargs)
        except Exception:
            return None
        if not isinstance(value, torch.Tensor) or value.shape != eager.shape or not _whole(value):
            return None
        return value.to(eager.dtype)


def _whole(v: Any) -> bool:
    return isinstance(v, torch.Tensor) and not v.dtype.is_floating_point and not v.dtype.is_complex


def _narrow(v: Any) -> bool:
    return isinstance(v, torch.Tensor) and v.dtype in NARROW


def _version(v: Any) -> Optional[int]:
    try:
        return int(v._version)
    except Exception:
        return None
