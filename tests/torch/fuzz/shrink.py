"""Making a failing program small, as long as it fails in the same way.

Works on the syntax tree: statements go, bodies take the place of what they are bodies of, expressions that of
the expressions they are in. A candidate counts only if the program still runs as it did without torch.compile:
no name is missing that was not missing before.
"""

from __future__ import annotations

import ast
import copy
import pathlib
import re
import warnings
from typing import Iterator

from .children import COMPILED, PLAIN, UNSWAPPED, WATCHED, Home
from .judge import Failure, Verdict, differences, differs, dumped, placed, visible

MOST = 300  # Runs that one program may take.
_MISSING = re.compile(r"NameError|UnboundLocalError|SyntaxError")


class Shrinker:
    def __init__(self, text: str, failure: str, backend: str) -> None:
        self.failure = failure
        self.backend = backend
        self.left = MOST  # Runs under torch.compile.
        self.missing = self._missing(text)
        self.tried: "set[str]" = set()
        self.tree = ast.parse(text)

    def run(self) -> str:
        self._try(self.tree)
        size = -1
        while size != _size(self.tree) and self.left > 0:
            size = _size(self.tree)
            self._drop_statements()
            self._rewrite()
        return ast.unparse(self.tree) + "\n"

    def _missing(self, text: str) -> int:
        """How many names are missing in a plain run; -1 if there is none at all."""
        with Home(text) as home:
            seen = home.run(PLAIN)
        return -1 if "lost" in seen else len(_MISSING.findall(str(seen["calls"])))

    def _try(self, tree: ast.Module) -> bool:
        """Go on with a tree, without the definitions that nothing mentions any more, if it fails too."""
        tree = _mentioned(tree)
        if self._fails(tree):
            self.tree = tree
            return True
        return False

    def _fails(self, tree: ast.Module) -> bool:
        text = _text(tree)
        if text is None or self.left <= 0 or text in self.tried:
            return False
        self.tried.add(text)
        missing = self._missing(text)
        if missing < 0 or missing > self.missing:
            return False
        self.left -= 1
        return self.failure in {str(f) for f in _failures(text, self.failure, self.backend)}

    def _drop_statements(self) -> None:
        """Remove runs of statements, long ones first, and the calls of main before anything else."""
        for path in sorted(_bodies(self.tree), key=lambda p: not self._calls(p)):
            size = max(1, len(_at(self.tree, path)) // 2)
            while size:
                i = 0
                while i < len(_at(self.tree, path)):
                    tree = copy.deepcopy(self.tree)
                    body = _at(tree, path)
                    del body[i : i + size]
                    if not body and path[-1] == "body":
                        body.append(ast.Pass())
                    if not self._try(tree):
                        i += size
                size //= 2

    def _calls(self, path: "tuple[object, ...]") -> bool:
        node = _node(self.tree, path[:-1]) if _at(self.tree, path) else None
        return isinstance(node, ast.FunctionDef) and node.name == "main"

    def _rewrite(self) -> None:
        """Try every single change until none is left."""
        i = 0
        while self.left > 0:
            changed = False
            for k, tree in enumerate(_simpler(self.tree)):
                if k < i:
                    continue
                i = k
                if self._try(tree):
                    changed = True
                    break
            if not changed:
                return


def _failures(text: str, failure: str, backend: str) -> "list[Failure]":
    """The failures of a program, as far as they can be of the wanted kind."""
    with Home(text) as home:
        if failure.startswith("visible:"):
            return visible(home.run(COMPILED, backend), home.run(UNSWAPPED, backend))
        watched = placed(home.run(WATCHED, backend), home.dump)
        verdict = Verdict([])
        if differs(failure.split(":")[0]):
            verdict.failures = differences(home.run(COMPILED, backend), watched)
        elif "lost" not in watched:
            dumped(home.dump, verdict)
        return verdict.failures


def _text(tree: ast.Module) -> "str | None":
    try:
        text = ast.unparse(ast.fix_missing_locations(tree))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, "program", "exec", dont_inherit=True)
        return text + "\n"
    except Exception:  # A tree that is no program; unparse fails in many ways.
        return None


def _mentioned(tree: ast.Module) -> ast.Module:
    """The module without what it defines or imports and never mentions."""
    while True:
        used = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)} | {"main"}
        kept: "list[ast.stmt]" = []
        for node in tree.body:
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                names = [a for a in node.names if (a.asname or a.name).split(".")[0] in used]
                node = type(node)(**{**dict(ast.iter_fields(node)), "names": names})
                defined = {(a.asname or a.name).split(".")[0] for a in names}
            elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                defined = {node.name}
            elif isinstance(node, ast.Assign) and all(isinstance(t, ast.Name) for t in node.targets):
                defined = {t.id for t in node.targets if isinstance(t, ast.Name)}
            else:
                root = node
                while isinstance(root, (ast.Assign, ast.Attribute)):
                    root = root.targets[0] if isinstance(root, ast.Assign) else root.value  # type: ignore[assignment]
                # What only decorates something that goes, goes too: f.attribute = ….
                name = root.id if isinstance(root, ast.Name) else ""
                others = [n for n in tree.body if n is not node]
                if name and not any(isinstance(n, ast.Name) and n.id == name for o in others for n in ast.walk(o)):
                    continue
                defined = set(used)
            if defined & used:
                kept.append(node)
        if len(kept) == len(tree.body):
            return ast.Module(body=kept, type_ignores=[])
        tree = ast.Module(body=kept, type_ignores=[])


def _size(tree: ast.AST) -> int:
    return sum(1 for _ in ast.walk(tree))


