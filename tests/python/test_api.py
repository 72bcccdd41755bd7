"""docs/api.md: every public name and parameter of the package, and none that is not there."""

from __future__ import annotations

import ast
import re
import sys
import unittest
from typing import Dict, List, Set, Tuple

from support import ROOT

PACKAGE = ROOT / "python" / "depyf"
# Where what the package offers is written, by the name under which docs/api.md has it.
WRITTEN = {
    "depyf.prepare_debug": ("_torch/debugging.py", "prepare_debug"),
    "depyf.debug": ("_torch/debugging.py", "debug"),
    "depyf.explain": ("explain/__init__.py", "Explain.__call__"),
    "Explanation": ("_explained.py", "Explanation"),
    "depyf.compare": ("_numbers/comparing.py", "compare"),
    "Comparison": ("_numbers/answer.py", "Comparison"),
    "depyf.install": ("_torch/logs.py", "install"),
    "depyf.uninstall": ("_torch/logs.py", "uninstall"),
    "depyf.decompile": ("_decompile.py", "decompile"),
    "DecompiledSource": ("_decompile.py", "DecompiledSource"),
    "DecompilationError": ("_decompile.py", "DecompilationError"),
    "Decompiler": ("decompiler.py", "Decompiler"),
    "depyf.optimization.TorchCompileWrapperWithCustomDispatcher": (
        "optimization.py",
        "TorchCompileWrapperWithCustomDispatcher",
    ),
}
# What is no function or class.
OTHERS = {"depyf.__version__", "depyf.explain.enable_debugging", "depyf.explain.enhance_logging"}
# Made by depyf alone.
GIVEN_BACK = {"Explanation", "Comparison", "DecompiledSource", "DecompilationError"}


def node_of(file: str, path: str) -> ast.AST:
    node: ast.AST = ast.parse((PACKAGE / file).read_text(encoding="utf-8"))
    for name in path.split("."):
        (node,) = [n for n in ast.iter_child_nodes(node) if getattr(n, "name", None) == name]
    return node


def signature(node: ast.AST, bound: bool) -> Tuple[str, List[str]]:
    """Return the parameters as api.md writes them, and their names."""
    args = node.args  # type: ignore[attr-defined]
    for a in ast.walk(args):
        if isinstance(a, ast.arg):
            a.annotation = None
    first = args.posonlyargs or args.args
    if bound:
        del first[0]
    names = [a.arg for a in args.posonlyargs + args.args + args.kwonlyargs]
    names += [a.arg for a in (args.vararg, args.kwarg) if a]
    return ast.unparse(args), names


def bare(signature: str) -> str:
    """A signature without what a formatter changes."""
    return re.sub(r"\s+", "", signature).replace('"', "'").rstrip(",")


def functions(name: str) -> Dict[str, ast.AST]:
    """The public functions behind a heading, by what api.md calls them in a signature."""
    file, path = WRITTEN[name]
    node = node_of(file, path)
    if not isinstance(node, ast.ClassDef):
        return {name: node}
    if name in GIVEN_BACK:
        return {}
    found = {}
    for n in node.body:
        if isinstance(n, ast.FunctionDef):
            if n.name == "__init__":
                found["depyf.Decompiler" if name == "Decompiler" else name] = n
            elif name == "Decompiler" and not n.name.startswith("_"):
                found["Decompiler." + n.name] = n
    return found


def members(node: ast.ClassDef) -> Set[str]:
    """The public attributes and methods of a class."""
    found = set()
    for n in node.body:
        if isinstance(n, ast.AnnAssign) and isinstance(n.target, ast.Name):
            found.add(n.target.id)
        elif isinstance(n, ast.FunctionDef):
            found.add(n.name)
            if n.name == "__init__":
                found.update(
                    t.attr
                    for a in ast.walk(n)
                    for t in (
                        a.targets if isinstance(a, ast.Assign) else [a.target] if isinstance(a, ast.AnnAssign) else []
                    )
                    if isinstance(t, ast.Attribute) and isinstance(t.value, ast.Name) and t.value.id == "self"
                )
    return {m for m in found if not m.startswith("_")}


