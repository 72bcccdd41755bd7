"""depyf.compare names the operation whose numbers are wrong, and says nothing where none is."""

from __future__ import annotations

import contextlib
import io
import pathlib
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import depyf
import faults
import support
import torch
from depyf._numbers.measure import compare, unexplained
from depyf._numbers.search import _shaken
from depyf._numbers.segments import Segment
from depyf._numbers.stepping import Result, results
from depyf._numbers.stepping import Shaken as Stirred
from programs import ProgramCase

NEW = unittest.skipIf(support.TORCH < (2, 6), "numbers are compared from torch 2.6 on")


@unittest.skipIf(support.TORCH >= (2, 6), "this torch is new enough")
class Old(unittest.TestCase):
    def test_it_is_said(self) -> None:
        with self.assertRaisesRegex(RuntimeError, r"needs torch 2\.6 or later; this is torch 2\.\d$"):
            depyf.compare(torch.sin, torch.ones(2))


@support.needs_program
@NEW
class Faults(unittest.TestCase):
    def check(self, fault: faults.Fault) -> None:
        answer = depyf.compare(fault.function, *fault.inputs(), backend=fault.backend, **fault.options)
        self.assertFalse(answer)
        found = answer.to_dict()
        kinds = [w for w in found["wrong"] if w["kind"] == fault.kind]
        self.assertTrue(kinds, str(answer))
        wrong = kinds[0]
        named = [(o["operation"].split(".")[-1], o["line"]) for o in wrong["operations"]]
        self.assertIn((fault.operation.split(".")[-1], fault.line()), named, str(answer))
        self.assertLessEqual(len(named), fault.together, str(answer))
        self.assertEqual((wrong["pass"], wrong["who"]), (fault.back, fault.who), str(answer))
        self.assertIn("faults.py:%d" % fault.line(), str(answer))


def _test(fault: faults.Fault):
    return lambda self: self.check(fault)


for _fault in faults.FAULTS:
    setattr(Faults, "test_" + _fault.name, _test(_fault))


@support.needs_program
@NEW
class Healthy(unittest.TestCase):
    @support.on_the_later
    def test_no_false_alarm(self) -> None:
        for name, (function, inputs) in faults.healthy().items():
            with self.subTest(name):
                torch._dynamo.reset()
                answer = depyf.compare(function, *inputs, backend="aot_eager_decomp_partition")
                found = answer.to_dict()
                self.assertEqual((found["wrong"], found["unplaced"], found["notes"]), ([], [], []), str(answer))
                self.assertTrue(answer)
                self.assertGreater(found["graphs"], 0)


class Judgement(unittest.TestCase):
    def test_both_as_far_from_float64(self) -> None:
        """Of two results that are equally far off none is wrong: the computation has no such precision."""
        eager = [Result("output", "0", torch.tensor([1.0]))]
        gold = [Result("output", "0", torch.tensor([1.5], dtype=torch.float64))]
        for value, wrong in ((1.9, False), (3.0, False), (5.0, True), (1.5, True)):
            found = compare(eager, [Result("output", "0", torch.tensor([value]))], gold)
            self.assertEqual(len(found), 1)
            self.assertEqual(bool(unexplained(found, eager, [eager])), wrong, value)

    def test_kinds(self) -> None:
        """Infinities have a sign; complex numbers are as far apart as their parts."""
        inf, nan = float("inf"), float("nan")
        for a, b, gold, counts in (
            ([inf, 1.0], [-inf, 1.0], [inf, 1.0], (1, 0, 1)),
            ([inf, nan], [inf, inf], [1.0, inf], (1, 2, 1)),
            ([nan, -inf], [nan, -inf], [0.0, 0.0], None),
        ):
            eager, compiled = ([Result("output", "0", torch.tensor(v))] for v in (a, b))
            found = compare(eager, compiled, [Result("output", "0", torch.tensor(gold).double())])
            got = [(m["unequal"], m["eager_unlike"], m["compiled_unlike"]) for m in found]
            self.assertEqual(got, [] if counts is None else [counts], (a, b))
        eager = [Result("output", "0", torch.tensor([1 + 2j]))]
        for value, apart in ((1.0000001 + 2j, False), (2 + 1j, True)):
            found = compare(eager, [Result("output", "0", torch.tensor([value]))], None)
            self.assertEqual(bool(found), apart, value)


