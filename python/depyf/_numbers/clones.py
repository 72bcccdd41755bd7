"""Copies of tensors that share memory among themselves as the originals do."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

import torch

# They have a wider type; bool and the unsigned types of more bits mean something else.
NARROW = (torch.int8, torch.uint8, torch.int16, torch.int32)


def clones(values: Sequence[Any], dtype: Any = None, whole: Any = None) -> List[Any]:
    """Copy tensors, in floating point of another type if one is given; leave the rest as it is.

    Whole numbers of few bits get another type if one is given for them.

    Views of one storage become views of one copy, with the same strides: what aliases
    or overlaps in the program does so here.
    """
    copies = _Copies()
    with torch.no_grad():
        return [copies.of(v, _kind(v, dtype, whole)) if isinstance(v, torch.Tensor) else v for v in values]


def _kind(t: Any, dtype: Any, whole: Any) -> Any:
    if dtype is not None and floating(t):
        return dtype
    return whole if whole is not None and t.dtype in NARROW else t.dtype


class _Copies:
    """Copies of storages, and of the tensors that are views of nothing."""

    def __init__(self) -> None:
        self.storages: Dict[Tuple[int, Any, Any], Any] = {}
        self.bases: Dict[Tuple[int, Any], Tuple[Any, Any]] = {}

    def of(self, t: Any, wanted: Any) -> Any:
        if not _plain(t):
            return t.detach().clone().to(wanted)
        # AOTAutograd replays a view on what it is a view of: its shape counts. A view that is not to be
        # differentiated is one of the base's copy, any other a tensor of its own in the same memory.
        base = t._base
        if base is None or t.requires_grad or base.requires_grad or base.dtype != t.dtype or not _plain(base):
            return self._base(t, wanted)
        return self._base(base, wanted).as_strided(t.size(), t.stride(), t.storage_offset())

    def _base(self, t: Any, wanted: Any) -> Any:
        if (id(t), wanted) not in self.bases:
            at = t.storage_offset(), t.size(), t.stride()
            copy = torch.empty(0, dtype=wanted, device=t.device).set_(self._storage(t, wanted), *at)
            self.bases[id(t), wanted] = t, copy  # The id stays taken.
        return self.bases[id(t), wanted][1]

    def _storage(self, t: Any, wanted: Any) -> Any:
        storage = t.untyped_storage()
        key = storage._cdata, t.dtype, wanted
        if key not in self.storages:
            whole = torch.empty(0, dtype=t.dtype, device=t.device).set_(storage)
            self.storages[key] = whole.clone().to(wanted).untyped_storage()
        return self.storages[key]


def _plain(t: Any) -> bool:
    """Whether a tensor is no more than memory and how it is laid out."""
    kind = type(t) in (torch.Tensor, torch.nn.Parameter) and t.layout == torch.strided and not t.is_quantized
    return bool(kind and not (t.is_conj() or t.is_neg() or t.device.type == "meta" or t.is_nested))


def leaves(values: Sequence[Any], wanted: Sequence[bool], own: bool = False) -> Tuple[List[Any], List[Any]]:
    """Let those wanted ask for gradients; return what to compute with, and the leaves.

    With own, what is computed with is no leaf itself and may be changed in place.
    """
    asked: List[Any] = []
    used: List[Any] = []
    for v, want in zip(values, wanted):
        if want and isinstance(v, torch.Tensor) and v.dtype.is_floating_point:
            v.requires_grad_()
            asked.append(v)
            used.append(v.clone() if own else v)
        else:
            asked.append(None)
            used.append(v)
    return used, asked


def floating(v: Any) -> bool:
    return isinstance(v, torch.Tensor) and v.dtype.is_floating_point


def finite(v: Any) -> bool:
    """Whether a value has no NaN and no infinity; what is no floating-point tensor is finite."""
    if isinstance(v, float):
        return v == v and abs(v) != float("inf")
    if not isinstance(v, torch.Tensor) or not (v.dtype.is_floating_point or v.dtype.is_complex):
        return True
    with torch.no_grad():
        return bool(torch.isfinite(v.detach()).all())


def has_nan(v: Any) -> bool:
    if isinstance(v, float):
        return v != v
    if not isinstance(v, torch.Tensor) or not (v.dtype.is_floating_point or v.dtype.is_complex):
        return False
    with torch.no_grad():
        return bool(torch.isnan(v.detach()).any())


def same(a: Any, b: Any) -> bool:
    """Whether two tensors are equal, a NaN equal to a NaN."""
    with torch.no_grad():
        if a.layout != torch.strided or a.shape != b.shape:
            return bool(a is b)
        a, b = a.detach(), b.detach()
        return torch.equal(a, b) or bool(((a == b) | ((a != a) & (b != b))).all())


def flat(value: Any) -> List[Any]:
    """The leaves of nested containers, in order."""
    return list(torch.utils._pytree.tree_leaves(value))


def mapped(function: Callable[[Any], Any], value: Any) -> Any:
    return torch.utils._pytree.tree_map(function, value)


class Random:
    """The state of the random number generators, to begin from it again."""

    def __init__(self) -> None:
        self.cpu = torch.get_rng_state()
        self.cuda: Optional[List[Any]] = None
        if torch.cuda.is_available() and torch.cuda.is_initialized():
            self.cuda = torch.cuda.get_rng_state_all()

    def restore(self) -> None:
        torch.set_rng_state(self.cpu)
        if self.cuda is not None:
            torch.cuda.set_rng_state_all(self.cuda)

    def drawn(self) -> bool:
        """Whether random numbers have been drawn since."""
        if not torch.equal(self.cpu, torch.get_rng_state()):
            return True
        if self.cuda is None:
            return False
        return any(not torch.equal(a, b) for a, b in zip(self.cuda, torch.cuda.get_rng_state_all()))


def on_gradient(t: Any, see: Callable[[Any], Any]) -> None:
    """Let see have each gradient of t, and change none. Autograd gives hooks None where nothing flows back."""

    def hook(g: Any) -> None:
        if g is not None:
            see(g.detach())

    t.register_hook(hook)


def keep_gradient(t: Any, into: Any, key: Any) -> None:
    """Let into[key] be a copy of the last gradient of t."""
    on_gradient(t, lambda g: into.__setitem__(key, g.clone()))
