"""`depyf run` and DEPYF_DUMP: programs that do not mention depyf."""

from __future__ import annotations

import os
import pathlib
import re
import shutil
import sys
import unittest

import support
from programs import TOY, ProgramCase, cold_whatever_torch

END = """
    if __name__ == "__main__":
        import sys
        main()
        print("depyf" in globals(), sys.argv, __name__, __file__, sys.path[0])
"""
SPAWN = """
    import multiprocessing, program
    if __name__ == "__main__":
        context = multiprocessing.get_context("spawn")
        children = [context.Process(target=program.main) for _ in range(2)]
        [c.start() for c in children]
        [c.join() for c in children]
        assert [c.exitcode for c in children] == [0, 0]
"""
FORK = """
    import os, program
    program.main((1,))
    child = os.fork()
    if child == 0:
        program.main()
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    program.main()
"""

FAILING = """\
import program, sys, torch._dynamo

def load(path):
    return open(path)

def caught():
    try:
        load("weights")
    except OSError:
        program.main((1,))

def shown():
    try:
        load("weights")
    except OSError as e:  # As pytest does, for debuggers.
        sys.last_value = sys.last_exc = e

exec(sys.argv[1])
"""

# Line 9 is what rank 1 alone runs.
UNEVEN = """\
import os
import torch


@torch.compile(backend="eager")
def step(x):
    y = x + 1
    if os.environ["RANK"] == "1":
        print(1)
    return y * 2


step(torch.ones(3))
"""
# Real ranks of one job: one breaks the graph, one is compiled again.
RAGGED = """\
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
rank = dist.get_rank()


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)

    def forward(self, x):
        hidden = self.linear(x).relu()
        if rank == 1:
            print("here")
        return (hidden * 2).sum()


model = torch.nn.parallel.DistributedDataParallel(Net())
step = torch.compile(model, backend="aot_eager")
for size in [4, 5, 6] if rank == 2 else [4, 4, 4]:
    step(torch.ones(size, 4)).backward()
dist.barrier()
dist.destroy_process_group()
"""