@NEW
class Shaken(unittest.TestCase):
    def test_what_is_changed_in_place_moves(self) -> None:
        """Statistics of a normalisation are results: how far precision lets them be apart is measured, too."""
        graph = torch.fx.Graph()
        x, mean, var = (graph.placeholder(name) for name in ("x", "mean", "var"))
        graph.output((graph.call_function(torch.nn.functional.batch_norm, (x, mean, var, None, None, True)),))
        values = [faults.data(64, 4) - faults.data(64, 4).mean(0), torch.zeros(4), torch.ones(4)]
        segment = Segment(torch.fx.GraphModule({}, graph), ["x", "mean", "var"], values, [False] * 3, {})
        args = (segment.names, segment.values, segment.wanted, segment.tangents)
        plain = {(r.kind, r.name): r.value for r in results(segment.gm, *args)}
        moved = {
            (r.kind, r.name): r.value
            for r in results(Stirred(segment.gm, 0).run, segment.names, _shaken(segment, 0), *args[2:])
        }
        self.assertEqual(set(moved), set(plain))
        off = float((moved["input", "mean"] - plain["input", "mean"]).abs().max())
        self.assertGreater(off, 1e-11)
        self.assertLess(off, 1e-7)


@support.needs_program
@NEW
class Surroundings(unittest.TestCase):
    def test_nothing_is_changed(self) -> None:
        """Parameters, buffers, gradients, modes, attributes, inputs and random numbers are what they were."""
        model, (x,) = faults.healthy()["counted"]
        model.train()
        model.linear.weight.grad = torch.ones(4, 4)
        torch.manual_seed(3)
        before = {k: v.clone() for k, v in model.state_dict().items()}
        state, given = torch.get_rng_state(), x.clone()
        self.assertTrue(depyf.compare(model, x, backend="aot_eager"))
        self.assertTrue(torch.equal(torch.get_rng_state(), state))
        self.assertTrue(torch.equal(x, given))
        self.assertEqual((model.calls, model.training), (0, True))
        self.assertTrue(torch.equal(model.linear.weight.grad, torch.ones(4, 4)))
        self.assertIsNone(model.linear.bias.grad)
        for k, v in model.state_dict().items():
            self.assertTrue(torch.equal(v, before[k]), k)

    @support.on_the_later
    def test_inductor(self) -> None:
        """A lowering that is wrong is found, with Inductor's kernel, in the dump, too."""
        from torch._inductor import lowering

        tanh = torch.ops.aten.tanh.default
        right, mul = lowering.lowerings[tanh], lowering.lowerings[torch.ops.aten.mul.Tensor]

        def function(x):
            y = x * 2
            return y.tanh() + 1

        with tempfile.TemporaryDirectory() as folder, support.dumping(folder) as dump:
            with mock.patch.dict(lowering.lowerings, {tanh: lambda x: mul(right(x), 1.01)}):
                answer = depyf.compare(function, torch.ones(4))
            wrong = answer.to_dict()["wrong"][0]
            self.assertEqual((wrong["who"], wrong["stage"]), ("compiled", "inductor"), str(answer))
            self.assertEqual([o["operation"] for o in wrong["operations"]], ["Tensor.tanh"])
            self.assertIn("tanh", wrong["kernels"][0])
        self.assertEqual(len(dump.of("wrong")), 1)

    def test_what_is_compiled_stays_compiled(self) -> None:
        times = []

        def backend(gm, inputs):
            times.append(1)
            return gm.forward

        other = torch.compile(lambda x: x + 1, backend=backend)
        other(torch.ones(2))
        fault = next(f for f in faults.FAULTS if f.name == "miscompiled_operation")
        self.assertFalse(depyf.compare(fault.function, *fault.inputs(), backend=fault.backend))
        other(torch.ones(2))
        self.assertEqual(len(times), 1)

    def test_in_the_dump(self) -> None:
        fault = next(f for f in faults.FAULTS if f.name == "miscompiled_operation")
        with tempfile.TemporaryDirectory() as folder:
            with support.dumping(folder) as dump:
                depyf.compare(fault.function, *fault.inputs(), backend=fault.backend)
            self.assertEqual(dump.problems(), [])
            # What is compiled to find the fault is not the program's.
            self.assertEqual(len([n for n in dump.names if "Captured_Graph" in n]), 1, dump.names)
            said = "`torch.tanh` goes wrong when compiled, at faults.py:%d." % fault.line()
            self.assertIn(said, (dump.folder / "index.md").read_text())
            self.assertIn('id="wrong"', (dump.folder / "report.html").read_text())
            path = depyf._binary.find()
            out = subprocess.run([path, "wrong", folder], stdout=subprocess.PIPE, universal_newlines=True, check=True)
            self.assertIn(said, out.stdout)

    def test_who_is_nearer(self) -> None:
        """Of what precision explains it is said how far each side is from float64."""

        def function(x):
            return x.half().float() * 3

        def kept(gm, inputs):
            return lambda x: (x * 3,)

        answer = depyf.compare(function, torch.linspace(0, 1, 7), backend=kept)
        self.assertTrue(answer, str(answer))
        self.assertRegex(str(answer), r"from float64 eager is off by 0\.000\d+, compiled code by \d\.\d+e-08")

    @support.on_the_later
    def test_script(self) -> None:
        fault = next(f for f in faults.FAULTS if f.name == "overflow_in_half_precision")
        answer = depyf.compare(fault.function, *fault.inputs(), backend=fault.backend)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "shows.py"
            self.assertTrue(answer.script(path))
            self.assertNotIn("depyf.", path.read_text().split('"""')[2])
            ran = subprocess.run(
                [sys.executable, str(path)], stdout=subprocess.PIPE, universal_newlines=True, check=True
            )
        self.assertRegex(ran.stdout, r"eager    0 tensor\(\[inf, inf, inf, inf\]")
        self.assertRegex(ran.stdout, r"compiled 0 tensor\(\[inf, inf, inf, inf\]")
        self.assertRegex(ran.stdout, r"float64  0 tensor\(\[162754\.79")

    @support.on_the_later
    def test_script_of_arguments_that_share_memory(self) -> None:
        """Torch's own mistake: compiled code reads the view before the change."""

        def function(whole, part):
            whole.add_(100)
            return part[0]

        whole = torch.arange(24, dtype=torch.float64).reshape(4, 6).clone()
        answer = depyf.compare(function, whole, whole[1:], backend="aot_eager", backward=False)
        if answer:
            self.skipTest("this torch makes no mistake here")
        self.assertIn("`Tensor.add_`, `operator.getitem` together go wrong when compiled", str(answer))
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "shows.py"
            self.assertTrue(answer.script(path))
            ran = subprocess.run(
                [sys.executable, str(path)], stdout=subprocess.PIPE, universal_newlines=True, check=True
            )
        for what, first in (("eager   ", 106), ("compiled", 100), ("float64 ", 106)):
            self.assertIn("%s 0 tensor([%d., " % (what, first), ran.stdout)
        self.assertIn("eager    input 1 has become tensor([[106., ", ran.stdout)

    def test_without_the_program(self) -> None:
        """Without the Go program the measurements are there, if not in words."""
        from depyf import _client

        fault = next(f for f in faults.FAULTS if f.name == "miscompiled_operation")
        with mock.patch.object(_client.client, "request", side_effect=_client.ServiceUnavailable("gone")):
            answer = depyf.compare(fault.function, *fault.inputs(), backend=fault.backend)
        self.assertFalse(answer)
        self.assertIn("torch.tanh", str(answer))

    def test_the_functions_own_error(self) -> None:
        def function(x):
            raise KeyError("mine")

        with self.assertRaisesRegex(KeyError, "mine"), contextlib.redirect_stderr(io.StringIO()):
            depyf.compare(function, torch.ones(2), backend="eager")


