"""The program watched must come to its right result whatever happens to depyf."""

from __future__ import annotations

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import textwrap
import unittest

import support
import warm
from depyf import _binary
from programs import cold, is_cold

HEAD = """
    import os, signal, sys, time, torch
    import depyf
    from depyf._client import client

    def toy_example(a, b):
        x = a / (torch.abs(a) + 1)
        if b.sum() < 0:
            b = b * -1
        return x * b

    compiled = torch.compile(toy_example, backend="eager")

    def check(sign, n=5):
        a, b = torch.rand(n), sign * torch.rand(n)
        assert torch.equal(compiled(a, b), toy_example(a, b))

    folder = sys.argv[1]
"""


@support.needs_program
class Failures(unittest.TestCase):
    def folder(self) -> pathlib.Path:
        """A folder that is removed when the test, and every depyf process that writes there, has ended."""
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.addCleanup(support.settled, pathlib.Path(made.name))
        return pathlib.Path(made.name)

    def python(self, body: str, folder: pathlib.Path, **environment: str) -> subprocess.CompletedProcess:
        return subprocess.run(
            [
                sys.executable if is_cold(self) else warm.python(),
                "-c",
                textwrap.dedent(HEAD) + textwrap.dedent(body),
                str(folder),
            ],
            env={**os.environ, "PYTHONPATH": str(support.ROOT / "python"), **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            universal_newlines=True,
            timeout=300,
        )

    def run_program(self, body: str, **environment: str) -> tuple[subprocess.CompletedProcess, pathlib.Path]:
        folder = self.folder()
        done = self.python(body, folder, **environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(done.stdout.endswith("end\n"), done.stdout + done.stderr)
        return done, folder

    def one_warning(self, done: subprocess.CompletedProcess) -> None:
        self.assertEqual(done.stderr.count("depyf is off"), 1, done.stderr)

    def test_killed_while_compiling(self) -> None:
        done, folder = self.run_program(
            """
            with depyf.prepare_debug(folder):
                check(1)
                os.kill(client.pid(), signal.SIGKILL)
                check(-1)
                check(1, 7)
            check(-1, 9)
            print("end")
            """
        )
        self.one_warning(done)
        self.assertTrue((folder / "incomplete.txt").exists())

    def test_killed_inside_a_request(self) -> None:
        done, _ = self.run_program(
            """
            from depyf import _host
            def serve(request):
                os.kill(client.pid(), signal.SIGKILL)
                return {"error": "x"}
            with depyf.prepare_debug(folder):
                _host.serve = serve
                check(1)
                check(-1)
            print("end")
            """
        )
        self.one_warning(done)

    def test_hanging(self) -> None:
        done, folder = self.run_program(
            """
            with depyf.prepare_debug(folder):
                check(1)
                os.kill(client.pid(), signal.SIGSTOP)
                os.environ["DEPYF_TIMEOUT"] = "1"
                check(-1)
                # The first request that is not answered was the last one that is made.
                assert client.failure, client.failure
                os.environ["DEPYF_TIMEOUT"] = "1000"
                check(1, 7)
            print("end")
            """
        )
        self.one_warning(done)
        self.assertTrue((folder / "incomplete.txt").exists())

    def test_missing(self) -> None:
        done, folder = self.run_program(
            """
            with depyf.prepare_debug(folder):
                check(1)
            check(-1)
            print("end")
            """,
            DEPYF_BINARY="/nonexistent/depyf",
        )
        self.one_warning(done)
        self.assertEqual([p.name for p in folder.iterdir() if p.suffix == ".py"], [])

    def test_unwritable_folder(self) -> None:
        done, _ = self.run_program(
            """
            with depyf.prepare_debug("/proc/nothing/here"):
                check(1)
                check(-1)
            print("end")
            """
        )
        self.assertEqual(done.stderr.count("cannot dump"), 1, done.stderr)

    def test_folder_that_exists_and_cannot_be_written(self) -> None:
        done, _ = self.run_program(
            """
            with depyf.prepare_debug("/proc"):
                check(1)
                check(-1)
            print("end")
            """
        )
        self.assertEqual(done.stderr.count("cannot dump"), 1, done.stderr)

    def test_full_disk(self) -> None:
        # The limit of a file's size, which the depyf program inherits, comes first to
        # the event log and then to the larger files.
        done, folder = self.run_program(
            """
            import resource
            sys.dont_write_bytecode = True  # What is imported now must not be cut in its cache, for good.
            resource.setrlimit(resource.RLIMIT_FSIZE, (6000, 6000))
            with depyf.prepare_debug(folder):
                check(1)
                check(-1)
            check(1, 7)
            print("end")
            """
        )
        self.assertEqual(done.stderr.count("could not finish"), 1, done.stderr)
        names = sorted(p.name for p in folder.iterdir())
        self.assertIn("incomplete.txt", names)
        self.assertEqual([n for n in names if n.startswith(".tmp")], [])
        for path in folder.glob("*.py"):
            compile(path.read_text(encoding="utf-8"), str(path), "exec")

    def answer(self, status: int, *command: str) -> str:
        done = subprocess.run([str(_binary.find()), *command], stdout=subprocess.PIPE, universal_newlines=True)
        self.assertEqual(done.returncode, status, done.stdout)
        return done.stdout

    def killed(self, body: str) -> pathlib.Path:
        """Run a program that kills itself, and wait for what its depyf process writes afterwards."""
        folder = self.folder()
        done = self.python(body, folder)
        self.assertEqual(done.returncode, -signal.SIGKILL, done.stderr)
        return support.settled(folder)

    @cold
    def test_program_killed(self) -> None:
        folder = self.killed(
            """
            with depyf.prepare_debug(folder):
                check(1)
                check(-1)
                os.kill(os.getpid(), signal.SIGKILL)
            """
        )
        dump = support.Dump(folder)
        self.assertEqual((dump.unparsable(), dump.unswapped(), len(dump.of("bytecode"))), ([], [], 3))
        self.assertTrue({"index.md", "report.html", "full_code_for_toy_example_0.py"} <= set(dump.names), dump.names)
        self.assertEqual(dump.events[-1]["type"], "session_end")
        self.assertEqual([n for n in dump.names if n.startswith(".tmp")], [])
        self.assertIn("The program was killed", (folder / "index.md").read_text(encoding="utf-8"))
        # Nothing says that all went well: not in brief, and not to CI.
        self.assertIn("up to where the program was killed", self.answer(0, "failures", str(folder)))
        self.assertIn("the program ended before its session did", self.answer(1, "check", str(folder)))
        self.assertFalse(json.loads(self.answer(0, "report", "--format", "json", str(folder)))["complete"])
        # Who sees the index can open what it names.
        written = {p.name: p.stat().st_mtime_ns for p in folder.iterdir() if p.is_file() and p.name != "events.jsonl"}
        self.assertEqual(written["index.md"], max(written.values()), written)

    @unittest.skipIf(support.TORCH < (2, 4), "this torch does not tell the guards before the end")
    @cold
    def test_guards_of_a_program_killed(self) -> None:
        """Which object a guard is about is told with the guard, and its dump does not speak of what it has."""
        folder = self.killed(
            """
            def g(x, cls, fn):
                return fn(x) if cls is int else x
            with depyf.prepare_debug(folder):
                torch.compile(g, backend="eager")(torch.ones(2), int, lambda x: x + 1)
                os.kill(os.getpid(), signal.SIGKILL)
            """
        )
        text = (folder / "full_code_for_g_0.py").read_text(encoding="utf-8")
        self.assertIn("L['cls'] is int", text)
        self.assertIn("'the code of <lambda> seen when compiling'", text)
        self.assertNotIn("the object seen when compiling", text)
        index = (folder / "index.md").read_text(encoding="utf-8")
        self.assertNotIn("The guards of", index)
        self.assertNotIn("which graph or resume function", index)

    @cold
    @support.on_the_later
    def test_program_killed_again_and_again(self) -> None:
        """A program that is started anew at once leaves a whole dump, whether or not the killed one's is."""
        folder = self.folder()
        for _ in range(2):
            done = self.python(
                """
                with depyf.prepare_debug(folder):
                    check(1)
                    os.kill(os.getpid(), signal.SIGKILL)
                """,
                folder,
            )
            self.assertEqual(done.returncode, -signal.SIGKILL, done.stderr)
        support.settled(folder)
        for each in [folder, *folder.glob("process_*")]:
            dump = support.Dump(each)
            self.assertEqual((dump.problems(), dump.unparsable(), len(dump.of("bytecode"))), ([], [], 2))
            self.assertIn("index.md", dump.names)

    @cold
    def test_block_that_is_never_left(self) -> None:
        _, folder = self.run_program(
            """
            depyf.prepare_debug(folder).__enter__()
            check(1)
            check(-1)
            print("end")
            """
        )
        dump = support.Dump(folder)
        self.check_whole(dump)
        index = (folder / "index.md").read_text(encoding="utf-8")
        self.assertNotIn("What is missing", index)

    def check_whole(self, dump: support.Dump) -> None:
        self.assertEqual((dump.problems(), dump.unparsable(), dump.unswapped()), ([], [], []))
        self.assertEqual(len(dump.of("bytecode")), 3)
        self.assertTrue({"index.md", "full_code_for_toy_example_0.py"} <= set(dump.names), dump.names)

    @support.on_the_older
    def test_eight_processes_in_one_folder(self) -> None:
        _, folder = self.run_program(
            """
            children = []
            for _ in range(8):
                child = os.fork()
                if child == 0:
                    status = 1
                    try:
                        with depyf.prepare_debug(folder):
                            check(1)
                            check(-1)
                        status = 0
                    finally:
                        os._exit(status)
                children.append(child)
            assert [os.waitpid(c, 0)[1] for c in children] == [0] * 8
            print("end")
            """
        )
        found = [folder, *folder.glob("process_*")]
        self.assertEqual(len(found), 8, found)
        for each in found:
            dump = support.Dump(each)
            self.check_whole(dump)
            self.assertEqual([n for n in dump.names if "lock" in n or n.startswith(".tmp")], [])
        page = (folder / "processes.md").read_text(encoding="utf-8")
        self.assertEqual(page.count("process_"), 14, page)
        self.assertNotIn("running", page)

    def test_every_hook_broken(self) -> None:
        done, folder = self.run_program(
            """
            from depyf._torch import frames, graphs, guards, links, trace
            def broken(*a, **k):
                raise RuntimeError("on purpose")
            for module, name in ((frames, "swapped_code"), (frames, "source_of"), (graphs, "_note"),
                                 (guards, "parts"), (links, "_kind")):
                setattr(module, name, broken)
            with depyf.prepare_debug(folder):
                check(1)
                check(-1)
            print("end")
            """
        )
        self.assertEqual(done.stderr.count("depyf"), 0, done.stderr)
        self.assertIn("on purpose", (folder / "events.jsonl").read_text(encoding="utf-8"))

    def test_fork_in_the_middle(self) -> None:
        _, folder = self.run_program(
            """
            with depyf.prepare_debug(folder):
                check(1)
                child = os.fork()
                if child == 0:
                    check(-1)
                    os._exit(0)
                assert os.waitpid(child, 0)[1] == 0
                check(-1)
            print("end")
            """
        )
        dump = support.Dump(folder)
        self.assertEqual((dump.problems(), dump.unparsable()), ([], []))
        self.assertEqual(len(dump.of("bytecode")), 3)
        # The child compiled something itself, and has a folder of its own. It ended without a word.
        support.settled(folder)
        (below,) = folder.glob("process_*")
        self.assertIn("index.md", support.Dump(below).names)
        self.assertEqual(len(support.Dump(below).of("bytecode")), 1)

    def threads(self, code: str) -> None:
        """Four threads at a time compile a function of the given code, each watched in a block of its own."""
        _, folder = self.run_program(
            """
            import threading, types
            errors = []
            def work(k):
                try:
                    with depyf.prepare_debug(os.path.join(folder, str(k))):
                        def local(x):
                            y = x + k
                            torch._dynamo.graph_break()
                            return y * k
                        local = types.FunctionType(CODE, globals(), "local", None, local.__closure__)
                        f = torch.compile(local, backend="eager")
                        assert torch.equal(f(torch.ones(k + 2)), local(torch.ones(k + 2)))
                except Exception as e:
                    errors.append(e)
            threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
            [t.start() for t in threads]
            [t.join() for t in threads]
            assert not errors, errors
            print("end")
            """.replace("CODE", code)
        )
        for k in range(4):
            dump = support.Dump(folder / str(k))
            self.assertEqual((dump.problems(), dump.unparsable()), ([], []))

    def test_threads(self) -> None:
        self.threads("local.__code__.replace()")

    @unittest.skipIf(support.TORCH < (2, 3), "guards of torch 2.2 raise KeyError in a thread that did not compile them")
    def test_threads_that_share_code(self) -> None:
        self.threads("local.__code__")

    def test_exception_in_the_block(self) -> None:
        _, folder = self.run_program(
            """
            try:
                with depyf.prepare_debug(folder):
                    check(1)
                    raise KeyError("mine")
            except KeyError as e:
                assert e.args == ("mine",)
            check(-1)
            print("end")
            """
        )
        self.assertIn("index.md", support.Dump(folder).names)

    def test_export_and_fullgraph(self) -> None:
        _, folder = self.run_program(
            """
            class M(torch.nn.Module):
                def forward(self, x):
                    return x.sin() + 1
            with depyf.prepare_debug(folder):
                exported = torch.export.export(M(), (torch.ones(3),))
                full = torch.compile(M(), fullgraph=True, backend="eager")
                assert torch.equal(full(torch.ones(3)), M()(torch.ones(3)))
            run = exported.module() if hasattr(exported, "module") else exported
            assert torch.equal(run(torch.ones(3)), M()(torch.ones(3)))
            print("end")
            """
        )
        self.assertEqual(support.Dump(folder).unparsable(), [])


if __name__ == "__main__":
    unittest.main()