@unittest.skipIf(sys.version_info < (3, 9), "ast.unparse came with Python 3.9")
class Documented(unittest.TestCase):
    def setUp(self) -> None:
        text = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
        parts = re.split(r"(?m)^### (\S+)$", text)[1:]
        self.parts = dict(zip(parts[::2], parts[1::2]))

    def test_names(self) -> None:
        self.assertEqual(set(self.parts), set(WRITTEN) | OTHERS)
        node = ast.parse((PACKAGE / "__init__.py").read_text(encoding="utf-8"))
        lists = {
            t.id: ast.literal_eval(n.value)
            for n in node.body
            if isinstance(n, ast.Assign)
            for t in n.targets
            if isinstance(t, ast.Name) and t.id in ("__all__", "_MODULES")
        }
        for name in lists["__all__"]:
            self.assertTrue({name, "depyf." + name} & set(self.parts), name)
        for name in lists["_MODULES"]:
            self.assertTrue([p for p in self.parts if p.startswith("depyf." + name)], name)
        for name in OTHERS - {"depyf.__version__"}:
            self.assertTrue((PACKAGE / (name.replace("depyf.", "", 1).replace(".", "/") + ".py")).exists(), name)
        public = node_of("optimization.py", "TorchCompileWrapperWithCustomDispatcher")
        others = [
            n.name
            for n in ast.parse((PACKAGE / "optimization.py").read_text(encoding="utf-8")).body
            if isinstance(n, (ast.ClassDef, ast.FunctionDef)) and not n.name.startswith("_")
        ]
        self.assertEqual(others, [public.name])  # type: ignore[attr-defined]

    def test_parameters(self) -> None:
        """The signatures are those of the code, and what is said of parameters is said of those that there are."""
        for name in WRITTEN:
            with self.subTest(name):
                said = {}
                for block in re.findall(r"(?ms)^```python\n(.*?)^```(.*?)(?=^```python|\Z)", self.parts[name]):
                    call, _, inside = block[0].strip().partition("(")
                    said[call] = (inside[:-1], self.named(block[1]))
                known = functions(name)
                self.assertEqual(set(said), set(known))
                for call, node in known.items():
                    static = any(getattr(d, "id", "") == "staticmethod" for d in node.decorator_list)  # type: ignore[attr-defined]
                    text, names = signature(node, not static and self.in_class(name))
                    self.assertEqual(bare(said[call][0]), bare(text))
                    self.assertLessEqual(set(names), set(said[call][1]), call)
                    if not self.of_class(name):
                        self.assertEqual(sorted(names), sorted(said[call][1]), call)

    def test_members(self) -> None:
        for name in WRITTEN:
            node = node_of(*WRITTEN[name])
            if not isinstance(node, ast.ClassDef) or name in ("depyf.prepare_debug", "Decompiler"):
                continue  # Of the first, what it takes; of the other, signatures.
            with self.subTest(name):
                named = set(self.named(self.parts[name]))
                there = members(node)
                self.assertLessEqual(there, named)
                parameters = set(signature(functions(name)[name], True)[1]) if name in functions(name) else set()
                self.assertLessEqual(named - parameters, there | {"__call__"})

    def named(self, text: str) -> List[str]:
        """What the items of a list are about."""
        return [
            re.sub(r"\(.*", "", n)
            for head in re.findall(r"(?m)^\* ((?:`[^`]+`(?:, )?)+):", text)
            for n in re.findall(r"`([^`]+)`", head)
        ]

    def in_class(self, name: str) -> bool:
        return "." in WRITTEN[name][1] or self.of_class(name)

    def of_class(self, name: str) -> bool:
        return isinstance(node_of(*WRITTEN[name]), ast.ClassDef)


if __name__ == "__main__":
    unittest.main()
