"""Keeping torch from compiling anything new while somebody debugs."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from typing import Any, Callable, Iterator

from . import hooks
from .patching import attribute, skip, unseen


@contextmanager
def frozen() -> Iterator[None]:
    """Run what has been compiled; run everything else as plain Python."""
    with ExitStack() as undo:
        if hooks.needed(hooks.TABLE["running what there is"]):
            undo.enter_context(hooks.get("running what there is")("eager_on_recompile"))
        else:
            undo.callback(_run_only())
        yield


def _run_only() -> Callable[[], None]:
    """Before set_stance: hand torch's own "run only" mode to whoever installs a compiler.

    A compiled function installs its compiler with set_eval_frame at every call;
    False in its place means to use what the cache has and compile nothing.
    """

    def make(original: Any) -> Any:
        def set_eval_frame(callback: Any, *args: Any, **kwargs: Any) -> Any:
            return original(False if callable(callback) else callback, *args, **kwargs)

        return set_eval_frame

    return attribute(*hooks.place("running what there was"), make)


@contextmanager
def graphs_from_files() -> Iterator[None]:
    """Let aot_eager run the dumped `forward` of a graph instead of interpreting it."""
    from . import graphs

    owner, name = hooks.place("interpreted graphs")
    runs_from_file = unseen(graphs.runs_from_file)

    def make(original: Any) -> Any:
        def boxed_run(self: Any, args_list: Any, *more: Any, **named: Any) -> Any:
            if type(self) is not owner or not runs_from_file(self.module):
                return original(self, args_list, *more, **named)
            args = tuple(args_list)
            args_list.clear()
            return self.module.forward(*args)

        skip(boxed_run.__code__)
        return boxed_run

    undo = attribute(owner, name, make)
    try:
        yield
    finally:
        undo()
