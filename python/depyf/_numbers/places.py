"""What an operation of a graph is called, and which line of the program it is from."""

from __future__ import annotations

import linecache
import os
import re
from typing import Any, Dict, List

import torch

_FRAME = re.compile(r'File "(.*)", line (\d+), in (.*)')
_TORCH = os.path.dirname(os.path.abspath(torch.__file__)) + os.sep


def place(n: Any) -> Dict[str, Any]:
    """File, line, code and function of the innermost frame outside of torch."""
    found: List[Any] = _FRAME.findall(n.meta.get("stack_trace") or "")
    outside = [f for f in found if not os.path.abspath(f[0]).startswith(_TORCH)] or found
    if not outside:
        return {}
    file, line, function = outside[-1]
    return {"file": file, "line": int(line), "function": function, "code": linecache.getline(file, int(line)).strip()}


def operation(gm: Any, n: Any) -> str:
    """The operation as a person calls it: torch.tanh, Tensor.add_, Linear."""
    if n.op == "call_method":
        return "Tensor.%s" % n.target
    if n.op == "call_module":
        return type(gm.get_submodule(n.target)).__name__
    if isinstance(n.target, str):
        return n.target
    name = getattr(n.target, "__name__", str(n.target))
    module = getattr(n.target, "__module__", "") or ""
    if isinstance(n.target, torch._ops.OpOverload):
        return str(n.target)
    if module in ("_operator", "operator"):
        return "operator." + name
    if module.startswith("torch._VF") or module == "torch" or module.startswith("torch._C"):
        return "torch." + name.lstrip("_") if module != "torch._C._nn" else "torch.nn.functional." + name
    return "%s.%s" % (module, name) if module else name


def described(gm: Any, n: Any) -> Dict[str, Any]:
    return {"node": n.name, "operation": operation(gm, n), **place(n)}
