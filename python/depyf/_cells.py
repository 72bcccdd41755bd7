"""The cells of a notebook: functions defined there are in files that are on no disk."""

from __future__ import annotations

import importlib
import linecache
import sys
from typing import Any


def shell() -> Any:
    """IPython's shell, where this process is a notebook's or a terminal's IPython; else None."""
    module = sys.modules.get("IPython")
    return module.get_ipython() if module is not None and hasattr(module, "get_ipython") else None


def texts() -> dict[str, dict[str, str]]:
    """The cells that have run, by the names of their files: their text, and what a traceback calls them."""
    numbers = getattr(getattr(shell(), "compile", None), "_filename_map", None)
    if not isinstance(numbers, dict):
        return {}
    return {
        file: {"text": "".join(linecache.getlines(file)), "title": "In[%s]" % number}
        for file, number in list(numbers.items())
        if isinstance(file, str)
    }


def show(answer: Any) -> None:
    """Show an answer that no cell can end with, because an exception is on its way."""
    if shell() is not None:
        importlib.import_module("IPython.display").display(answer)
