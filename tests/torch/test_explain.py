"""depyf.explain: the function's own results, and an answer about how it was compiled."""

from __future__ import annotations

import os
import pathlib
import subprocess

import depyf
import support
import torch
import warm
from support import TorchCase


def breaks(x):
    y = x + 1
    torch._dynamo.graph_break()
    return y * 2


def scaled(x, n=1):
    return x * n


@support.needs_program
class Explain(TorchCase):
    def test_answer(self) -> None:
        with self.quiet():
            answer = depyf.explain(breaks, torch.ones(3), backend="eager")
        self.assertTrue(torch.equal(answer.result, torch.full((3,), 4.0)))
        at = "test_explain.py:%d" % (breaks.__code__.co_firstlineno + 2)
        if support.TORCH >= (2, 3):
            self.assertIn(at, str(answer))
            self.assertEqual(len(answer.json()["break_lines"]), 1)
        self.assertIn("`breaks`", str(answer))
        self.assertEqual(repr(answer), str(answer))
        self.assertEqual(answer.json()["form"], 1)
        shown = answer._repr_html_()
        self.assertIn('<div class="depyf">', shown)
        self.assertIn("srcdoc=", shown)
        # What the command says of the same dump, it says too.
        path = depyf._binary.find()
        done = subprocess.run(
            [path, "explain", answer.folder], stdout=subprocess.PIPE, universal_newlines=True, check=True
        )
        self.assertIn(done.stdout.strip().replace("DUMP_DIR", answer.folder), str(answer))
        dump = support.Dump(pathlib.Path(answer.folder))
        self.check(dump)
        self.assertEqual(dump.figures()["swapped"], 0)

    def test_several_calls(self) -> None:
        answer = depyf.explain(scaled, calls=[(torch.ones(3), 2), (torch.ones(3), 3)], backend="eager", dynamic=False)
        self.assertEqual([r.tolist() for r in answer.result], [[2.0] * 3, [3.0] * 3])
        self.assertEqual(sum(c["recompilations"] for c in answer.json()["causes"]), 1, str(answer))
        again = depyf.explain(scaled, calls=[(torch.ones(3),)], backend="eager", n=5)
        self.assertEqual(again.result[0].tolist(), [5.0] * 3)

    def test_each_time_anew(self) -> None:
        """What an earlier call has compiled is not taken again: there would be nothing to see."""
        for _ in range(3):
            answer = depyf.explain(scaled, torch.ones(3), backend="eager")
            made = [c for c in answer.json()["compilations"] if c["version"] is not None]
            self.assertEqual([c["name"] for c in made], ["scaled"])

    def test_compiled_is_taken_as_it_is(self) -> None:
        graphs = []

        def backend(graph, inputs):
            graphs.append(graph)
            return graph.forward

        compiled = torch.compile(scaled, backend=backend)
        self.assertIn("`scaled`", str(depyf.explain(compiled, torch.ones(3))))
        self.assertIn("Nothing was compiled.", str(depyf.explain(compiled, torch.ones(3))))
        self.assertEqual(len(graphs), 1)
        with self.assertRaisesRegex(TypeError, "compiled already: backend cannot be changed"):
            depyf.explain(compiled, torch.ones(3), backend="eager")
        model = torch.nn.Linear(3, 3)
        self.assertEqual(depyf.explain(torch.compile(model, backend=backend), torch.ones(2, 3)).result.shape, (2, 3))
        self.assertEqual(depyf.explain(model, torch.ones(2, 3), backend=backend).result.shape, (2, 3))
        self.assertEqual(len(graphs), 3)
        if hasattr(model, "compile"):
            model.compile(backend=backend)
            self.assertEqual(depyf.explain(model, torch.ones(2, 3)).result.shape, (2, 3))
            with self.assertRaisesRegex(TypeError, "compiled already"):
                depyf.explain(model, torch.ones(2, 3), fullgraph=True)

    def test_block(self) -> None:
        compiled = torch.compile(scaled, backend="eager", dynamic=False)
        with depyf.explain() as answer:
            self.assertIn("has not ended", str(answer))
            self.assertIsNone(answer._repr_html_())
            compiled(torch.ones(3), 2)
            compiled(torch.ones(3), n=3)
        self.assertIn("1 recompilation", str(answer))
        self.assertIsNone(answer.result)
        with self.assertRaisesRegex(RuntimeError, "for one block"), answer:
            pass

    def test_raised(self) -> None:
        """What the function raises is not swallowed, and the answer is there."""

        def bad(x):
            y = x + 1
            raise KeyError(y.shape[0])

        with self.assertRaisesRegex(KeyError, "3"):
            depyf.explain(bad, torch.ones(3), backend="eager")
        last = depyf.explain.last
        self.assertEqual(last.raised, "KeyError: 3")
        self.assertIn("The call raised KeyError: 3", str(last))
        with self.assertRaises(ZeroDivisionError), depyf.explain() as answer:
            torch.compile(scaled, backend="eager")(torch.ones(3), 1 / 0)
        self.assertIs(depyf.explain.last, answer)
        self.assertEqual(answer.raised, "ZeroDivisionError: division by zero")

    def test_wrong_use(self) -> None:
        for args, options in (
            ((), {"backend": "eager"}),
            ((3, torch.ones(3)), {}),
            ((scaled, torch.ones(3)), {"calls": [(torch.ones(3),)]}),
            ((scaled,), {"calls": [torch.ones(3)]}),
        ):
            with self.assertRaises(TypeError):
                depyf.explain(*args, **options)

    def test_folder(self) -> None:
        kept = os.path.join(self.folder, "kept")
        answer = depyf.explain(scaled, torch.ones(3), backend="eager", folder=kept)
        self.assertEqual(answer.folder, kept)
        del answer
        self.assertTrue(os.path.isfile(os.path.join(kept, "report.html")))
        answer = depyf.explain(scaled, torch.ones(3), backend="eager")
        folder = answer.folder
        self.assertTrue(os.path.isfile(os.path.join(folder, "report.html")))
        del answer
        self.assertFalse(os.path.exists(folder))

    def test_last_dump_stays(self) -> None:
        """depyf.debug() is about the dump whose code runs."""
        from depyf._torch import session

        with support.dumping(self.folder):
            torch.compile(scaled, backend="eager")(torch.ones(3))
        depyf.explain(breaks, torch.ones(3), backend="eager")
        self.assertEqual(session.last_dir, self.folder)

    def program(self, text: str, **environment: str) -> str:
        env = {**os.environ, "PYTHONPATH": str(support.ROOT / "python"), **environment}
        done = subprocess.run(
            [warm.python(), "-c", text],
            env=env,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            universal_newlines=True,
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_forked(self) -> None:
        """A forked process ends with a copy of the answer, and leaves the folder alone."""
        out = self.program(
            "import depyf, os, torch\n"
            "answer = depyf.explain(lambda x: x + 1, torch.ones(2), backend='eager')\n"
            "child = os.fork()\n"
            "if child:\n"
            "    os.waitpid(child, 0)\n"
            "    print(os.path.isfile(answer.folder + '/report.html'), answer.folder)\n"
        )
        there, _, folder = out.strip().partition(" ")
        self.assertEqual((there, os.path.exists(os.path.dirname(folder))), ("True", False))

    def test_without_the_program(self) -> None:
        """The function runs and its result is there; the answer says what is missing."""
        out = self.program(
            "import depyf, torch\n"
            "answer = depyf.explain(lambda x: x + 1, torch.ones(2), backend='eager')\n"
            "print(answer.result.tolist(), answer._repr_html_(), answer)\n",
            DEPYF_BINARY="/nowhere",
        )
        self.assertIn("[2.0, 2.0] None There is no answer: DEPYF_BINARY names '/nowhere'", out)
