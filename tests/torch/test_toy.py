"""The documentation's example on this interpreter's torch, all backends."""

from __future__ import annotations

import pathlib
import unittest

import support
import torch
from support import TorchCase, dumping


def toy_example(a, b):
    x = a / (torch.abs(a) + 1)
    if b.sum() < 0:
        b = b * -1
    return x * b


STAGES = {
    "eager": {"Captured_Graph"},
    "aot_eager": {"Captured_Graph", "Forward_graph"},
    "inductor": {"Captured_Graph", "Forward_graph", "AFTER_POST_GRAD", "kernel"},
}


@support.needs_program
class Toy(TorchCase):
    def run_toy(self, backend: str, requires_grad: bool, **options: bool) -> support.Dump:
        compiled = torch.compile(toy_example, backend=backend)
        with self.quiet(), dumping(self.folder, **options) as dump:
            for sign in (1, -1, 1, -1):
                a = torch.randn(10, requires_grad=requires_grad)
                b = (sign * torch.rand(10)).requires_grad_(requires_grad)
                want = toy_example(a, b)
                got = compiled(a, b)
                torch.testing.assert_close(got, want)
                if requires_grad:
                    (ga,) = torch.autograd.grad(want.sum(), a)
                    (gb,) = torch.autograd.grad(got.sum(), a)
                    torch.testing.assert_close(ga, gb)
        self.check(dump)
        return dump

    def check_toy(self, backend: str, requires_grad: bool) -> None:
        dump = self.run_toy(backend, requires_grad)
        self.assertEqual(len(dump.of("bytecode")), 3)
        self.assertEqual(dump.unswapped(), [])
        self.assertIn("full_code_for_toy_example_0.py", dump.names)
        self.assertIn("__transformed_code_0_for_toy_example.py", dump.names)
        self.assertIn("index.md", dump.names)
        wanted = set(STAGES[backend])
        if requires_grad and backend != "eager":
            wanted |= {"Joint_graph", "Backward_graph"}
        # torch counts on from test to test, so that the numbers differ.
        graphs = {n.split(".")[0] for n in dump.names if n.startswith("__compiled_fn_")}
        first = min(graphs, key=lambda n: int(n.rsplit("_", 1)[1]))
        found = {n.split(".")[1].split("_0")[0] for n in dump.names if n.startswith(first + ".")}
        self.assertLessEqual(wanted, found)
        self.assertEqual([n for n in dump.names if n.endswith(".lock")], [])

    def test_eager(self) -> None:
        self.check_toy("eager", False)

    def test_eager_grad(self) -> None:
        self.check_toy("eager", True)

    def test_aot_eager(self) -> None:
        self.check_toy("aot_eager", False)

    def test_aot_eager_grad(self) -> None:
        self.check_toy("aot_eager", True)

    @support.on_the_older
    def test_inductor(self) -> None:
        self.need_inductor()
        self.check_toy("inductor", False)

    @support.on_the_later
    def test_inductor_grad(self) -> None:
        self.need_inductor()
        self.check_toy("inductor", True)

    def test_log_bytecode(self) -> None:
        dump = self.run_toy("eager", False, log_bytecode=True)
        kinds = {n.rsplit(".", 1)[1] for n in dump.names if n.endswith("_bytecode")}
        self.assertLessEqual({"original_bytecode", "transformed_bytecode"}, kinds)

    def test_reason_of_a_graph_break(self) -> None:
        def talks(x):
            y = x.sin()
            print("", end="")
            return y + 1

        with self.quiet(), dumping(self.folder) as dump:
            torch.compile(talks, backend="eager")(torch.ones(3))
        self.check(dump)
        with open(self.folder + "/index.md", encoding="utf-8") as f:
            index = f.read()
        self.assertRegex(index, r"\*\*Graph break\*\* at .*test_toy.py:\d+`? `print")

    def test_two_variables_named_underscore(self) -> None:
        # The second one is `__1` in the graph, which the class around it makes another name.
        def drops(x):
            y = x.sin()
            _ = y.add_(1)
            _ = y.mul_(2)
            return y

        with self.quiet(), dumping(self.folder) as dump:
            torch.compile(drops, backend="eager")(torch.ones(8))
        self.check(dump)
        (graph,) = (n for n in dump.names if ".Captured_Graph" in n)
        text = (pathlib.Path(self.folder) / graph).read_text(encoding="utf-8")
        self.assertRegex(text, r"# File: .*test_toy.py:\d+")
        self.assertRegex(text, r"\b__1\b.* = y.mul_")

    def test_reason_of_a_condition(self) -> None:
        self.run_toy("eager", False)
        with open(self.folder + "/index.md", encoding="utf-8") as f:
            index = f.read()
        self.assertRegex(index, r"\*\*Graph break\*\* at test_toy.py:\d+ `if b.sum\(\) < 0:`: [^\n]*[Dd]ata-dependent")
        self.assertNotIn("does not say why", index)

    def test_enter_and_exit_apart(self) -> None:
        import depyf

        def begin():
            manager = depyf.prepare_debug(self.folder)
            manager.__enter__()
            return manager

        def end(manager):
            manager.__exit__(None, None, None)

        manager = begin()
        torch.compile(toy_example, backend="eager")(torch.ones(3), torch.ones(3))
        end(manager)
        dump = support.Dump(__import__("pathlib").Path(self.folder))
        self.check(dump)
        self.assertEqual(len(dump.of("bytecode")), 2)

    def test_nothing_stays_behind(self) -> None:
        from torch._dynamo import convert_frame
        from torch._dynamo.utils import lazy_format_graph_code
        from torch.fx.graph_module import GraphModule

        def state():
            return (
                lazy_format_graph_code.__code__,
                GraphModule.recompile,
                len(convert_frame._bytecode_hooks),
                vars(torch._inductor.codecache.PyCodeCache)["load_by_key_path"],
            )

        import torch._inductor.codecache

        before = state()
        with self.assertRaises(ZeroDivisionError), dumping(self.folder):
            torch.compile(toy_example, backend="eager")(torch.ones(3), torch.ones(3))
            raise ZeroDivisionError
        self.assertEqual(state(), before)

    def test_nested_blocks(self) -> None:
        inner = self.folder + "/inner"
        with dumping(self.folder + "/outer") as first:
            torch.compile(toy_example, backend="eager")(torch.ones(3), torch.ones(3))
            torch._dynamo.reset()
            with dumping(inner) as second:
                torch.compile(toy_example, backend="eager")(torch.ones(3), torch.ones(3))
            torch._dynamo.reset()
            torch.compile(toy_example, backend="eager")(torch.ones(3), torch.ones(3))
        for dump, frames in ((first, 4), (second, 2)):
            self.check(dump)
            self.assertEqual(len(dump.of("bytecode")), frames)


if __name__ == "__main__":
    unittest.main()
