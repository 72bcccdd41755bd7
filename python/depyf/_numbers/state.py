"""What a function may change, to begin from it again: tensors, modules, optimizers, random numbers."""

from __future__ import annotations

import copy
import types
from typing import Any, Dict, List, Set, Tuple

import torch

from .clones import Random, clones, same

_DEPTH = 6


class State:
    """All that can be reached from a function and its arguments."""

    def __init__(self, roots: Any) -> None:
        self.random = Random()
        self.modules: List[Any] = []
        self.tensors: List[Tuple[str, Any]] = []
        self.optimizers: List[Any] = []
        self._seen: Set[int] = set()
        self._kept: List[Any] = []  # Ids stay taken.
        self._walk("", roots, 0)
        self._attributes = [(m, _shallow(m.__dict__)) for m in self.modules]
        self._values = clones([t.detach() for _, t in self.tensors])
        self._grads = [(t.grad, t.requires_grad) for _, t in self.tensors]
        self._held = [copy.deepcopy(o.state_dict()) for o in self.optimizers]

    def _walk(self, name: str, o: Any, depth: int) -> None:
        if depth > _DEPTH or id(o) in self._seen or isinstance(o, (str, bytes, int, float, type, types.ModuleType)):
            return
        self._seen.add(id(o))
        self._kept.append(o)
        if isinstance(o, torch.Tensor):
            self.tensors.append((name, o))
        elif isinstance(o, torch.nn.Module):
            for path, m in o.named_modules():
                self._seen.add(id(m))
                self.modules.append(m)
                for k, t in [*m._parameters.items(), *m._buffers.items()]:
                    if t is not None and id(t) not in self._seen:
                        self._walk(".".join(p for p in (name, path, k) if p), t, depth + 1)
                for k, v in m.__dict__.items():
                    if k not in ("_parameters", "_buffers", "_modules"):
                        self._walk(".".join(p for p in (name, path, k) if p), v, depth + 2)
        elif isinstance(o, torch.optim.Optimizer):
            self.optimizers.append(o)
        elif isinstance(o, (list, tuple, set)) and len(o) < 10000:
            for i, v in enumerate(o):
                self._walk("%s[%d]" % (name, i) if name else "", v, depth + 1)
        elif isinstance(o, dict) and len(o) < 10000:
            for k, v in list(o.items()):
                self._walk("%s[%r]" % (name, k) if name else str(k), v, depth + 1)
        elif isinstance(o, types.MethodType):
            self._walk(name, o.__self__, depth)
            self._walk(name, o.__func__, depth)
        elif isinstance(o, types.FunctionType):
            for k, cell in zip(o.__code__.co_freevars, o.__closure__ or ()):
                try:
                    self._walk(k, cell.cell_contents, depth + 1)
                except ValueError:
                    continue
            for k in o.__code__.co_names:
                if k in o.__globals__:
                    self._walk(k, o.__globals__[k], depth + 1)
        elif hasattr(o, "__dict__") and type(o).__module__ not in ("builtins", "torch"):
            for k, v in list(vars(o).items()):
                self._walk(name + "." + k if name else k, v, depth + 1)

    def restore(self) -> None:
        """Put back what has changed since."""
        for m, before in self._attributes:
            _restored(m.__dict__, before)
        with torch.no_grad():
            for (_, t), value, (grad, asks) in zip(self.tensors, self._values, self._grads):
                if t.shape != value.shape or t.dtype != value.dtype:
                    t.data = value.clone()
                elif not same(t, value):
                    t.data.copy_(value)
                t.grad = grad
                if t.is_leaf and t.requires_grad != asks:
                    t.requires_grad_(asks)
        for o, held in zip(self.optimizers, self._held):
            o.load_state_dict(copy.deepcopy(held))
        self.random.restore()

    def clear_gradients(self) -> None:
        for _, t in self.tensors:
            if t.is_leaf:
                t.grad = None

    def changed(self) -> Dict[str, Any]:
        """The tensors that have other values now."""
        return {
            name or "tensor %d" % i: t.detach()
            for i, ((name, t), value) in enumerate(zip(self.tensors, self._values))
            if t.shape != value.shape or not same(t, value)
        }


def _shallow(values: Dict[str, Any]) -> Dict[str, Any]:
    return {k: copy.copy(v) if isinstance(v, (dict, list, set)) else v for k, v in values.items()}


def _restored(values: Dict[str, Any], before: Dict[str, Any]) -> None:
    for k in [k for k in values if k not in before]:
        del values[k]
    for k, v in before.items():
        now = values.get(k)
        if isinstance(v, dict) and isinstance(now, dict):
            if list(now.items()) != list(v.items()) if not _tensors(v) else True:
                now.clear()
                now.update(v)
        elif isinstance(v, list) and isinstance(now, list):
            now[:] = v
        elif isinstance(v, set) and isinstance(now, set):
            now.clear()
            now.update(v)
        elif now is not v:
            values[k] = v


def _tensors(v: Dict[str, Any]) -> bool:
    return any(isinstance(x, torch.Tensor) for x in v.values())
