"""TorchCompileWrapperWithCustomDispatcher, and install()."""

from __future__ import annotations

import io
import logging
import threading
import unittest

import support
import torch
from depyf.optimization import TorchCompileWrapperWithCustomDispatcher


class Function(TorchCompileWrapperWithCustomDispatcher):
    """Not a module: each version is chosen by an argument that forward does not know."""

    def __init__(self, scale: float) -> None:
        self.scale = scale
        super().__init__(torch.compile(self.forward, backend="eager"))

    def __call__(self, x, version=None):
        if version is None:
            return self.compiled_callable(x)
        with self.dispatch_to_code(version):
            return self.forward(x)

    def forward(self, x):
        if x.shape[0] == 3:
            return x * self.scale
        return x - self.scale


class Module(torch.nn.Module, TorchCompileWrapperWithCustomDispatcher):
    def __init__(self) -> None:
        torch.nn.Module.__init__(self)
        self.linear = torch.nn.Linear(4, 4)
        compiled = torch.compile(self.forward, backend="eager")
        TorchCompileWrapperWithCustomDispatcher.__init__(self, compiled)

    def __call__(self, x):
        if not self.compiled_codes:
            return self.compiled_callable(x)
        with self.dispatch_to_code(0):
            return self.forward(x)

    def forward(self, x):
        return self.linear(x).relu()


class Dispatcher(support.TorchCase):
    def test_function(self) -> None:
        f, other = Function(2.0), Function(5.0)
        original = Function.forward.__code__
        three, four = torch.ones(3), torch.ones(4)
        self.assertTrue(torch.equal(f(three), three * 2))
        self.assertTrue(torch.equal(f(four), four - 2))
        self.assertTrue(torch.equal(other(three), three * 5))
        self.assertEqual((len(f.compiled_codes), len(other.compiled_codes)), (2, 1))
        self.assertIs(f.original_code_object, original)
        # No guard is asked: version 1 subtracts whatever the shape is.
        self.assertTrue(torch.equal(f(three, 0), three * 2))
        self.assertTrue(torch.equal(f(three, 1), three - 2))
        self.assertIs(Function.forward.__code__, original)

    def test_module(self) -> None:
        m, x = Module(), torch.rand(2, 4)
        want = m.forward(x)
        self.assertTrue(torch.allclose(m(x), want))
        self.assertTrue(torch.allclose(m(x), want))
        self.assertEqual(len(m.compiled_codes), 1)
        self.assertEqual(set(dict(m.named_parameters())), {"linear.weight", "linear.bias"})

    def test_restored_after_an_exception(self) -> None:
        f = Function(2.0)
        f(torch.ones(3))
        original = Function.forward.__code__
        with self.assertRaises(KeyError):
            with f.dispatch_to_code(0):
                self.assertIsNot(Function.forward.__code__, original)
                with f.dispatch_to_code(0):
                    raise KeyError
        self.assertIs(Function.forward.__code__, original)
        with self.assertRaises(IndexError):
            f.dispatch_to_code(7)

    def test_threads(self) -> None:
        f = Function(2.0)
        f(torch.ones(3))
        f(torch.ones(4))
        wrong: list = []

        def work(version: int) -> None:
            want = torch.ones(3) * 2 if version == 0 else torch.ones(3) - 2
            for _ in range(200):
                if not torch.equal(f(torch.ones(3), version), want):
                    wrong.append(version)

        threads = [threading.Thread(target=work, args=(i % 2,)) for i in range(4)]
        [t.start() for t in threads]
        [t.join() for t in threads]
        self.assertEqual(wrong, [])

    @support.needs_program
    def test_under_prepare_debug(self) -> None:
        f = Function(2.0)
        with support.dumping(self.folder) as dump:
            f(torch.ones(3))
        self.check(dump)
        self.assertEqual(len(f.compiled_codes), 1)
        self.assertTrue(torch.equal(f(torch.ones(3), 0), torch.ones(3) * 2))


@support.needs_program
class Install(support.TorchCase):
    def test_source_after_the_bytecode(self) -> None:
        import depyf

        out = io.StringIO()
        handler = logging.StreamHandler(out)
        log = torch._logging.getArtifactLogger("torch._dynamo.convert_frame", "bytecode")
        before = log.level
        torch._logging.set_logs(bytecode=True)
        log.addHandler(handler)
        depyf.install()
        try:
            torch.compile(lambda x: x.sin() + 1, backend="eager")(torch.ones(3))
        finally:
            depyf.uninstall()
            log.removeHandler(handler)
            torch._logging.set_logs()
            log.setLevel(before)
        text = out.getvalue()
        self.assertLess(text.index("MODIFIED BYTECODE"), text.index("possible source code:"))
        self.assertIn("= __compiled_fn", text)
        self.assertIn("verdict: proved", text)
        torch._dynamo.reset()
        with self.quiet():
            torch.compile(lambda x: x.cos() + 1, backend="eager")(torch.ones(3))


if __name__ == "__main__":
    unittest.main()