PROGRAM = """\
import torch

torch.manual_seed(0)
model = torch.nn.Linear(4, 4)


def bad(gm, inputs):
    for n in gm.graph.nodes:
        if n.target is torch.tanh:
            n.target = torch.sigmoid
    gm.recompile()
    return gm.forward


@torch.compile(backend=bad)
def loss(x):
    y = model(x)
    y = torch.tanh(y)
    return y.sum()


@torch.compile(backend=bad)
def endless(x):
    return torch.tanh(x), x / 0


@torch.compile(backend="aot_eager")
def root(x):
    return (torch.nn.functional.dropout(x, 0.5) * 0).sqrt().sum()


optimizer = torch.optim.SGD(model.parameters(), 0.1)
for _ in range(3):
    optimizer.zero_grad()
    print(loss(torch.randn(2, 4)).backward(), model.weight.grad)
    optimizer.step()
print(endless(torch.ones(2)))
w = torch.ones(3, requires_grad=True)
root(w).backward()
print(w.grad, torch.rand(1))
"""


LOWERED = """\
import torch
from torch._inductor import lowering

tanh = torch.ops.aten.tanh.default
right, mul = lowering.lowerings[tanh], lowering.lowerings[torch.ops.aten.mul.Tensor]
lowering.lowerings[tanh] = lambda x: mul(right(x), 1.01)


@torch.compile
def outer(x):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        def inner(x):
            return x.tanh()
        return inner(x)


outer(torch.ones(4))
"""


