"""Decompiling functions, code objects and .pyc files of the running Python."""

from __future__ import annotations

from ._decompile import DecompilationError, DecompiledSource, code_of, decompile, styled

TYPE_CHECKING = False
if TYPE_CHECKING:  # The typing module takes longer to import than this package.
    import types
    from typing import Any, Optional

__all__ = ["DecompilationError", "DecompiledSource", "Decompiler", "code_of", "decompile"]


class Decompiler:
    """The interface of older versions: Decompiler(code).decompile()."""

    def __init__(self, code: Any) -> None:
        self.code: Any = code_of(code)

    # The spelling of overwite_fn_name is part of the interface.
    def decompile(
        self,
        indentation: int = 4,
        temp_prefix: str = "__temp_",
        overwite_fn_name: Optional[str] = None,
        *,
        temporary_prefix: Optional[str] = None,
        overwrite_fn_name: Optional[str] = None,
    ) -> str:
        """Return the source, with the function renamed to overwite_fn_name if given.

        temp_prefix changes nothing any more: temporaries are named after what they hold.
        """
        source = decompile(self.code, name=overwrite_fn_name or overwite_fn_name)
        text = styled(source, indentation)
        return DecompiledSource(text, source.verdict, source.detail, source.name)

    @staticmethod
    def decompile_and_compile_like(
        code_to_decompile: types.CodeType,
        reference_code: types.CodeType,
        indentation: int = 4,
        temp_prefix: str = "__temp_",
        filepath_template: Optional[str] = None,
    ) -> types.CodeType:
        """Return code_to_decompile compiled again from its source, to run in the place of reference_code.

        It has the free and cell variables of reference_code. With
        filepath_template, such as "dir/name_%d.py", the source is written to the
        first such file that does not hold another one yet, and named after it.
        DecompilationError is raised when the source is not proven.
        """
        from . import _like

        return _like.compile_like(code_to_decompile, reference_code, indentation, filepath_template)

    @staticmethod
    def supported_opnames() -> list[str]:
        """List the names of all instructions of the running Python: each is supported."""
        import dis

        return [n for n in dis.opname if not n.startswith("<")]

    def __hash__(self) -> int:
        # A code object whose constants cannot be hashed has no hash itself.
        return id(self.code)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Decompiler) and other.code is self.code
