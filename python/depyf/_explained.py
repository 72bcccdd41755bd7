"""What depyf.explain gives back, and how it is found out."""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
import weakref
from types import TracebackType
from typing import Any, Callable, Iterable, Optional, Type

from . import _cells
from ._client import RemoteError, ServiceUnavailable, client
from ._torch import session as sessions
from ._torch.debugging import prepare_debug

# Writing and answering for a large model takes longer than other requests.
_LIMIT = 300


class Explanation:
    """What torch.compile made of a function, or of what ran in a block.

    A notebook shows it; print() it elsewhere. docs/notebook.md describes it.
    """

    result: Any = None  # What the function gave back; a list of it for several calls.
    raised: Optional[str] = None  # The type and text of what it, or the block, has raised.
    folder: str  # The dump.

    def __init__(self, folder: Any = None) -> None:
        if folder is None:
            made = tempfile.mkdtemp(prefix="depyf-explain-")
            self.folder = os.path.join(made, "dump")
            # Also when the interpreter ends.
            weakref.finalize(self, _remove, made, os.getpid())
        else:
            self.folder = os.path.abspath(os.fspath(folder))
        self._called = False
        self._watch: Optional[prepare_debug] = None
        self._answer: Optional[dict[str, Any]] = None
        self._trouble = "depyf.explain() watches a block: with depyf.explain() as answer: ..."

    def __enter__(self) -> "Explanation":
        if self._watch is not None:
            raise RuntimeError("an answer of depyf.explain() is for one block")
        self._trouble = "The block has not ended: its answer comes at the end."
        self._last_dir = sessions.last_dir
        self._watch = prepare_debug(self.folder, swap=False)
        self._watch.__enter__()
        self.folder = self._watch.dump_src_dir
        session = self._watch._entered[-1][0]
        if session is not None:
            with session.guarded("cells"):
                session.post("cells", cells=_cells.texts())
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]] = None,
        error: Optional[BaseException] = None,
        tb: Optional[TracebackType] = None,
    ) -> None:
        assert self._watch is not None
        self._watch.__exit__(kind, error, tb)
        # Nothing of this dump runs: depyf.debug() is about the one before.
        sessions.last_dir = self._last_dir
        if error is not None:
            text = str(error).strip()
            self.raised = "%s: %s" % (type(error).__name__, text.splitlines()[0]) if text else type(error).__name__
        self._ask()
        if isinstance(error, Exception):
            sys.modules["depyf.explain"].last = self  # type: ignore[attr-defined]
            try:
                _cells.show(self)
            except Exception:
                return  # What was raised is what matters.

    def _ask(self) -> None:
        try:
            self._answer = client.request(
                {"cmd": "answers", "dir": self.folder, "raised": self.raised, "called": self._called}, timeout=_LIMIT
            )
        except (RemoteError, ServiceUnavailable) as e:
            self._trouble = "There is no answer: %s." % e

    def __str__(self) -> str:
        if self._answer is None:
            return self._trouble
        return str(self._answer["text"]).rstrip("\n")

    __repr__ = __str__

    def _repr_html_(self) -> Optional[str]:
        """The answer as a notebook shows it, with the whole page folded away below."""
        return None if self._answer is None else str(self._answer["html"])

    def json(self) -> dict[str, Any]:
        """The answer as docs/json.md describes it."""
        if self._answer is None:
            raise RuntimeError(self._trouble)
        loaded: dict[str, Any] = json.loads(self._answer["json"])
        return loaded


def _remove(folder: str, pid: int) -> None:
    """Remove a folder, but not when a forked process ends that has a copy of the answer."""
    if os.getpid() == pid:
        shutil.rmtree(folder, ignore_errors=True)


def call(
    answer: Explanation,
    fn: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    calls: Optional[Iterable[tuple[Any, ...]]],
    how: dict[str, Any],
) -> None:
    """Compile a function, unless it is compiled, and call it while depyf watches."""
    import torch

    if not callable(fn):
        raise TypeError("depyf.explain takes a function and its arguments, not a %s" % type(fn).__name__)
    if calls is not None:
        if args:
            raise TypeError("give either arguments or calls=[(x,), (y,)]")
        calls = list(calls)
        for each in calls:
            if not isinstance(each, tuple):
                raise TypeError(
                    "each of calls is a tuple of arguments: calls=[(x,), (y,)], not %s" % type(each).__name__
                )
    if is_compiled(fn):
        if how:
            raise TypeError("the function is compiled already: %s cannot be changed" % ", ".join(sorted(how)))
    else:
        # As torch._dynamo.explain does: else what has been compiled is used again, and there is nothing to see.
        torch.compiler.reset()
        fn = torch.compile(fn, **how)
    answer._called = True
    with answer:
        if calls is None:
            answer.result = fn(*args, **kwargs)
        else:
            answer.result = []
            for each in calls:
                answer.result.append(fn(*each, **kwargs))


def is_compiled(fn: Any) -> bool:
    """Whether a function or module is what torch.compile, or Module.compile, has made."""
    return any(
        getattr(fn, name, None) is not None
        for name in ("_torchdynamo_orig_callable", "_orig_mod", "_compiled_call_impl")
    )
