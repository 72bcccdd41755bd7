"""Compiling text of ours, unheard: what the compiler thinks of it is no warning of the program's."""

from __future__ import annotations

import sys
import warnings

TYPE_CHECKING = False
if TYPE_CHECKING:  # The typing module takes longer to import than this package.
    import ast
    from types import CodeType
    from typing import Any


def compiled(source: "str | ast.Module", filename: str, flags: int = 0) -> CodeType:
    """Compile a module's text or tree."""
    with _unheard(filename):
        code: CodeType = compile(source, filename, "exec", flags=flags, dont_inherit=True)
    return code


def parsed(source: str, filename: str) -> ast.Module:
    import ast

    with _unheard(filename):
        return ast.parse(source, filename)


class _unheard:
    """Ignore warnings about one file.

    warnings.catch_warnings would make the program forget which warnings it has shown: each that is
    to be shown once would be shown again. So an entry is put in front of the list of filters, for the file alone,
    and nobody is told that the list has changed.
    """

    def __init__(self, filename: str) -> None:
        # The compiler knows no module; warnings take the file's name for it. Text has to match as a whole.
        module = filename[:-3] if filename.endswith(".py") else filename
        self.entry: Any = ("ignore", None, Warning, module or "<unknown>", 0)
        if sys.version_info >= (3, 15):  # Which module it is there is for the compiler to say.
            self.entry = ("ignore", None, SyntaxWarning, None, 0)
        self.filters: Any = warnings.filters

    def __enter__(self) -> None:
        self.filters.insert(0, self.entry)

    def __exit__(self, *details: object) -> None:
        if self.entry in self.filters:
            self.filters.remove(self.entry)
