"""What the Go program may ask of this process."""

from __future__ import annotations

import marshal

from ._compile import compiled

TYPE_CHECKING = False
if TYPE_CHECKING:  # The typing module takes longer to import than this package.
    from typing import Any


def serve(request: Any) -> dict[str, Any]:
    """Answer one request; whatever goes wrong becomes an error in the answer."""
    try:
        if isinstance(request, dict) and request.get("cmd") == "compile":
            return {"marshal": _compile(request)}
        return {"error": "unknown request"}
    except BaseException as e:
        if isinstance(e, (KeyboardInterrupt, SystemExit)):
            raise
        return {"error": "%s: %s" % (type(e).__name__, e)}


def _compile(request: dict[str, Any]) -> bytes:
    """Compile text, never run it; the caller compares the bytecode."""
    from ._garbage import uncollected

    with uncollected():
        code = compiled(request["source"], request.get("filename") or "<depyf>", request.get("flags") or 0)
    return marshal.dumps(code)
