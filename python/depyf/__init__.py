"""depyf explains torch.compile and decompiles Python bytecode.

    depyf.decompile(function)            source, with a verdict
    with depyf.prepare_debug("folder"):  dump what torch.compile does
    with depyf.debug():                  step through it with a debugger
    depyf.explain(function, *inputs)     why it is slow to compile, breaks or is compiled again, in a notebook
    depyf.compare(function, *inputs)     the first operation whose numbers are wrong, and who is
    depyf.install()                      source beside TORCH_LOGS="+bytecode"

Without any of them, `depyf run script.py` or DEPYF_DUMP=folder watch a whole program.

Importing this package imports neither torch nor anything outside the standard
library; what needs torch does so when called.
"""

from __future__ import annotations

import os as _os

from ._version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:  # The typing module takes longer to import than this package.
    from typing import Any

    from ._numbers.comparing import compare
    from ._torch.debugging import debug, prepare_debug
    from ._torch.logs import install, uninstall
    from .decompiler import DecompilationError, DecompiledSource, Decompiler, decompile
    from .explain import Explain

    explain: Explain

__all__ = [
    "DecompilationError",
    "DecompiledSource",
    "Decompiler",
    "__version__",
    "compare",
    "debug",
    "decompile",
    "explain",
    "install",
    "prepare_debug",
    "uninstall",
]

_LATE = {
    "DecompilationError": "decompiler",
    "DecompiledSource": "decompiler",
    "Decompiler": "decompiler",
    "decompile": "decompiler",
    "compare": "_numbers.comparing",
    "prepare_debug": "_torch.debugging",
    "debug": "_torch.debugging",
    "install": "_torch.logs",
    "uninstall": "_torch.logs",
}
_MODULES = ("explain", "optimization")


def __getattr__(name: str) -> Any:
    """Import each part only when it is asked for: a program that is watched needs none of them."""
    if name in _LATE:
        import importlib

        value = getattr(importlib.import_module("depyf." + _LATE[name]), name)
        globals()[name] = value
        return value
    if name in _MODULES:
        import importlib

        return importlib.import_module("depyf." + name)
    raise AttributeError("module 'depyf' has no attribute %r" % name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATE, *_MODULES})


if _os.environ.get("DEPYF_DUMP"):
    from . import _auto

    _auto.start()