def _bodies(tree: ast.AST) -> "list[tuple[object, ...]]":
    """The paths of all lists of statements, outermost first."""
    found: "list[tuple[object, ...]]" = []

    def visit(node: ast.AST, path: "tuple[object, ...]") -> None:
        for field, value in ast.iter_fields(node):
            if isinstance(value, list):
                if value and isinstance(value[0], ast.stmt):
                    found.append((*path, field))
                for i, child in enumerate(value):
                    if isinstance(child, ast.AST):
                        visit(child, (*path, field, i))
            elif isinstance(value, ast.AST):
                visit(value, (*path, field))

    visit(tree, ())
    return sorted(found, key=len)


def _at(tree: ast.AST, path: "tuple[object, ...]") -> "list[ast.stmt]":
    node: object = tree
    for step in path:
        try:
            node = node[step] if isinstance(step, int) else getattr(node, str(step))  # type: ignore[index]
        except (IndexError, AttributeError):
            return []
    return node if isinstance(node, list) else []


def _simpler(tree: ast.Module) -> "Iterator[ast.Module]":
    """Every tree that differs from tree in one simplification."""
    places = list(_places(tree))
    for path, field, at in places:
        node = _node(tree, path)
        value = getattr(node, field)
        old = value if at is None else value[at]
        for new in _instead(old, field, at is not None):
            changed = copy.deepcopy(tree)
            parent = _node(changed, path)
            if at is None:
                setattr(parent, field, new)
            elif new is None:
                del getattr(parent, field)[at]
                if isinstance(parent, ast.Dict):
                    del (parent.values if field == "keys" else parent.keys)[at]
            elif isinstance(new, list):
                getattr(parent, field)[at : at + 1] = new
            else:
                getattr(parent, field)[at] = new
            yield changed


def _places(tree: ast.AST) -> "Iterator[tuple[tuple[object, ...], str, int | None]]":
    """Every field of every node, outermost first."""
    todo: "list[tuple[tuple[object, ...], ast.AST]]" = [((), tree)]
    while todo:
        path, node = todo.pop(0)
        for field, value in ast.iter_fields(node):
            if isinstance(value, list):
                for i in reversed(range(len(value))):
                    yield path, field, i
                    if isinstance(value[i], ast.AST):
                        todo.append(((*path, field, i), value[i]))
            elif isinstance(value, ast.AST):
                yield path, field, None
                todo.append(((*path, field), value))


def _node(tree: ast.AST, path: "tuple[object, ...]") -> ast.AST:
    node: object = tree
    for step in path:
        node = node[step] if isinstance(step, int) else getattr(node, str(step))  # type: ignore[index]
    assert isinstance(node, ast.AST)
    return node


# Fields of which an element may go, and nothing needs to come in its place.
_OPTIONAL = (
    "args", "keywords", "elts", "keys", "handlers", "orelse", "finalbody", "decorator_list", "items", "cases",
    "ifs", "values", "defaults", "kwonlyargs", "bases", "names", "patterns", "generators",
)  # fmt: skip


def _instead(old: object, field: str, listed: bool) -> "Iterator[object]":
    """What may stand in the place of a node: None is nothing, a list is several statements."""
    if listed and field in _OPTIONAL:
        yield None
    if isinstance(old, ast.stmt):
        for part in ("body", "orelse", "finalbody"):
            inner = getattr(old, part, None)
            if (
                isinstance(inner, list)
                and inner
                and not isinstance(old, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
            ):
                yield copy.deepcopy(inner)
        for handler in getattr(old, "handlers", ()):
            yield copy.deepcopy(handler.body)
        for case in getattr(old, "cases", ()):
            yield copy.deepcopy(case.body)
        if isinstance(old, ast.AugAssign):
            yield ast.Assign(targets=[old.target], value=old.value)
    if isinstance(old, ast.expr) and field not in ("target", "targets", "optional_vars"):
        inner = [n for n in ast.iter_child_nodes(old) if isinstance(n, ast.expr)]
        for keyword in getattr(old, "keywords", ()):
            inner.append(keyword.value)
        if not isinstance(old, (ast.Name, ast.Constant)):
            for name in sorted({n.id for n in ast.walk(old) if isinstance(n, ast.Name)}):
                yield ast.Name(id=name, ctx=ast.Load())
            for value in (None, 1, True):
                yield ast.Constant(value=value)
        elif isinstance(old, ast.Constant) and isinstance(old.value, str) and len(old.value) > 1:
            yield ast.Constant(value=old.value[:1])
        for node in inner:
            if not isinstance(getattr(node, "ctx", ast.Load()), ast.Store):
                yield copy.deepcopy(node)
    if field in (
        "vararg",
        "kwarg",
        "type",
        "guard",
        "msg",
        "cause",
        "returns",
        "format_spec",
        "step",
        "lower",
        "upper",
    ):
        yield None


def keep(folder: str, text: str, failure: str, backend: str, seeds: "list[int]", torch_version: str) -> pathlib.Path:
    """Shrink a program and write it down with the command that repeats its failure."""
    small = Shrinker(text, failure, backend).run()
    name = re.sub(r"\W+", "_", failure).strip("_")[:70]
    path = pathlib.Path(folder) / ("%s-%s-%s.py" % (torch_version.split("+")[0], backend, name))
    path.parent.mkdir(parents=True, exist_ok=True)
    head = [
        "# %s" % failure,
        "# torch %s, %s; seeds %s" % (torch_version, backend, " ".join(map(str, seeds[:10]))),
        "# python -m fuzz --backend %s --show %s" % (backend, path.name),
        "",
    ]
    path.write_text("\n".join(head) + small, encoding="utf-8")
    return path
