"""Kept for `from depyf.explain.enable_debugging import prepare_debug, debug`."""

from .._torch.debugging import debug, prepare_debug

__all__ = ["debug", "prepare_debug"]
