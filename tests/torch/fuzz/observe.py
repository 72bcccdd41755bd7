"""What can be seen of one run of a program, as plain data that two runs can be compared by.

Runs in a forked child. A function, a generator, an object become what they show; tensors their values.
"""

from __future__ import annotations

import collections
import dataclasses
import logging
import os
import re
import sys
import traceback
import types
import warnings
from typing import Any, Callable

import numpy as np
import torch

_ADDRESS = re.compile(r"0x[0-9a-f]{6,}")
_UUID = re.compile(r"(?<=_)[0-9a-f]{8}_[0-9a-f]{4}_[0-9a-f]{4}_[0-9a-f]{4}_[0-9a-f]{12}")
_TRANSFORMED = "__transformed_code_"


class Observer:
    """Records what one run of the program at path shows; folder is the dump of a watched run."""

    def __init__(self, path: str, folder: str = "") -> None:
        self.path = path
        self.folder = folder
        self.seen: "dict[str, Any]" = {"calls": [], "logging": [], "warnings": [], "tracebacks": []}
        self.module = types.ModuleType("program")

    def run(self, compile_: "Callable[..., Any]") -> None:
        """Execute the program; what it prints goes where standard output goes."""
        self._listen()
        sys.modules["program"] = self.module
        self.module.__dict__["__file__"] = self.path
        with open(self.path, encoding="utf-8") as f:
            text = f.read()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            code = compile(text, self.path, "exec", dont_inherit=True)
        try:
            exec(code, self.module.__dict__)
            self.module.__dict__["main"](compile_, self._call)
        except Exception as e:
            self.seen["calls"].append(self._raised(e))
        self.seen["globals"] = {
            k: self.plain(v)
            for k, v in sorted(self.module.__dict__.items())
            if k.isupper() and not k.startswith("_") and k != "TICKS"
        }
        self.seen["places"] = [where for kind in ("logging", "warnings") for *_, where in self.seen[kind]]
        for kind in ("logging", "warnings"):
            self.seen[kind] = [(*map(self._words, words), self._place(*where)) for *words, where in self.seen[kind]]
        self.seen.update(compilations())

    def _listen(self) -> None:
        """Note log records and warnings as they are: this runs inside compiled code, where Dynamo sees it."""
        seen = self.seen

        class Listener(logging.Handler):
            def emit(listener, record: logging.LogRecord) -> None:  # noqa: N805
                where = record.pathname, record.lineno
                seen["logging"].append((record.name, record.levelname, record.getMessage(), record.funcName, where))

        for name in ("", "torch"):  # torch's own logger hands nothing on.
            logging.getLogger(name).addHandler(Listener())
        logging.getLogger("fuzz").setLevel(logging.DEBUG)

        def show(message: Any, category: type, filename: str, lineno: int, *rest: Any) -> None:
            seen["warnings"].append((category.__name__, str(message), (filename, lineno)))

        warnings.simplefilter("always")
        warnings.showwarning = show

    def _call(self, fn: "Callable[..., Any]", /, *args: Any, **named: Any) -> None:
        """Make one call of the program's and note what it comes to, its arguments' state included."""
        try:
            value = fn(*args, **named)
            _backward(value)
            result = self.plain(value)
        except Exception as e:
            result = self._raised(e)
        self.seen["calls"].append((result, self.plain(args), self.plain(named)))

    def _raised(self, e: BaseException) -> Any:
        text = "".join(traceback.format_exception(type(e), e, e.__traceback__))
        self.seen["tracebacks"].append(_UUID.sub("UUID", self._words(text)))
        chain = []
        other: "BaseException | None" = e
        while other is not None and len(chain) < 6:
            chain.append((type(other).__name__, other.__cause__ is not None, other.__suppress_context__))
            other = other.__cause__ or other.__context__
        return ("raised", type(e).__name__, self._words(str(e)), chain, self._frames(e))

    def _frames(self, e: BaseException) -> "list[tuple[str, Any]]":
        """The traceback's frames that are the user's: name and line; no line where the dumped file has the frame."""
        out = []
        at = e.__traceback__
        while at is not None:
            where = self._place(at.tb_frame.f_code.co_filename, at.tb_lineno)
            if where[0] in ("program", "dumped"):
                out.append((at.tb_frame.f_code.co_name, where))
            at = at.tb_next
        return out

    def _place(self, filename: str, line: int) -> "tuple[str, object]":
        """A place in the program with its line; elsewhere lines are nobody's concern."""
        if filename == self.path:
            return "program", line
        if os.path.basename(filename).startswith(_TRANSFORMED):
            return "dumped", os.path.basename(filename)
        return "elsewhere", 0

    def _words(self, text: str) -> str:
        text = _ADDRESS.sub("0x", text.replace(self.path, "PROGRAM"))
        return text.replace(self.folder, "DUMP") if self.folder else text

    def plain(self, value: Any, depth: int = 0) -> Any:
        """Turn any value into data that pickles and compares."""
        if depth > 8:
            return "deep"
        if value is None or isinstance(value, (bool, int, str, bytes, torch.dtype)):
            return repr(value) if isinstance(value, torch.dtype) else value
        if isinstance(value, float):
            return ("float", repr(value))
        if isinstance(value, torch.Tensor):
            grad = self.plain(value.grad, depth + 1) if value.is_leaf and value.requires_grad else None
            shape = tuple(value.shape)
            return ("tensor", str(value.dtype), shape, value.requires_grad, value.detach().reshape(-1).tolist(), grad)
        if isinstance(value, (np.ndarray, np.generic)):
            return (type(value).__name__, str(value.dtype), value.tolist())
        if isinstance(value, (list, tuple, collections.deque)):
            return (type(value).__name__, [self.plain(v, depth + 1) for v in value])
        if isinstance(value, (set, frozenset)):
            return (type(value).__name__, sorted(repr(v) for v in value))
        if isinstance(value, dict):
            return ("dict", [(self.plain(k, depth + 1), self.plain(v, depth + 1)) for k, v in value.items()])
        if isinstance(value, types.CoroutineType):
            value.close()
            return "coroutine"
        if hasattr(type(value), "__next__"):
            return (type(value).__name__, [self.plain(v, depth + 1) for _, v in zip(range(5), value)])
        if isinstance(value, types.FunctionType):
            return self._function(value, depth)
        if isinstance(value, torch.nn.Module):
            return (type(value).__name__, self.plain(dict(value.state_dict()), depth + 1))
        if isinstance(value, (type, types.BuiltinFunctionType, types.ModuleType)):
            return getattr(value, "__qualname__", type(value).__name__)
        if isinstance(value, BaseException):
            return (type(value).__name__, self._words(str(value)))
        if dataclasses.is_dataclass(value) or type(value).__module__ == "program":
            return (type(value).__qualname__, self.plain(vars(value), depth + 1))
        return type(value).__name__

    def _function(self, fn: types.FunctionType, depth: int) -> Any:
        cells = [self._cell(c, depth) for c in fn.__closure__ or ()] if depth < 4 else []
        defaults = self.plain(fn.__defaults__, depth + 1), self.plain(fn.__kwdefaults__, depth + 1)
        return ("function", fn.__name__, fn.__qualname__, fn.__code__.co_firstlineno, cells, *defaults)

    def _cell(self, cell: Any, depth: int) -> Any:
        try:
            return self.plain(cell.cell_contents, depth + 1)
        except ValueError:
            return "empty cell"


def _backward(value: Any) -> None:
    """Run the backward pass of what a call gives; the arguments show it in their gradients."""
    if isinstance(value, torch.Tensor) and value.grad_fn is not None:
        value.sum().backward(retain_graph=True)
    elif isinstance(value, (list, tuple)):
        for v in value:
            _backward(v)


def compilations() -> "dict[str, Any]":
    """What torch has compiled in this process, by its own account."""
    from torch._dynamo.utils import counters, get_compilation_metrics

    frames = []
    for m in get_compilation_metrics():
        numbers = (m.graph_op_count, m.graph_node_count, m.graph_input_count, m.guard_count)
        reason = str(m.fail_type), _ADDRESS.sub("0x", str(m.fail_reason or "").split("\n")[0])
        frames.append((str(getattr(m, "compile_id", "")), m.co_name, m.co_firstlineno, *numbers, *reason))
    counted = {
        "frames": dict(counters["frames"]),
        "stats": {k: counters["stats"][k] for k in ("calls_captured", "unique_graphs")},
        "graph breaks": sum(counters["graph_break"].values()),
    }
    return {"compilations": frames, "counters": counted}
