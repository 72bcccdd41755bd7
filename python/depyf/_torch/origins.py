"""Which operations of a graph each kernel of Inductor's computes.

A Triton kernel says so in a comment, a C++ kernel does not; one kernel may be called for
several groups of operations; and before torch 2.9 comments name none of a backward pass.
While Inductor writes a module it defines the kernel of each group, anew or by the name of
an equal one, and comments each call of another library: that is listened to.
"""

from __future__ import annotations

import threading
from typing import Any, Callable

from . import hooks
from . import session as sessions
from .patching import attribute


class _Module(threading.local):
    """What is known of the module that Inductor is writing."""

    def __init__(self) -> None:
        self.parts: list[dict[str, Any]] = []
        self.sources: dict[str, list[str]] = {}


_module = _Module()


def patch(name: str) -> Callable[[], None]:
    """Listen to the definitions of kernels of one kind."""

    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        def define_kernel(self: Any, source: str, nodes: Any, *args: Any, **kwargs: Any) -> Any:
            kernel = original(self, source, nodes, *args, **kwargs)
            session = sessions.current()
            if session is not None:
                with session.guarded(name):
                    _note(str(kernel), nodes)
            return kernel

        return define_kernel

    return attribute(*hooks.place(name), make)


def patch_calls() -> Callable[[], None]:
    """Listen to the calls of kernels that Inductor has not written."""

    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        def codegen_comment(self: Any, *args: Any, **kwargs: Any) -> Any:
            result = original(self, *args, **kwargs)
            session = sessions.current()
            if session is not None:
                with session.guarded("calls of kernels"):
                    # fx_node is the call of a kernel that the user wrote.
                    node = getattr(self, "fx_node", None) or getattr(self, "origin_node", None)
                    _add(str(getattr(self, "python_kernel_name", None) or ""), [node] if node else self.origins)
            return result

        return codegen_comment

    return attribute(*hooks.place("calls of kernels"), make)


def _note(kernel: str, groups: Any) -> None:
    origins: list[Any] = []
    for group in groups:
        # Among the groups are marks of where a reduction begins and ends.
        for node in group.get_nodes() if hasattr(group, "get_nodes") else ():
            origins += getattr(node.node, "origins", ())
    # What is copied for a kernel of the user's counts the call of that among its origins.
    origins = [node for node in origins if not str(node.target).startswith("triton_kernel_wrapper")]
    _add(kernel, origins)


def _add(kernel: str, origins: Any) -> None:
    names: dict[str, None] = {}
    inputs: dict[str, None] = {}
    for origin in origins:
        if origin.op == "call_function":
            names[origin.name] = None
            _module.sources.setdefault(origin.name, _source(origin))
        elif origin.op == "placeholder":
            inputs[origin.name] = None
    # What computes no operation copies inputs into another layout.
    names = names or inputs
    _module.parts.append({"kernel": kernel, "nodes": list(names)})


def _source(node: Any) -> list[str]:
    """Return the operation that a node was before it was taken apart: in Dynamo's graph, and as ATen calls it."""
    first = next(iter(node.meta.get("from_node") or ()), None)
    # Up to torch 2.5 these are pairs of a name and a target.
    name = first[0] if isinstance(first, tuple) else getattr(first, "name", "")
    return [str(name), str(node.meta.get("original_aten") or "")]


def take(text: str) -> dict[str, Any]:
    """Return what has been told of the kernels in the text of a module, and begin anew."""
    parts = [p for p in _module.parts if p["kernel"] in text]
    sources = _module.sources
    _module.parts, _module.sources = [], {}
    return {"parts": parts, "sources": sources} if parts else {}
