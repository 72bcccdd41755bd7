"""Kept for `from depyf.explain.enhance_logging import install, uninstall`."""

from .._torch.logs import install, uninstall

__all__ = ["install", "uninstall"]