@support.needs_program
@NEW
class Program(ProgramCase):
    """`depyf run --compare` and `--find-nan`."""

    def setUp(self) -> None:
        super().setUp()
        self.write("train.py", PROGRAM)

    def run_with(self, *flags: str) -> str:
        plain = self.start(sys.executable, "-B", "train.py").stdout
        done = self.start(sys.executable, "-m", "depyf", "run", *flags, "--out", "dump", "train.py")
        # The program computes what it computes, wrong or not, and draws the same random numbers.
        self.assertEqual(done.stdout, plain)
        self.assertIn("depyf: the backward pass of `Tensor.sqrt`", done.stderr)
        self.assertEqual(support.Dump(self.home / "dump").problems(), [])
        return self.start(sys.executable, "-m", "depyf", "wrong", "dump").stdout

    def test_compare(self) -> None:
        said = self.run_with("--compare")
        self.assertEqual(said.count("* loss: `torch.tanh` goes wrong when compiled"), 1, said)
        self.assertIn("train.py:18 `y = torch.tanh(y)`", said)
        self.assertIn("* root: the backward pass of `Tensor.sqrt` makes the first number that is not finite", said)
        # An infinity that the program means does not hide what is wrong besides.
        self.assertIn("* endless: `torch.tanh` goes wrong when compiled", said)
        self.assertIn("* endless: `operator.truediv` makes the first number that is not finite, an infinity", said)

    def test_where_it_begins(self) -> None:
        self.write("train.py", LOWERED)
        done = self.start(sys.executable, "-m", "depyf", "run", "--compare", "--out", "dump", "train.py")
        self.assertIn("depyf: `Tensor.tanh` goes wrong when compiled, at train.py:13.", done.stderr)
        said = self.start(sys.executable, "-m", "depyf", "wrong", "dump").stdout
        self.assertIn("* inner: `Tensor.tanh` goes wrong when compiled", said)
        self.assertIn("it begins in Inductor: `aot_eager_decomp_partition` does not have it", said)

    def test_find_nan(self) -> None:
        said = self.run_with("--find-nan")
        self.assertNotIn("tanh", said)
        self.assertTrue(
            said.startswith("the backward pass of `Tensor.sqrt` makes the first number that is not finite"), said
        )


if __name__ == "__main__":
    unittest.main()
