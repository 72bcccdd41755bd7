"""The same operations in float64, as the reference that says who is wrong."""

from __future__ import annotations

import contextlib
from typing import Any, Dict, Iterator

import torch
from torch.utils._python_dispatch import TorchDispatchMode

_LOW = (torch.float32, torch.float16, torch.bfloat16)
# Where these stand in a captured graph, operations behind them run in another precision.
AUTOCAST = ("_enter_autocast", "_exit_autocast")


class Double(TorchDispatchMode):  # type: ignore[misc]
    """Whatever asks for a smaller floating-point type gets float64."""

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        name = str(func)
        kwargs = {k: _double(v) for k, v in (kwargs or {}).items()}
        if name.startswith("aten.view.dtype") and (args[0].is_floating_point() or args[1].is_floating_point):
            raise TypeError("it looks at the bits of a number")
        if name in ("aten._softmax.default", "aten._log_softmax.default") and len(args) > 2:
            args = (*args[:2], False, *args[3:])
        return func(*[_double(a) for a in args], **kwargs)


def _double(v: Any) -> Any:
    return torch.float64 if isinstance(v, torch.dtype) and v in _LOW else v


@contextlib.contextmanager
def precisely() -> Iterator[None]:
    """Compute in float64 in the block: no autocast, no smaller type."""
    before = torch.get_default_dtype()
    with contextlib.ExitStack() as stack:
        for device in ("cpu", "cuda"):
            if device == "cpu" or torch.cuda.is_available():
                stack.enter_context(torch.autocast(device, enabled=False))
        torch.set_default_dtype(torch.float64)
        try:
            with Double():
                yield
        finally:
            torch.set_default_dtype(before)


def double_module(module: Any, seen: Dict[int, Any]) -> Any:
    """A copy of a module in float64."""
    import copy

    if id(module) not in seen:
        seen[id(module)] = copy.deepcopy(module).double()
    return seen[id(module)]
