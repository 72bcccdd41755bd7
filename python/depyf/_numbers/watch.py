"""Which operation of a function run as it is, without a graph, first makes what is not finite."""

from __future__ import annotations

import os
import sys
from typing import Any, Dict, Optional

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from .clones import finite, flat, has_nan

_SKIPPED = (
    os.path.dirname(os.path.abspath(torch.__file__)),
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))),
)


def user_frame(frame: Any) -> Dict[str, Any]:
    """File, line, code and function of the first frame from here that is neither torch's nor ours."""
    import linecache

    while frame is not None and frame.f_code.co_filename.startswith(_SKIPPED):
        frame = frame.f_back
    if frame is None:
        return {}
    file, line = frame.f_code.co_filename, frame.f_lineno
    code = linecache.getline(file, line).strip()
    return {"file": file, "line": line, "function": frame.f_code.co_name, "code": code}


class Watch(TorchDispatchMode):  # type: ignore[misc]
    """Keeps the last operation that made a NaN, or an infinity, of finite numbers."""

    def __init__(self) -> None:
        super().__init__()
        self.found: Optional[Dict[str, Any]] = None

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        value = func(*args, **(kwargs or {}))
        if self.found is None:
            bad = [v for v in flat(value) if isinstance(v, torch.Tensor) and not finite(v)]
            if bad:
                taken = flat((args, kwargs or {}))
                if all(finite(v) for v in taken) or (has_nan(bad[0]) and not any(has_nan(v) for v in taken)):
                    if has_nan(bad[0]) or not any(isinstance(v, float) and not finite(v) for v in taken):
                        self.found = self._described(func, bad[0])
        return value

    def _described(self, func: Any, bad: Any) -> Dict[str, Any]:
        found: Dict[str, Any] = {"node": "", "operation": str(func), **user_frame(sys._getframe(2))}
        return {
            "kind": "not finite",
            "pass": "forward" if "file" in found else "backward",
            "operations": [found],
            "value": "nan" if has_nan(bad) else "inf",
            "dtype": str(bad.dtype).replace("torch.", ""),
            "takes": [],
            "reference_finite": None,
            "stage": "",
            "kernels": [],
        }
