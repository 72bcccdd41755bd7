"""What a dump says of recompilations, sizes that may vary and compile times, with every torch."""

from __future__ import annotations

import json
import logging
import pathlib
import subprocess
import sys
import unittest
from typing import Any

import support
import torch
from depyf import _binary
from facts import said
from support import TorchCase, dumping


def shaped(x, n):
    y = x.sin() * n
    return y + 1


def broken(x):
    y = x.sin()
    torch._dynamo.graph_break()
    return y + 1


@support.needs_program
class Reasons(TorchCase):
    def read(self, name: str) -> str:
        with open(self.folder + "/" + name, encoding="utf-8") as f:
            return f.read()

    def test_recompilations(self) -> None:
        """Which check of which version failed, in index.md, in the page and at the guard itself."""
        compiled = torch.compile(shaped, backend="eager", dynamic=False)
        calls = [(torch.ones(3), 2), (torch.ones(4), 2), (torch.ones(4, dtype=torch.float64), 2), (torch.ones(3), 5)]
        with self.quiet(), dumping(self.folder) as dump:
            for args in calls:
                torch.testing.assert_close(compiled(*args), shaped(*args))
        self.check(dump)
        self.assertEqual(dump.figures(), {"frames": 4, "proven": 4, "swapped": 4})
        index = self.read("index.md")
        parts = index.split("**Recompiled** as version ")[1:]
        self.assertEqual([p[0] for p in parts], ["1", "2", "3"], index)
        self.assertRegex(parts[0], r"- version 0: `tensor .*x.* size mismatch at index 0. expected 3, actual 4`")
        self.assertRegex(parts[1], r"- version 1: `tensor .*x.* dtype mismatch. expected Float, actual Double`")
        self.assertRegex(parts[2], r"- version 0: `(n|L\['n'\]) == 2`(, from `[^`]*sin.*` at test_reasons.py:\d+)?\n")
        self.assertIn("torch._dynamo.mark_dynamic", self.read("report.html"))
        full = self.read("full_code_for_shaped_0.py")
        self.assertRegex(full, r"L\['n'\] == 2 .*FAILED, hence recompiled: ")
        self.assertRegex(full, r"FAILED, hence recompiled: tensor .* mismatch")

    @unittest.skipIf(support.TORCH < (2, 3), "this torch has no structured log")
    def test_program_that_turns_logging_off(self) -> None:
        """What torch records is heard all the same, where torch's own handler waits for its first record."""
        from torch._logging import _internal

        idle = _internal.LazyTraceHandler(None)
        _internal.trace_log.addHandler(idle)
        self.addCleanup(_internal.trace_log.removeHandler, idle)
        logging.disable(logging.WARNING)
        self.addCleanup(logging.disable, logging.NOTSET)
        compiled = torch.compile(broken, backend="eager")
        with self.quiet(), dumping(self.folder) as dump:
            compiled(torch.ones(3))
            compiled(torch.ones(4))
        self.check(dump)
        self.assertIn("dynamo_start", str(dump.of("trace")))
        self.assertIn("size mismatch", self.read("index.md"))

    @unittest.skipIf(support.TORCH < (2, 6), "depyf does not listen for it")
    def test_without_cuda_graphs(self) -> None:
        """torch's warning is in the answers, and reaches the user as ever; tests/torch/gpu/graphs.py leads to it."""
        from torch._inductor import cudagraph_utils

        why = (
            'skipping cudagraphs due to mutated inputs (1 instances). Found from : \n   File "%s", line %d, in broken\n'
        )
        why = why % (__file__, broken.__code__.co_firstlineno + 1)
        log = getattr(cudagraph_utils, "cudagraphs_log", None) or cudagraph_utils.perf_hint_log
        compiled = torch.compile(broken, backend="eager")
        with dumping(self.folder) as dump, self.assertLogs(log, logging.WARNING) as heard:
            compiled(torch.ones(3))
            for _ in range(2):
                cudagraph_utils.log_cudagraph_skip_and_bump_counter(why)
        self.check(dump)
        self.assertEqual([r.getMessage() for r in heard.records], [why, why])
        (told,) = said.report(str(_binary.find()), pathlib.Path(self.folder))["without_cuda_graphs"]
        self.assertEqual((told["times"], told["line"], told["skipped"]), (2, broken.__code__.co_firstlineno + 1, True))
        index = self.read("index.md").partition("## Without CUDA graphs")[2]
        self.assertIn("**mutated inputs (1 instances)**", index)
        self.assertIn("mark_static_address", index)
        self.assertFalse(log.filters)

    @unittest.skipIf(support.TORCH < (2, 7), "words the text of a break elsewhere")
    def test_records_that_no_report_shows(self) -> None:
        """torch makes no listings of bytecode for us, and no tracebacks of its own frames."""
        compiled = torch.compile(broken, backend="eager")
        with self.quiet(), dumping(self.folder):
            compiled(torch.ones(3))
        artifacts: dict[str, Any] = {}
        for line in (pathlib.Path(self.folder) / "events.jsonl").read_text(encoding="utf-8").splitlines():
            event = json.loads(line)
            if event["type"] == "trace":
                envelope = event["fields"]["envelope"]
                if isinstance(envelope, dict):
                    continue  # A long one lies among the blobs.
                name = json.loads(envelope).get("artifact", {}).get("name", "")
                artifacts[name] = event["fields"].get("payload")
        self.assertNotRegex("\n".join(artifacts), "_BYTECODE")
        text = artifacts["dynamo_graph_break_reason"]
        self.assertIsInstance(text, str)
        self.assertIn("graph_break()", text)
        self.assertNotIn("symbolic_convert.py", text)

    def test_sizes_and_times(self) -> None:
        """The second size makes it symbolic; the page says how long each version took to compile."""
        compiled = torch.compile(shaped, backend="aot_eager")
        with self.quiet(), dumping(self.folder) as dump:
            for n in (3, 4, 5):
                torch.testing.assert_close(compiled(torch.ones(n), 2), shaped(torch.ones(n), 2))
        self.check(dump)
        self.assertEqual(dump.figures(), {"frames": 2, "proven": 2, "swapped": 2})
        index, page = self.read("index.md"), self.read("report.html")
        _, told, rest = index.partition("**Sizes and numbers that may vary** in version 1:\n\n")
        self.assertTrue(told, index)
        self.assertRegex(rest, r"^- `s\d+` is `L\['x'\].size\(\)\[0\]`: 4 when compiled; may be 2 or more")
        self.assertNotIn("may vary** in version 0", index)
        self.assertRegex(page, r"<code>s\d+</code> is <code>L\[&#39;x&#39;\].size\(\)\[0\]</code>: 4 when compiled")
        self.assertEqual(page.count("<small>compiled in "), 2)
        self.assertIn("</b> of compiling", page)

    def spent(self, backend: str) -> tuple[dict[str, float], list[Any], str]:
        """Compile a function and its backward pass; what is said of the time, and torch's own figures."""
        compiled = torch.compile(shaped, backend=backend)
        utils = torch._dynamo.utils
        getattr(utils, "clear_compilation_metrics", int)()
        with self.quiet(), dumping(self.folder):
            compiled(torch.ones(3, requires_grad=True), 2).sum().backward()
        said = subprocess.check_output([sys.executable, "-m", "depyf", "report", "--format", "json", self.folder])
        (told,) = json.loads(said)["spent"]
        return told, list(getattr(utils, "get_compilation_metrics", list)()), self.read("index.md")

    @support.on_the_later
    def test_where_the_time_went(self) -> None:
        """The phases are torch's own figures, and add up to the whole."""
        told, figures, index = self.spent("inductor")
        self.assertIn("## Where compile time went", index)
        if support.TORCH < (2, 6):
            self.assertIsNone(told["phases"])
            self.assertIn("What Inductor spent its share on, torch did not tell.", index)
            return

        def torch_says(name: str) -> float:
            return sum((getattr(m, name) or 0) for m in figures) / 1e6

        phases = told["phases"]
        self.assertEqual(list(phases), ["aot_autograd", "inductor", "kernels"])
        self.assertGreater(phases["inductor"], 0)
        kernels = torch_says("triton_compile_time_us")
        inductor = torch_says("inductor_cumulative_compile_time_us")
        backend = torch_says("aot_autograd_cumulative_compile_time_us")
        backward = torch_says("backward_cumulative_compile_time_us")
        self.assertAlmostEqual(phases["kernels"], kernels, 4)
        self.assertAlmostEqual(phases["inductor"], inductor - kernels, 4)
        self.assertAlmostEqual(phases["aot_autograd"], backend + backward - inductor, 4)
        self.assertAlmostEqual(told["dynamo"], torch_says("dynamo_cumulative_compile_time_us") - backend, 4)
        self.assertAlmostEqual(told["total"] + told["backward"], told["dynamo"] + sum(phases.values()), 4)
        self.assertRegex(index, r"AOTAutograd adds backward passes and splits operations into basic ones, Inductor")

    def test_where_the_time_went_without_inductor(self) -> None:
        """With aot_eager all of the backend is AOTAutograd."""
        told, _, _ = self.spent("aot_eager")
        self.assertAlmostEqual(told["phases"]["aot_autograd"], told["backend"] + told["backward"], 6)
        self.assertEqual((told["phases"]["inductor"], told["phases"]["kernels"]), (0, 0))

    @unittest.skipIf(support.TORCH < (2, 6), "this torch does not say where")
    def test_second_block(self) -> None:
        """torch tells the name of each file once; every block knows it."""
        for block in ("first", "second"):
            torch._dynamo.reset()
            compiled = torch.compile(shaped, backend="eager")
            with self.quiet(), dumping(self.folder + "/" + block) as dump:
                for n in (3, 4):
                    compiled(torch.ones(n), 2)
            self.check(dump)
            self.assertRegex(self.read(block + "/index.md"), r"may be 2 or more; met at test_reasons\.py:\d+")


if __name__ == "__main__":
    unittest.main()
