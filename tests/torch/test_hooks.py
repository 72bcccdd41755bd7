"""A later torch: each place that depyf relies on is missing, or wants or gets one more argument."""

from __future__ import annotations

import ast
import contextlib
import functools
import importlib
import re
import tempfile
import types
import unittest
from typing import Any, Callable, Iterator
from unittest import mock

import depyf._numbers.program as numbers_of_programs
import support
import torch
import torch._dynamo
from depyf._numbers import record, search
from depyf._torch import capture, freeze, hooks, printing
from support import TorchCase, dumping

# With one more argument: those that depyf calls want it, those that torch calls get it.
CALLED = {
    "bytecode hook",
    "cache entries",
    "compile ids",
    "functions behind wrappers",
    "hiding from Dynamo",
    "frames left alone",
    "graphs as text",
}
REPLACED = {"unread records of the log", "graph formatting", "recompiled graphs", "compile times", "symbolic sizes"}
REPLACED |= {"identities in guards"}
REPLACED |= {"outcome of compilations", "errors of compilations", "limit of recompilations", "limit of the cache"}
REPLACED |= {"conditions that depend on data", "reasons of recompilation", "log of guards", "Inductor's output"}
REPLACED |= {"C++ kernels", "Triton kernels", "calls of kernels"}
# This program exports nothing, and these are closures: their code cannot be exchanged. test_export.py calls them.
EXPORTS = {"exported programs", "programs exported for training"}
REPLACED |= EXPORTS
# What the eager backend of this program does not come to: two are asked of Inductor below, the others need a GPU, or
# kernels that Inductor has not written.
KERNELS = {"Inductor's output", "C++ kernels", "Triton kernels", "calls of kernels"}
# What is called where there are too many versions, and by the module itself in which it is replaced.
LIMITS = {"limit of recompilations", "limit of the cache"}
# What torch 2.2 does not call for this program.
UNCALLED = {"identities in guards", "reasons of recompilation", "compile times"} if support.TORCH < (2, 6) else set()
# No functions, or of no interest as such.
DATA = {"structured log", "numbers in the log", "resume functions", "frames being compiled", "printing of graphs"}
DATA |= {"log of graph breaks", "resets", "skipped CUDA graphs"}
ONE_MORE = object()


def program(x: torch.Tensor) -> torch.Tensor:
    y = x.sin() + 1
    torch._dynamo.graph_break()
    return y * 2


def here() -> list[hooks.Hook]:
    """The places that a dump needs in this torch."""
    return [h for h in hooks.TABLE.values() if hooks.needed(h) and not h.debug]


