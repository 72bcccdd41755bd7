"""Decompiler.decompile_and_compile_like, which older versions have."""

from __future__ import annotations

import ast
import os
from types import CodeType
from typing import Any, Optional

from . import _code
from ._compile import compiled, parsed
from ._decompile import DecompilationError, moved, request, styled
from ._torch import swap
from ._torch._exceptions import without_stop_iteration

_PLACE_HOLDER = "__place_holder__"
_CONSTANT = "__depyf_constant__:"


def compile_like(code: CodeType, reference: CodeType, indentation: int, template: Optional[str]) -> CodeType:
    """Decompile code, compile the text and fit it in the place of reference."""
    constants = _code.Constants()
    answer = request(code, True, _PLACE_HOLDER, constants)
    if answer.get("verdict") not in ("exact", "proved"):
        raise DecompilationError("not proven: %s" % answer.get("detail"))
    text = styled(answer["source"], indentation)
    if template is None:
        filename, name = "noname", reference.co_name if reference.co_name.isidentifier() else _PLACE_HOLDER
        text = text.replace(_PLACE_HOLDER, name)
    else:
        filename, name, text = _written(text, template)
    try:
        made = _compiled(text, filename, name, answer, code, reference, constants)
    except (swap.CannotSwap, SyntaxError) as e:
        raise DecompilationError(str(e)) from None
    return made


def _written(text: str, template: str) -> tuple[str, str, str]:
    """Write the text to the first file of the template that is free or holds it already."""
    count = 0
    while True:
        path = template % count
        name = os.path.splitext(os.path.basename(path))[0].split(".")[0]
        mine = text.replace(_PLACE_HOLDER, name)
        if not os.path.exists(path):
            with open(path, "w", encoding="utf-8", errors="surrogatepass", newline="") as f:
                f.write(mine)
            return path, name, mine
        with open(path, encoding="utf-8", errors="surrogatepass", newline="") as f:
            if f.read() == mine:
                return path, name, mine
        count += 1


def _compiled(
    text: str,
    filename: str,
    name: str,
    answer: dict[str, Any],
    code: CodeType,
    reference: CodeType,
    constants: _code.Constants,
) -> CodeType:
    where = (name, bool(answer.get("wrapped")))
    if answer.get("inside"):
        raise DecompilationError("no function is compiled to %s alone" % code.co_name)

    def build(*unused: list[str]) -> CodeType:
        tree = parsed(text, filename)
        tree = ast.fix_missing_locations(_Named(constants.by_name).visit(tree))
        if unused:
            tree = swap._with_unused(tree, name, reference, *unused)
        flags = code.co_flags & swap._FUTURE
        return swap._find(compiled(tree, filename, flags), *where)

    made = build()
    free = [n for n in reference.co_freevars if n not in made.co_freevars]
    cells = [n for n in reference.co_cellvars if n not in made.co_cellvars]
    if free and not where[1]:
        text = "def %s(%s):\n%s" % (swap._OUTER, ", ".join(free), moved(text, lambda n: n + 4))
        where = (name, True)
    if free or cells:
        made = build(free, cells, [])
    if answer.get("bare"):
        made = without_stop_iteration(made, answer.get("bare_until") or 0)
    made = swap._renamed(made, answer.get("renames") or {})
    made = _with_objects(made, constants.by_name)
    made = swap._with_original_functions(made, code, answer.get("functions") or [])
    return made.replace(co_flags=made.co_flags & ~swap._NESTED | code.co_flags & swap._NESTED)


class _Named(ast.NodeTransformer):
    """Mark the names that stand for objects: the code shall hold the objects themselves."""

    def __init__(self, by_name: dict[str, Any]) -> None:
        self.by_name = by_name

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Replace one name."""
        if node.id in self.by_name and isinstance(node.ctx, ast.Load):
            return ast.copy_location(ast.Constant(_CONSTANT + node.id), node)
        return node


def _with_objects(code: CodeType, by_name: dict[str, Any]) -> CodeType:
    def real(c: Any) -> Any:
        if isinstance(c, CodeType):
            return _with_objects(c, by_name)
        if isinstance(c, str) and c.startswith(_CONSTANT):
            return by_name[c[len(_CONSTANT) :]]
        return c

    return code.replace(co_consts=tuple(real(c) for c in code.co_consts))
