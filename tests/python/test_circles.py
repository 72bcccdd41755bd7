"""No module of the package imports, at its start or later, a module that imports it again."""

from __future__ import annotations

import ast
import unittest
from typing import Dict, Iterator, List, Set

from support import ROOT

PACKAGE = ROOT / "python" / "depyf"


def modules() -> Dict[str, ast.Module]:
    """Return the package's modules by name; a package has the name of its folder."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        found[name] = ast.parse(path.read_text(encoding="utf-8"))
    return found


def at_run_time(node: ast.AST) -> Iterator[ast.stmt]:
    """List the imports below node, but for those that only a type checker sees."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(child.test):
            continue
        if isinstance(child, (ast.Import, ast.ImportFrom)):
            yield child
        yield from at_run_time(child)


def imported(name: str, known: Dict[str, ast.Module]) -> Set[str]:
    """Return the modules of the package that a module names in its imports."""
    package = [k for k in known if k.startswith(name + ".")]
    around = name.split(".") if package else name.split(".")[:-1]
    found = set()
    for node in at_run_time(known[name]):
        if isinstance(node, ast.Import):
            found.update(a.name for a in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = around[: len(around) - node.level + 1] if node.level else []
            whole = ".".join(base + ([node.module] if node.module else []))
            for a in node.names:
                found.add("%s.%s" % (whole, a.name) if "%s.%s" % (whole, a.name) in known else whole)
    # The package itself holds what others say about it, such as its version: it imports the rest only when asked.
    return {f for f in found if f in known and f not in (name, "depyf")}


class TestCircles(unittest.TestCase):
    def test_no_circle(self) -> None:
        known = modules()
        edges = {name: imported(name, known) for name in known}
        self.assertGreater(sum(map(len, edges.values())), 100)
        done: Set[str] = set()

        def visit(name: str, way: List[str]) -> None:
            if name in way:
                self.fail("a circle of imports: %s" % " → ".join([*way[way.index(name) :], name]))
            if name not in done:
                for other in sorted(edges[name]):
                    visit(other, [*way, name])
                done.add(name)

        for name in known:
            visit(name, [])


if __name__ == "__main__":
    unittest.main()