@support.needs_program
class Hooks(TorchCase):
    def setUp(self) -> None:
        super().setUp()
        self.addCleanup(hooks._failures.clear)
        self.addCleanup(torch._dynamo.reset)

    def dump(self, backend: str = "eager") -> support.Dump:
        """Watch the program, which comes to its right result without a word."""
        torch._dynamo.reset()
        hooks._failures.clear()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        x = torch.ones(3)
        compiled = torch.compile(program, backend=backend)
        with self.quiet(), dumping(folder.name) as dump:
            for n in (3, 4):
                x = torch.ones(n)
                self.assertTrue(torch.allclose(compiled(x), program(x)))
        self.assertEqual(dump.unparsable(), [])
        self.assertTrue(torch.allclose(compiled(x), program(x)))
        return dump

    def said(self, dump: support.Dump) -> str:
        index = (dump.folder / "index.md").read_text(encoding="utf-8").replace("\\_", "_")
        return index.partition("## What is missing")[2].partition("\n## ")[0] if "## What" in index else index

    def test_all_are_there(self) -> None:
        """In this torch nothing is missing, and the table says which versions have what."""
        for hook in hooks.TABLE.values():
            if hooks.needed(hook):
                with self.subTest(hook.name):
                    hooks.place(hook.name)
        self.assertEqual(self.dump().problems(), [])

    def test_every_kind_is_known(self) -> None:
        names = {h.name for h in hooks.TABLE.values() if not h.debug}
        self.assertEqual(CALLED | REPLACED | DATA, names)
        self.assertLessEqual({p.name for p in capture.PATCHES + capture.SWAPPING}, names)

    def test_missing(self) -> None:
        for hook in here():
            if hook.late:
                importlib.import_module(hook.module)
            renamed = hook._replace(attribute=hook.attribute + "_of_old")
            with self.subTest(hook.name), mock.patch.dict(hooks.TABLE, {hook.name: renamed}), self.table(renamed):
                with self.other_style():
                    dump = self.dump()
                said = self.said(dump)
                self.assertIn(hook.lost, said)
                self.assertIn("this torch has no %s_of_old" % hook.path, said)
                self.assertEqual(len([p for p in dump.of("problem") if p["where"] == hook.name]), 1, dump.problems())

    def test_one_more_argument_wanted(self) -> None:
        for name in sorted(CALLED & {h.name for h in here()}):
            owner, attribute = hooks.place(name)
            function = getattr(owner, attribute)

            def wants(one_more: Any = None, *args: Any, real: Callable[..., Any] = function, **kwargs: Any) -> Any:
                if one_more is not ONE_MORE:
                    raise TypeError("one argument is missing")
                return real(*args, **kwargs)

            get = hooks.get

            def changed(asked: str, name: str = name, wants: Any = wants, get: Any = get) -> Any:
                return wants if asked == name else get(asked)

            patched: Any = mock.patch.object(hooks, "get", changed)
            if name == "graphs as text":
                patched = mock.patch.object(owner, attribute, wants)
            # Where depyf can print graphs itself, nothing is lost.
            with self.subTest(name), patched, self.other_style(untried=name != "graphs as text"):
                dump = self.dump()
                said = self.said(dump)
                self.assertIn(hooks.TABLE[name].lost, said)
                self.assertIn("one argument is missing", said)

    def test_one_more_argument_given(self) -> None:
        for name in sorted((REPLACED - EXPORTS) & {h.name for h in here()}):
            for more in ("positional", "keyword"):
                with self.subTest(name, argument=more), self.giving(name, more) as given:
                    dump = self.dump()
                    self.assertEqual(dump.problems(), [])
                    self.assertEqual(len(dump.of("bytecode")), 4)
                    if name not in KERNELS | LIMITS | UNCALLED:
                        self.assertTrue(given, name)

    def test_one_more_argument_given_at_a_limit(self) -> None:
        limit = "recompile_limit" if support.TORCH >= (2, 7) else "cache_size_limit"
        for name in sorted(LIMITS & {h.name for h in here()}):
            for more in ("positional", "keyword"):
                with self.subTest(name, argument=more), torch._dynamo.config.patch({limit: 1}):
                    with self.giving(name, more) as given:
                        dump = self.dump()
                    self.assertEqual(dump.problems(), [])
                    self.assertTrue(given)

    @support.on_the_later
    def test_one_more_argument_given_by_inductor(self) -> None:
        self.need_inductor()
        names = sorted({"Inductor's output", "C++ kernels"} & {h.name for h in here()})
        for more in ("positional", "keyword"):
            uncached = torch._inductor.config.patch(fx_graph_cache=False)
            with self.subTest(argument=more), uncached, contextlib.ExitStack() as all_at_once:
                given = {}
                for name in names:
                    importlib.import_module(hooks.TABLE[name].module)
                    given[name] = all_at_once.enter_context(self.giving(name, more))
                dump = self.dump("inductor")
                self.assertEqual((dump.problems(), dump.unswapped()), ([], []))
                self.assertEqual([name for name in names if not given[name]], [])
                self.assertTrue([n for n in dump.names if ".kernel_0." in n])

    def test_bytecode_hook_is_given_more(self) -> None:
        from depyf._torch import frames

        hook = frames._hook

        def register(given: Callable[..., Any]) -> Any:
            self.assertIs(given, hook)
            return real(lambda old, new: given(old, new, ONE_MORE, frame=None))

        real = hooks.get("bytecode hook")
        get = hooks.get
        changed: Any = lambda name: register if name == "bytecode hook" else get(name)  # noqa: E731
        with mock.patch.object(hooks, "get", changed):
            dump = self.dump()
        self.assertEqual((dump.problems(), dump.unswapped(), len(dump.of("bytecode"))), ([], [], 4))

    def test_debugging_without(self) -> None:
        for hook in hooks.TABLE.values():
            if not hook.debug or not hooks.needed(hook):
                continue
            renamed = hook._replace(attribute=hook.attribute + "_of_old")
            with self.subTest(hook.name), mock.patch.dict(hooks.TABLE, {hook.name: renamed}):
                if hook.name == "code of kernels":
                    self.assertEqual(search._with_code(lambda: 1, []), 1)  # The answer names no kernel then.
                    continue
                with self.assertRaises(hooks.Missing):
                    # depyf.debug and depyf run turn it into a warning, and go on; depyf.compare tells it.
                    if hook.name == "backends by name":
                        record.lookup("eager")
                    elif hook.name == "backends asked for":
                        numbers_of_programs.begin("compare")
                    else:
                        with freeze.graphs_from_files() if "interpreted" in hook.name else freeze.frozen():
                            pass

    @contextlib.contextmanager
    def table(self, hook: hooks.Hook) -> Iterator[None]:
        """Have the list, too, name another place."""
        with mock.patch.object(hooks, "_HOOKS", [hook if h.name == hook.name else h for h in hooks._HOOKS]):
            yield

    @contextlib.contextmanager
    def other_style(self, untried: bool = True) -> Iterator[None]:
        """Let depyf learn anew how this torch prints graphs, or have torch print them."""
        with mock.patch.object(printing, "_style", None), mock.patch.object(printing, "_untried", untried):
            yield

    @contextlib.contextmanager
    def giving(self, name: str, more: str) -> Iterator[list[int]]:
        """Have torch call a function with one more argument, which the function knows."""
        owner, attribute = hooks.place(name)
        function = vars(owner)[attribute]
        given: list[int] = []
        extra: dict[str, Any] = {"one_more": ONE_MORE} if more == "keyword" else {}

        @functools.wraps(function.__func__ if isinstance(function, classmethod) else function)
        def knows(*args: Any, **kwargs: Any) -> Any:
            real = function.__func__ if isinstance(function, classmethod) else function
            kwargs.pop("one_more", None)
            return real(*(a for a in args if a is not ONE_MORE), **kwargs)

        if isinstance(owner, types.ModuleType) and name not in LIMITS:
            # Others have imported the function by name: what they have becomes the caller.
            real = types.FunctionType(function.__code__, function.__globals__, name, function.__defaults__)
            real.__kwdefaults__ = function.__kwdefaults__
            before = function.__code__
            module = types.ModuleType("later_torch")
            vars(module).update(real=real, ONE_MORE=ONE_MORE)
            exec(_LATER, vars(module))
            setattr(owner, attribute, module.known)
            module.given, module.extra, module.owner, module.attribute = given, extra, owner, attribute
            module.positional = more == "positional"
            importlib.import_module("sys").modules["later_torch"] = module
            function.__code__ = _CALLER
            try:
                yield given
            finally:
                function.__code__ = before
                setattr(owner, attribute, function)
            return

        setattr(owner, attribute, classmethod(knows) if isinstance(function, classmethod) else knows)
        attach = capture.install

        def install(swap: bool) -> Any:
            # Once depyf has put its own in the place, torch begins to give more.
            patches = attach(swap)
            ours = vars(owner)[attribute]
            inner = ours.__func__ if isinstance(ours, classmethod) else ours

            def gives(*args: Any, **kwargs: Any) -> Any:
                given.append(1)
                return inner(*args, *([ONE_MORE] if more == "positional" else []), **kwargs, **extra)

            shown = classmethod(gives) if isinstance(ours, classmethod) else gives
            setattr(owner, attribute, shown)
            return patches

        try:
            with mock.patch.object(capture, "install", install):
                yield given
        finally:
            setattr(owner, attribute, function)


