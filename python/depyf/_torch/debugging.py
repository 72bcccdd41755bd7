"""prepare_debug() and debug()."""

from __future__ import annotations

import contextlib
import os
import sys
from types import TracebackType
from typing import Iterator, Optional, Type, Union

from .._client import RemoteError, ServiceUnavailable, client, warn
from . import frames, freeze, graphs, guards, kernels, links, pause, trace
from . import session as sessions
from .patching import Patch

_PATCHES = [
    Patch("bytecode hook", frames.register),
    Patch("structured log", trace.attach),
    Patch("graph formatting", graphs.patch_formatting),
    Patch("recompiled graphs", graphs.patch_recompile),
    Patch("Inductor's output", kernels.patch_loading),
]
# What some supported version lacks, and how its absence shows: no problem of anybody's.
_EXPECTED = {"structured log": AttributeError}

_last_dir: Optional[str] = None


class prepare_debug(contextlib.ContextDecorator):
    """Dump what torch.compile does inside the block into a folder of readable files.

    Wrap the code that triggers compilation, that is, calls of compiled
    functions, not the code that applies `torch.compile`:

        with depyf.prepare_debug("./dump_src_dir"):
            main()

    The folder's index.md says what each file is and where to start. The code
    that runs is the dumped code wherever it is proven to do the same.

    dump_src_dir: the folder, made if it does not exist.
    clean_wild_fx_code: leave out graphs that belong to no compiled function.
    log_bytecode: also dump the code objects (docs/protocol.md has their form).
    """

    def __init__(
        self,
        dump_src_dir: Union[str, "os.PathLike[str]"],
        clean_wild_fx_code: bool = True,
        log_bytecode: bool = False,
    ) -> None:
        if not isinstance(dump_src_dir, (str, os.PathLike)):
            raise RuntimeError('prepare_debug takes the path of a folder: depyf.prepare_debug("./dump_src_dir")')
        self.dump_src_dir = os.path.abspath(os.fspath(dump_src_dir))
        self.clean_wild_fx_code = clean_wild_fx_code
        self.log_bytecode = log_bytecode
        # One object may be entered several times, as a decorator is.
        self._entered: list[tuple[Optional[sessions.Session], list[Patch]]] = []

    def __enter__(self) -> "prepare_debug":
        import torch._dynamo  # noqa: F401  The hooks need it.

        session: Optional[sessions.Session] = None
        try:
            session = sessions.Session(self.dump_src_dir, self.log_bytecode, self.clean_wild_fx_code)
        except ServiceUnavailable:
            pass  # The client has given its one warning.
        except RemoteError as e:
            warn("depyf cannot dump into %s: %s. The program goes on without it." % (self.dump_src_dir, e))
        patches: list[Patch] = []
        if session is not None:
            global _last_dir
            self.dump_src_dir = _last_dir = session.dir
            sessions.push(session)
            for patch in _PATCHES:
                _install(session, patch, patches)
        self._entered.append((session, patches))
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]] = None,
        error: Optional[BaseException] = None,
        tb: Optional[TracebackType] = None,
    ) -> None:
        if not self._entered:
            return
        session, patches = self._entered.pop()
        for patch in reversed(patches):
            with contextlib.suppress(Exception):
                patch.release()
        if session is None:
            return
        sessions.remove(session)
        try:
            if session.alive():
                with session.guarded("end"):
                    links.send(session)
                    guards.send(session)
                session.end()
            if session.lost:
                _leave_note(session)
        except Exception as e:
            warn("depyf could not finish %s: %s" % (session.dir, e))
        finally:
            session.forget()


def _install(session: sessions.Session, patch: Patch, installed: list[Patch]) -> None:
    try:
        patch.acquire()
        installed.append(patch)
    except Exception as e:
        # acquire counts a user only when it succeeds.
        if not isinstance(e, _EXPECTED.get(patch.name, ())):
            session.problem("installing: " + patch.name, "%s: %s" % (type(e).__name__, e))


def _leave_note(session: sessions.Session) -> None:
    """When Go is gone, say in the folder itself that the dump is not whole."""
    if session.generation != client.generation:
        return
    with contextlib.suppress(OSError):
        with open(os.path.join(session.dir, "incomplete.txt"), "w", encoding="utf-8") as f:
            f.write("This dump is not complete: %s.\nThe program itself was not disturbed.\n" % session.lost)


@contextlib.contextmanager
def debug() -> Iterator[None]:
    """Step through what torch.compile made, with any debugger.

    To be used after prepare_debug, around calls of the same functions: pauses
    once, so that breakpoints can be set in the dumped files, and compiles
    nothing new inside the block.
    """
    if sessions.active():
        raise RuntimeError("depyf.debug cannot be used inside depyf.prepare_debug; use it after it")
    if _last_dir is None:
        raise RuntimeError("use depyf.debug after a depyf.prepare_debug block: it steps through the files of that dump")
    with contextlib.ExitStack() as stack:
        for context in (freeze.frozen, freeze.graphs_from_files):
            try:
                stack.enter_context(context())
            except Exception as e:
                warn("depyf.debug: %s: %s" % (type(e).__name__, e))
        _announce(_last_dir)
        yield


def _announce(folder: str) -> None:
    lines = [
        "depyf: the source of what torch.compile made is in %s" % folder,
        "depyf: start with index.md and full_code_for_*.py, and set breakpoints in the",
        "depyf: __transformed_code_* and __compiled_fn_* files, which is what runs.",
    ]
    if pause.client_attached():
        print("\n".join(lines), flush=True)
        return
    if not pause.can_prompt():
        print(
            "\n".join([*lines, "depyf: standard input is not interactive, so the program goes on at once."]), flush=True
        )
        return
    print("\n".join([*lines, "depyf: paused; continue when the breakpoints are set."]), flush=True)
    sys.stdout.flush()
    breakpoint()
