"""Python's garbage collector, while depyf works inside of the program."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import Iterator


@contextmanager
def uncollected() -> Iterator[None]:
    """Let no collection begin inside.

    CPython collects when so many more containers have been made than let go of. What depyf makes and lets go
    of inside then counts for nothing: collections come when the program's own objects ask for them. Else a few
    hundred dicts of ours bring forward a full one, which takes a tenth of the time of compiling a model.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
