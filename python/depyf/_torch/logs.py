"""install() and uninstall(): source text beside TORCH_LOGS="+bytecode"."""

from __future__ import annotations

import logging
from types import CodeType
from typing import Any, Optional

from .. import _code
from .._client import RemoteError, ServiceUnavailable, client
from . import hooks

_handle: Optional[Any] = None


def install() -> None:
    """Print decompiled source after each bytecode listing of torch.

    The listings are those of TORCH_LOGS="+bytecode". Nothing else changes; the
    code that torch made is what runs.
    """
    global _handle
    if _handle is None:
        _handle = hooks.get("bytecode hook")(_hook)


def uninstall() -> None:
    """Undo install()."""
    global _handle
    handle, _handle = _handle, None
    if handle is not None:
        handle.remove()


def _hook(old: CodeType, new: CodeType, *_: Any, **__: Any) -> None:
    try:
        import torch

        log = torch._logging.getArtifactLogger("torch._dynamo.convert_frame", "bytecode")
        if log.isEnabledFor(logging.DEBUG):
            _print(log, new)
    except Exception:
        return


def _print(log: logging.Logger, new: CodeType) -> None:
    packet = _code.code_packet(new, _code.Constants())
    try:
        answer = client.request({"cmd": "decompile", "code": packet, "dynamo": True, "verify": True})
    except (RemoteError, ServiceUnavailable) as e:
        log.debug("depyf could not decompile this: %s", e)
        return
    detail = answer.get("detail")
    log.debug("possible source code:")
    log.debug("%s", answer.get("source"))
    log.debug("verdict: %s%s", answer.get("verdict"), ", " + detail if detail else "")
