"""The documentation's examples that are more than a function to compile."""

from __future__ import annotations

import unittest

import support
import torch
from support import TorchCase, dumping


class Part(torch.nn.Module):
    def __init__(self, i: int) -> None:
        super().__init__()
        self.i = i

    def forward(self, x):
        return x + self.i


class Model(torch.nn.Module):
    """A hundred submodules: each one has guards of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.parts = torch.nn.ModuleList(Part(i) for i in range(100))

    def forward(self, x):
        for part in self.parts:
            x = part(x)
        return x


@support.needs_program
class Documented(TorchCase):
    def check_dispatcher(self, backend: str) -> None:
        from depyf.optimization import TorchCompileWrapperWithCustomDispatcher

        class Dispatched(TorchCompileWrapperWithCustomDispatcher):
            def __init__(self, model):
                self.model = model
                super().__init__(torch.compile(self.forward, backend=backend))

            def forward(self, x, flag=False):
                x = self.model(x)
                return x * 2 if flag else x

            def __call__(self, x, version):
                if len(self.compiled_codes) <= version:
                    return self.compiled_callable(x, flag=bool(version))
                with self.dispatch_to_code(version):
                    return self.forward(x)

        model = Model()
        x = torch.ones(3)
        wrapped = Dispatched(model)
        with dumping(self.folder) as seen:
            first = [wrapped(x, v) for v in (0, 1)]
        again = [wrapped(x + 1, v) for v in (0, 1, 0)]
        self.assertEqual(len(wrapped.compiled_codes), 2)
        for got, want in zip(first, (model(x), model(x) * 2)):
            torch.testing.assert_close(got, want)
        for got, want in zip(again, (model(x + 1), model(x + 1) * 2, model(x + 1))):
            torch.testing.assert_close(got, want)
        self.check(seen)
        self.assertEqual(seen.unswapped(), [])

    def test_dispatcher_eager(self) -> None:
        self.check_dispatcher("eager")

    def test_dispatcher_aot_eager(self) -> None:
        self.check_dispatcher("aot_eager")

    def test_export(self) -> None:
        with dumping(self.folder) as dump:
            exported = torch.export.export(Model(), (torch.ones(3),))
        run = exported.module() if hasattr(exported, "module") else exported
        torch.testing.assert_close(run(torch.ones(3)), Model()(torch.ones(3)))
        self.check(dump)

    def test_function_without_a_graph(self) -> None:
        with dumping(self.folder) as dump:
            self.assertEqual(torch.compile(lambda x: 3, backend="eager")(5), 3)
        self.check(dump)
        self.assertEqual(dump.unswapped(), [])

    def test_two_shapes(self) -> None:
        """Two versions, in the order in which torch tries them; the size is in the guards."""

        def shaped(inputs):
            a, b = inputs["a"], inputs["b"]
            return a / (torch.abs(a) + 1) * b

        compiled = torch.compile(shaped, backend="eager", dynamic=False)
        with dumping(self.folder) as dump:
            for n in (10, 5):
                inputs = {"a": torch.ones(n), "b": torch.ones(n)}
                torch.testing.assert_close(compiled(inputs), shaped(inputs))
        self.check(dump)
        text = (dump.folder / "full_code_for_shaped_0.py").read_text(encoding="utf-8")
        self.assertEqual(dump.figures(), {"frames": 2, "proven": 2, "swapped": 2})
        first, _, second = text[text.index("def __guard_0_for_shaped") :].partition("def __guard_1_for_shaped")
        for guard, size in ((first, 10), (second, 5)):
            for name in "ab":
                self.assertIn("L['inputs']['%s'].shape == (%d,)" % (name, size), guard)


if __name__ == "__main__":
    unittest.main()
