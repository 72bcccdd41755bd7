"""Small programs that make Dynamo write interesting bytecode.

Each function decorated with `snippet` returns a callable to compile and the
calls to make, as tuples of arguments. Results must compare equal to those of
the same callable run without torch.compile; a callable that changes its
arguments or globals returns what it changed. An exception is a result too.
"""

from __future__ import annotations

from . import basics, control, documented, functions, modules, objects, pending, state, tails, transforms  # noqa: F401
from ._base import SNIPPETS

__all__ = ["SNIPPETS"]
