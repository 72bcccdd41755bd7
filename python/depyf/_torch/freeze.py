"""Keeping torch from compiling anything new while somebody debugs."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from typing import Any, Callable, Iterator

from .patching import attribute, skip, unseen


@contextmanager
def frozen() -> Iterator[None]:
    """Run what has been compiled; run everything else as plain Python."""
    with ExitStack() as undo:
        import torch

        if hasattr(torch.compiler, "set_stance"):
            undo.enter_context(torch.compiler.set_stance("eager_on_recompile"))
        else:
            undo.callback(_run_only())
        yield


def _run_only() -> Callable[[], None]:
    """Before set_stance: hand torch's own "run only" mode to whoever installs a compiler.

    A compiled function installs its compiler with set_eval_frame at every call;
    False in its place means to use what the cache has and compile nothing.
    """
    from torch._dynamo import eval_frame

    def make(original: Any) -> Any:
        def set_eval_frame(callback: Any) -> Any:
            return original(False if callable(callback) else callback)

        return set_eval_frame

    return attribute(eval_frame, "set_eval_frame", make)


@contextmanager
def graphs_from_files() -> Iterator[None]:
    """Let aot_eager run the dumped `forward` of a graph instead of interpreting it."""
    from torch.fx import Interpreter

    from . import graphs

    runs_from_file = unseen(graphs.runs_from_file)

    def make(original: Any) -> Any:
        def boxed_run(self: Any, args_list: Any) -> Any:
            if type(self) is not Interpreter or not runs_from_file(self.module):
                return original(self, args_list)
            args = tuple(args_list)
            args_list.clear()
            return self.module.forward(*args)

        skip(boxed_run.__code__)
        return boxed_run

    undo = attribute(Interpreter, "boxed_run", make)
    try:
        yield
    finally:
        undo()
