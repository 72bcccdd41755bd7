"""Programs that torch.export makes: strictly, traced by Dynamo, or not, by running with tensors that record.

Neither leaves compiled code behind: what there is to show is the exported program itself.
"""

from __future__ import annotations

import functools
import inspect
import threading
import time
from typing import Any, Callable

from .. import _imports
from . import graphs, hooks, outcomes
from . import session as sessions
from .patching import attribute, unseen

_PLACES = ("exported programs", "programs exported for training")


class _Inside(threading.local):
    yes = False  # One of the functions calls the other.


_inside = _Inside()


def patch_loading() -> Callable[[], None]:
    """Watch torch.export, if the program uses it: torch imports that part of itself when it is asked for."""
    undo: list[Callable[[], None]] = []

    def patch(name: str) -> None:
        try:
            undo.append(attribute(*hooks.place(name), _watched))
        except Exception as e:
            hooks.failed(name, e)

    for name in _PLACES:
        if hooks.needed(hooks.TABLE[name]):
            undo.append(_imports.when_loaded(hooks.TABLE[name].module, functools.partial(patch, name)))

    def undo_all() -> None:
        for each in reversed(undo):
            each()

    return undo_all


def _watched(original: Callable[..., Any]) -> Callable[..., Any]:
    begin, tell = unseen(_begin), unseen(_tell)

    @functools.wraps(original)
    def export(mod: Any, *args: Any, **kwargs: Any) -> Any:
        if _inside.yes:
            return original(mod, *args, **kwargs)
        _inside.yes, start = True, time.perf_counter()
        fields = begin(mod, kwargs.get("strict", True))
        try:
            program = original(mod, *args, **kwargs)
        except Exception as e:
            tell(fields, time.perf_counter() - start, None, e)
            if e.__traceback__ is not None:
                e.__traceback__ = e.__traceback__.tb_next  # The user's traceback does not show this frame.
            raise
        finally:
            _inside.yes = False
        tell(fields, time.perf_counter() - start, program, None)
        return program

    return export


def _begin(mod: Any, strict: bool) -> dict[str, Any]:
    """Tell that what is recorded from now on is for an export, and of what."""
    session = sessions.current(compiling=True)
    fields: dict[str, Any] = {"name": type(mod).__qualname__, "strict": bool(strict)}
    if session is not None:
        with session.guarded("export"):
            code = getattr(inspect.unwrap(getattr(mod, "forward", mod)), "__code__", None)
            fields.update(file=getattr(code, "co_filename", None), line=getattr(code, "co_firstlineno", None))
            session.post("export", begins=True, **fields)
    return fields


def _tell(fields: dict[str, Any], seconds: float, program: Any, error: Any) -> None:
    session = sessions.current(compiling=True)
    if session is None:
        return
    with session.guarded("export"):
        made = {} if program is None else _made(session, program)
        session.post("export", seconds=seconds, **fields, **made, **outcomes.told(error))


def _made(session: sessions.Session, program: Any) -> dict[str, Any]:
    """Tell the graph of a program; return what else there is to know of it."""
    text = graphs.text_of(program.graph_module)
    session.event("graph", graph=None, stage="Exported_Program", text=text, executable=False)
    signature = program.graph_signature
    return {
        "ranges": [[str(s), str(r.lower), str(r.upper)] for s, r in program.range_constraints.items()],
        "inputs": [[s.kind.name, getattr(s.arg, "name", ""), s.target or ""] for s in signature.input_specs],
        "outputs": [[s.kind.name, getattr(s.arg, "name", ""), s.target or ""] for s in signature.output_specs],
    }
