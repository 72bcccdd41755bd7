"""Beginning and ending to watch: what prepare_debug and DEPYF_DUMP share."""

from __future__ import annotations

import contextlib
import functools
import os
from typing import Optional

from .._client import RemoteError, ServiceUnavailable, client, warn
from . import (
    ended,
    exports,
    frames,
    graphs,
    guards,
    hooks,
    identities,
    ids,
    kernels,
    outcomes,
    reasons,
    tensor_checks,
    trace,
    unlogged,
)
from . import session as sessions
from .patching import Patch

PATCHES = [
    Patch("bytecode hook", frames.register),
    Patch("structured log", trace.attach),
    Patch("resets", ids.watch),
    Patch("outcome of compilations", outcomes.patch_conversion),
    *(Patch(name, functools.partial(outcomes.patch_limit, name)) for name in outcomes.LIMITS),
    Patch("log of graph breaks", reasons.listen),
    Patch("conditions that depend on data", reasons.patch_jumps),
    Patch("reasons of recompilation", reasons.patch_recompilation),
    Patch("compile times", unlogged.patch_metrics),
    Patch("symbolic sizes", unlogged.patch_symbols),
    Patch("log of guards", tensor_checks.listen),
    Patch("identities in guards", identities.patch),
    Patch("graph formatting", graphs.patch_formatting),
    Patch("Inductor's output", kernels.patch_loading),
    Patch("exported programs", exports.patch_loading),
]
# Where code runs from files as well.
SWAPPING = [Patch("recompiled graphs", graphs.patch_recompile)]


def open_session(folder: str, log_bytecode: bool, clean_wild_fx_code: bool, swap: bool) -> Optional[sessions.Session]:
    """Begin a session, or say once why there is none."""
    try:
        return sessions.Session(folder, log_bytecode, clean_wild_fx_code, swap)
    except ServiceUnavailable:
        return None  # The client has given its one warning.
    except RemoteError as e:
        warn("depyf cannot dump into %s: %s. The program goes on without it." % (folder, e))
        return None


def install(swap: bool) -> list[Patch]:
    """Set the hooks that this torch has a place for; return those that hold."""
    installed: list[Patch] = []
    for patch in PATCHES + SWAPPING * swap:
        try:
            if hooks.needed(hooks.TABLE[patch.name]):
                patch.acquire()
                installed.append(patch)
        except Exception as e:
            # acquire counts a user only when it succeeds.
            hooks.failed(patch.name, e)
    return installed


def uninstall(patches: list[Patch]) -> None:
    for patch in reversed(patches):
        with contextlib.suppress(Exception):
            patch.release()


def finish(session: sessions.Session, error: Optional[BaseException], block: bool = False) -> None:
    """Send what is known at the end only, as the error that ended it all, and have the reports written."""
    try:
        if session.alive():
            with session.guarded("end"):
                identities.send(session)
                guards.send(session)
                ended.send(session, error, block)
                session.tell_trouble()
            session.end()
            if session.lost and client.failure is None:
                # A full disk, say. When the program itself is lost, that has been said.
                warn("depyf could not finish %s: %s" % (session.dir, session.lost))
        if session.lost:
            _leave_note(session)
    except Exception as e:
        warn("depyf could not finish %s: %s" % (session.dir, e))
    finally:
        session.forget()


def finish_last(session: sessions.Session) -> None:
    """Finish a session that the end of the process finds open, or makes."""
    finish(session, ended.uncaught())


sessions.finish = finish_last


def _leave_note(session: sessions.Session) -> None:
    """When Go is gone, say in the folder itself that the dump is not whole."""
    if session.generation != client.generation:
        return
    with contextlib.suppress(OSError):
        with open(os.path.join(session.dir, "incomplete.txt"), "w", encoding="utf-8") as f:
            f.write("This dump is not complete: %s.\nThe program itself was not disturbed.\n" % session.lost)