_LATER = """
def known(*args, **kwargs):
    import later_torch
    kwargs.pop("one_more", None)
    return later_torch.real(*(a for a in args if a is not later_torch.ONE_MORE), **kwargs)
"""


def _caller(*args: Any, **kwargs: Any) -> Any:
    import later_torch  # type: ignore[import-not-found]

    later_torch.given.append(1)
    more = (later_torch.ONE_MORE,) if later_torch.positional else ()
    return getattr(later_torch.owner, later_torch.attribute)(*args, *more, **kwargs, **later_torch.extra)


_CALLER = _caller.__code__


class Table(unittest.TestCase):
    def test_no_place_is_forgotten(self) -> None:
        """Nothing private of torch is imported or named but through the table, or beside a place in it."""
        known = {h.module for h in hooks.TABLE.values()}
        for path in sorted((support.ROOT / "python" / "depyf").rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                for name in _private(node):
                    with self.subTest(path.name, name=name):
                        self.assertTrue(name in known or (path.name, name) in BESIDE, "%s has no hook" % name)

    def test_the_rationale_shows_it(self) -> None:
        text = (support.ROOT / "docs" / "rationale.md").read_text(encoding="utf-8")
        rows = re.findall(r"^\| `(torch\S+)` \| (.*?) \| (.*?) \| (.*?) \| (.*?) \|$", text, re.MULTILINE)
        self.assertEqual(rows, [row(h) for h in hooks.TABLE.values()])


# Imports beside a hook, in the function that uses it.
BESIDE = {
    ("reasons.py", "torch._dynamo"),  # The name under which convert_frame imports what the hook replaces.
    ("printing.py", "torch._subclasses.fake_tensor"),  # A failure there makes torch print the graph.
    ("outcomes.py", "torch._dynamo"),  # The settings, which are public.
    ("debugging.py", "torch._dynamo"),  # torch.compile's own import.
    # The base of classes; without it depyf.compare is not imported, and says so.
    ("precise.py", "torch.utils._python_dispatch"),
    ("watch.py", "torch.utils._python_dispatch"),
    # How torch takes arguments apart. Where it fails, depyf.compare says so.
    ("clones.py", "torch.utils._pytree"),
    ("comparing.py", "torch.utils._pytree"),
    ("exact.py", "torch.utils._pytree"),
    ("stepping.py", "torch.utils._pytree"),
    ("places.py", "torch._ops"),  # What it calls an operator in a graph.
    ("segments.py", "torch._C"),  # Dynamo's own calls in a graph, which are compared with and not made.
    ("segments.py", "torch.amp.autocast_mode._exit_autocast"),
    ("program.py", "torch.autograd.Variable._execution_engine"),  # With --compare: when the backward pass has ended.
}


def _private(node: ast.AST) -> Iterator[str]:
    """Yield the private modules of torch that a statement imports, or that an expression names."""
    if isinstance(node, ast.Attribute):
        holder, _, name = ast.unparse(node).rpartition(".")
        if re.fullmatch(r"torch(\.\w+)*", holder) and not name.startswith("__"):
            private = [n for n in (holder, "%s.%s" % (holder, name)) if re.search(r"\._(?!_)", n)]
            yield from private[:1]
        return
    if isinstance(node, ast.ImportFrom) and node.module and not node.level:
        names = [node.module]
    elif isinstance(node, ast.Import):
        names = [a.name for a in node.names]
    else:
        return
    yield from (n for n in names if n.startswith("torch.") and "._" in n)


def row(hook: hooks.Hook) -> tuple[str, ...]:
    """A row of the table in docs/rationale.md."""
    first, last = ("%d.%d" % hook.since, "" if hook.until == hooks._STILL else "%d.%d" % hook.until)
    versions = "all" if not last and hook.since == hooks._ALWAYS else "before " + last if last else "from " + first
    return hook.path, "public" if hook.public else "private", versions, hook.lost, hook.instead


def markdown() -> str:
    head = "| place | | torch | without it a dump lacks | instead of it |\n|---|---|---|---|---|\n"
    return head + "".join("| `%s` | %s | %s | %s | %s |\n" % row(h) for h in hooks.TABLE.values())


if __name__ == "__main__":
    unittest.main()
