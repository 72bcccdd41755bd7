"""prepare_debug() and debug()."""

from __future__ import annotations

import contextlib
import os
from types import TracebackType
from typing import TYPE_CHECKING, Iterator, Optional, Type, Union

from .._client import client, warn

if TYPE_CHECKING:
    from .patching import Patch
    from .session import Session


class prepare_debug(contextlib.ContextDecorator):
    """Dump what torch.compile does inside the block into a folder of readable files.

    Wrap the code that triggers compilation, that is, calls of compiled
    functions, not the code that applies `torch.compile`:

        with depyf.prepare_debug("./dump_src_dir"):
            main()

    The folder's index.md says what each file is and where to start. So that a
    debugger can step through it, the code that runs is the dumped code wherever it
    is proven to do the same.

    dump_src_dir: the folder, made if it does not exist.
    Blocks that are open at the same time with the same settings are one dump, whole when the last one ends.

    clean_wild_fx_code: leave out graphs that belong to no compiled function.
    log_bytecode: also dump the code objects (docs/protocol.md has their form).
    swap: False only watches: torch's own code runs, and the program cannot tell.
    """

    def __init__(
        self,
        dump_src_dir: Union[str, "os.PathLike[str]"],
        clean_wild_fx_code: bool = True,
        log_bytecode: bool = False,
        swap: bool = True,
    ) -> None:
        if not isinstance(dump_src_dir, (str, os.PathLike)):
            raise RuntimeError('prepare_debug takes the path of a folder: depyf.prepare_debug("./dump_src_dir")')
        self.dump_src_dir = os.path.abspath(os.fspath(dump_src_dir))
        self.clean_wild_fx_code = clean_wild_fx_code
        self.log_bytecode = log_bytecode
        self.swap = swap
        # One object may be entered several times, as a decorator is.
        self._entered: list[tuple[Optional[Session], list[Patch]]] = []

    def __enter__(self) -> "prepare_debug":
        client.begin()  # It takes some milliseconds, which the imports take, too.
        import torch._dynamo  # noqa: F401  The hooks need it.

        from . import capture
        from . import session as sessions

        settings = self.dump_src_dir, self.log_bytecode, self.clean_wild_fx_code, self.swap
        session = sessions.shared(*settings)
        patches: list[Patch] = []
        if session is None:
            session = capture.open_session(*settings)
            if session is not None:
                sessions.push(session)
        if session is not None:
            session.blocks += 1
            self.dump_src_dir = session.dir
            patches = capture.install(self.swap)
            session.tell_trouble()
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
        from . import capture
        from . import session as sessions

        session, patches = self._entered.pop()
        capture.uninstall(patches)
        if session is not None:
            session.blocks -= 1
            if not session.blocks:
                sessions.remove(session)
                capture.finish(session, error, block=True)


@contextlib.contextmanager
def debug() -> Iterator[None]:
    """Step through what torch.compile made, with any debugger.

    To be used after prepare_debug, around calls of the same functions: pauses
    once, so that breakpoints can be set in the dumped files, and compiles
    nothing new inside the block.
    """
    from . import freeze
    from . import session as sessions

    if sessions.active():
        raise RuntimeError("depyf.debug cannot be used inside depyf.prepare_debug; use it after it")
    if sessions.last_dir is None:
        raise RuntimeError("use depyf.debug after a depyf.prepare_debug block: it steps through the files of that dump")
    with contextlib.ExitStack() as stack:
        for context in (freeze.frozen, freeze.graphs_from_files):
            try:
                stack.enter_context(context())
            except Exception as e:
                warn("depyf.debug: %s: %s" % (type(e).__name__, e))
        announce(sessions.last_dir)
        yield


def announce(folder: str) -> None:
    """Say where the files are, and stop for a person with a debugger, if there is one."""
    from . import pause

    lines = [
        "the source of what torch.compile made is in %s" % folder,
        "start with index.md and full_code_for_*.py, and set breakpoints in the",
        "__transformed_code_* and __compiled_fn_* files, which is what runs.",
    ]
    attached = pause.client_attached()
    obstacle = pause.obstacle()
    if attached:
        # The window in which breakpoints are set is open all the time.
        lines.append("a debugger is attached: the program goes on to its next breakpoint.")
    elif obstacle:
        lines.append("%s, so the program goes on at once." % obstacle)
    else:
        lines.append("paused; continue when the breakpoints are set.")
    print("\n".join("depyf: " + line for line in lines), flush=True)
    if not attached and not obstacle:
        breakpoint()
