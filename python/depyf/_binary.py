"""Where the Go program is."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:  # The typing module takes longer to import than this package.
    from typing import Optional

NAME = "depyf.exe" if os.name == "nt" else "depyf"


def find() -> Optional[str]:
    """Return the path of the program, or None.

    DEPYF_BINARY comes first, for developers; then the file installed inside
    this package; then PATH, for `go install`. A console script of this very
    package is also called depyf, so a file on PATH counts only if it is no script.
    """
    chosen = os.environ.get("DEPYF_BINARY")
    if chosen:
        return chosen if os.path.isfile(chosen) else None
    inside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", NAME)
    if os.path.isfile(inside):
        return inside
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        path = os.path.join(folder, NAME)
        if folder and os.access(path, os.X_OK) and os.path.isfile(path) and not _is_script(path):
            return path
    return None


def _is_script(path: str) -> bool:
    try:
        with open(path, "rb") as f:
            head = f.read(2)
    except OSError:
        return True
    # Console scripts on Windows are small launchers beside the interpreter.
    beside = os.path.dirname(os.path.abspath(path)) == os.path.dirname(sys.executable)
    return head == b"#!" or (os.name == "nt" and beside)


def missing() -> str:
    """Say what to do about a missing program."""
    chosen = os.environ.get("DEPYF_BINARY")
    if chosen:
        return "DEPYF_BINARY names %r, which is no file" % chosen
    return (
        "the depyf program is neither in the package nor on PATH; "
        "install a wheel, or run `go install ./cmd/depyf` in a checkout"
    )