@support.needs_program
class Run(ProgramCase):
    def setUp(self) -> None:
        super().setUp()
        self.write("program.py", TOY, END)
        self.write("spawning.py", SPAWN)
        self.write("forking.py", FORK)

    @cold_whatever_torch
    def test_script(self) -> None:
        done = self.depyf("run", "--out", "dump", "--", "program.py", "x", "--y")
        plain = self.start(sys.executable, "program.py", "x", "--y")
        self.assertEqual(done.stdout, plain.stdout)
        self.assertIn(str(self.home / "dump"), done.stderr)
        self.check(self.home / "dump", 3)

    @cold_whatever_torch
    def test_module(self) -> None:
        done = self.depyf("run", "-m", "program", "--out")
        self.assertIn("['%s', '--out'] __main__" % (self.home / "program.py"), done.stdout)
        self.check(self.home / "depyf_dump", 3)

    @cold_whatever_torch
    def test_the_go_program_finds_python(self) -> None:
        from depyf import _binary

        found = _binary.find()
        assert found is not None
        env = self.environment(DEPYF_PYTHON=sys.executable)
        self.start(found, "run", "--out=dump", "program.py", env=env)
        self.check(self.home / "dump", 3)

    def test_again_with_other_arguments(self) -> None:
        self.depyf("run", "--out", "dump", "program.py", "1")
        self.depyf("run", "--out", "dump", "program.py", "2")
        self.check(self.home / "dump", 3)
        self.assertEqual(list((self.home / "dump").glob("process_*")), [])

    @cold_whatever_torch
    def test_failing_program(self) -> None:
        done = self.depyf("run", "-c", "import program; program.main(); raise KeyError(3)", status=1)
        self.assertIn("KeyError: 3", done.stderr)
        self.assertNotIn("_run.py", done.stderr)
        self.check(self.home / "depyf_dump", 3)
        self.depyf("run", "-c", "raise SystemExit(7)", status=7)

    @cold_whatever_torch
    def test_what_ended_the_program(self) -> None:
        """A program that fails is told so, first of all where that is why nothing was compiled."""
        self.write("failing.py", FAILING)
        self.ended("program.main(); load('weights')", 3)

    @cold_whatever_torch
    def test_what_ended_the_program_before_it_compiled(self) -> None:
        self.write("failing.py", FAILING)
        self.ended("load('weights')", 0)

    def ended(self, main: str, count: int) -> None:
        self.depyf("run", "failing.py", main, status=1)
        dump = support.Dump(self.home / "depyf_dump")
        self.assertEqual((len(dump.of("bytecode")), dump.problems()), (count, []))
        index = (dump.folder / "index.md").read_text(encoding="utf-8")
        said = (
            "the program ended with `FileNotFoundError` at failing.py:4 in `load`: "
            "[Errno 2] No such file or directory: 'weights'"
        )
        self.assertEqual(index.count(said), 1, index)
        self.assertEqual(
            "**Nothing was compiled while depyf watched**: the program ended with an error" in index, not count
        )
        self.assertNotIn("may be the reason", index)
        page = (dump.folder / "report.html").read_text(encoding="utf-8")
        self.assertIn("the program ended with <code>FileNotFoundError</code> at failing.py:4", page)
        # Where a debugger watches this Python, the program is run inside of it.
        watched = "import sys; sys.settrace(lambda *_: None); from depyf import _run; _run.main(['failing.py', %r])"
        self.start(sys.executable, "-c", watched % main, status=1, env=self.environment())
        told = [
            (e["error_type"], [(f["line"], f["name"]) for f in e["error_stack"]])
            for e in (*dump.of("raised"), *support.Dump(dump.folder).of("raised"))
        ]
        self.assertEqual(len(told), 2)
        self.assertEqual(*told)

    def test_what_ended_nothing(self) -> None:
        """An error that was caught has ended nothing, nor has an exit."""
        self.write("failing.py", FAILING)
        for main, status in (("caught(); sys.exit(3)", 3), ("shown()", 0)):
            self.depyf("run", "failing.py", main, status=status)
            self.assertEqual(support.Dump(self.home / "depyf_dump").of("raised"), [])

    @cold_whatever_torch
    def test_nothing_compiled(self) -> None:
        done = self.depyf("run", "-c", "import sys; print('torch' in sys.modules)")
        self.assertEqual(done.stdout, "False\n")
        self.assertIn("nothing was compiled: the program did not import torch", done.stderr)
        # In a checkout nothing watches the programs that this one starts, and that may be why.
        self.assertIn("are watched where depyf is installed, and here it is not", done.stderr)
        self.assertFalse((self.home / "depyf_dump").exists())
        self.depyf("run", "-c", "import torch._dynamo")
        index = (self.home / "depyf_dump" / "index.md").read_text(encoding="utf-8")
        self.assertIn("Nothing was compiled", index)

    @cold_whatever_torch
    def test_debug_pauses_once(self) -> None:
        done = self.depyf("run", "--debug", "program.py", PYTHONBREAKPOINT="program.print")
        self.assertEqual(done.stdout.count("breakpoints are set"), 1, done.stdout)
        self.assertEqual(support.Dump(self.home / "depyf_dump").figures(), {"frames": 3, "proven": 3, "swapped": 3})

    def test_swap(self) -> None:
        wanted = {"frames": 3, "proven": 3, "swapped": 3}
        self.depyf("run", "--swap", "--out", "dump", "program.py")
        self.assertEqual(support.Dump(self.home / "dump").figures(), wanted)
        self.depyf("run", "--out", "dump", "program.py", DEPYF_SWAP="1")
        self.assertEqual(support.Dump(self.home / "dump").figures(), wanted)
        self.depyf("run", "--out", "dump", "program.py", DEPYF_SWAP="0")
        self.assertEqual(support.Dump(self.home / "dump").figures(), {**wanted, "swapped": 0})

    @cold_whatever_torch
    def test_variable(self) -> None:
        # Here, in a checkout, no depyf.pth does this.
        program = self.home / "program.py"
        program.write_text("import depyf\n" + program.read_text(encoding="utf-8"), encoding="utf-8")
        done = self.start(sys.executable, "program.py", env=self.environment(DEPYF_DUMP="dump"))
        self.assertEqual(done.stderr, "")
        self.check_unchanged(self.home / "dump")

    def check_unchanged(self, folder: pathlib.Path) -> None:
        """Everything is told, and nothing was exchanged: nobody steps."""
        self.assertEqual(self.check(folder, 3).figures(), {"frames": 3, "proven": 3, "swapped": 0})

    def test_places_are_known(self) -> None:
        """In the files of all stages: the eager backend has one."""
        program = self.home / "program.py"
        text = program.read_text(encoding="utf-8")
        self.assertIn('"eager"', text)
        program.write_text(text.replace('"eager"', '"aot_eager"'), encoding="utf-8")
        self.depyf("run", "--out", "dump", "program.py")
        dump = self.check(self.home / "dump", 3)
        self.assertTrue([n for n in dump.names if ".Forward_graph." in n])

    @cold_whatever_torch
    def test_pth_line(self) -> None:
        line = (support.ROOT / "python" / "depyf.pth").read_text(encoding="utf-8")
        self.assertTrue(line.startswith("import ") and line.count("\n") == 1)
        script = "%simport program; program.main()" % line
        self.start(sys.executable, "-c", script, env=self.environment(DEPYF_DUMP="dump"))
        self.check_unchanged(self.home / "dump")
        self.start(sys.executable, "-c", line + "import sys; assert 'depyf' not in sys.modules")

    @cold_whatever_torch
    def test_spawned_processes(self) -> None:
        shutil.copy(support.ROOT / "python" / "depyf.pth", self.home / "sitecustomize.py")
        path = os.pathsep.join([str(self.home), str(support.ROOT / "python")])
        self.depyf("run", "--out", "dump", "spawning.py", PYTHONPATH=path)
        folder = self.home / "dump"
        below = list(folder.glob("process_*"))
        self.assertEqual(len(below), 1, list(folder.iterdir()))
        for each in (folder, below[0]):
            self.check(each, 3)
        self.assertIn(below[0].name, (folder / "processes.md").read_text(encoding="utf-8"))

    def test_ranks(self) -> None:
        shutil.copy(support.ROOT / "python" / "depyf.pth", self.home / "sitecustomize.py")
        path = os.pathsep.join([str(self.home), str(support.ROOT / "python")])
        for rank in ("0", "1"):
            env = self.environment(DEPYF_DUMP="dump", RANK=rank, WORLD_SIZE="2", PYTHONPATH=path)
            self.start(sys.executable, "program.py", env=env)
            self.check(self.home / "dump" / ("rank_" + rank), 3)
        index = (self.home / "dump" / "index.md").read_text(encoding="utf-8")
        self.assertIn("rank_0/index.md", index)
        self.assertIn("rank_1/index.md", index)

    def test_what_ranks_differ_in(self) -> None:
        """The page of a run begins with the line that only one rank ran; so does the command's answer."""
        (self.home / "uneven.py").write_text(UNEVEN, encoding="utf-8")
        for rank in ("0", "1", "2"):
            self.depyf("run", "--out", "dump", "uneven.py", RANK=rank, WORLD_SIZE="3")
        page = (self.home / "dump" / "processes.html").read_text(encoding="utf-8")
        index = (self.home / "dump" / "index.md").read_text(encoding="utf-8")
        self.assertIn("- **only rank_1**: graph break: uneven.py:9 `print(1)`", index)
        line = '<a href="rank_1/report.html#line-uneven.py:9">uneven.py:9</a>'
        self.assertIn("<b>only rank_1</b>: graph break: %s <code>print(1)</code>" % line, page)
        # Torch 2.2 does not tell which compilation made a graph.
        self.assertEqual("- **all but rank_1**: 1 graph" in index, support.TORCH >= (2, 3))
        self.assertNotIn("ended without a report", index)
        said = self.depyf("ranks", "dump", status=1).stdout
        self.assertIn("* only rank_1: graph break: uneven.py:9", said)
        self.assertNotIn("recompiled", said)

    @unittest.skipIf(support.TORCH < (2, 6), "this torch tells too little of why")
    @support.on_the_older
    def test_which_rank_differs(self) -> None:
        """Under torchrun, with DDP: which rank breaks, which is compiled again, and links into their reports."""
        self.write("ragged.py", RAGGED)
        shutil.copy(support.ROOT / "python" / "depyf.pth", self.home / "sitecustomize.py")
        path = os.pathsep.join([str(self.home), str(support.ROOT / "python")])
        env = self.environment(DEPYF_DUMP="dump", PYTHONPATH=path, OMP_NUM_THREADS="1")
        launch = ("-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "3", "ragged.py")
        self.start(sys.executable, *launch, env=env)
        said = self.depyf("ranks", "dump", status=1).stdout
        self.assertIn('* only rank_1: graph break: ragged.py:16 `print("here")` in `Net.forward`', said)
        self.assertRegex(said, r"\* only rank_2: recompiled: a size varies: x\.size\(0\)")
        self.assertRegex(said, r"\* rank_2: 2 versions of `[\w.]+` \([^)]*\), 1 in rank_0")
        page = (self.home / "dump" / "processes.html").read_text(encoding="utf-8")
        self.assertIn('<a href="rank_1/report.html#line-ragged.py:16">ragged.py:16</a>', page)
        self.assertIn('<a href="rank_2/report.html#recompilations">in the report of rank_2</a>', page)
        for link, place in re.findall(r'<a href="(rank_\d/report\.html)(?:#([^"]*))?">', page):
            report = (self.home / "dump" / link).read_text(encoding="utf-8")
            self.assertTrue(not place or 'id="%s"' % place in report, (link, place))

    @unittest.skipUnless(hasattr(os, "fork"), "NOT RUN: there is no fork here")
    def test_forked_process(self) -> None:
        # The child ends by os._exit; `depyf run` does not end before its report is written.
        done = self.depyf("run", "--out", "dump", "forking.py")
        self.assertIn("start with processes.md", done.stderr)
        folder = self.home / "dump"
        self.check(folder, 3)
        below = list(folder.glob("process_*"))
        self.assertEqual(len(below), 1, list(folder.iterdir()))
        self.assertEqual(len(support.Dump(below[0]).of("bytecode")), 1)
        self.assertTrue((below[0] / "index.md").exists())


if __name__ == "__main__":
    unittest.main()
