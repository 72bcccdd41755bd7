"""The client with the real program, and with programs that misbehave."""

from __future__ import annotations

import os
import tempfile
import textwrap
import time
import unittest

import support

DECOMPILE = """
    import depyf, sys
    def f(a, b):
        return a + b
    try:
        print("source", "return a + b" in depyf.decompile(f))
    except depyf.DecompilationError as e:
        print("error", e)
    try:
        depyf.decompile(f)
    except depyf.DecompilationError as e:
        print("again", e)
"""


def running(pid: int) -> bool:
    try:
        with open("/proc/%d/stat" % pid) as f:
            return f.read().split()[2] != "Z"
    except OSError:
        return False


def warnings_in(text: str) -> int:
    return text.count("depyf is off")


@unittest.skipUnless(support.binary(), "NOT RUN: there is no depyf program and no Go to build it")
class RealProgram(unittest.TestCase):
    def test_decompile(self) -> None:
        done = support.run(DECOMPILE)
        self.assertEqual((done.stdout.split("\n")[0], done.stderr), ("source True", ""))

    def test_import_is_light(self) -> None:
        done = support.run(
            """
            import sys
            before = set(sys.modules)
            import depyf
            new = {m.split(".")[0] for m in set(sys.modules) - before}
            print(sorted(new & {"torch", "subprocess", "tempfile", "inspect", "asyncio", "typing_extensions"}))
            """
        )
        self.assertEqual(done.stdout.strip(), "[]", done.stderr)

    def test_import_is_quick(self) -> None:
        # The processor time of the best of some processes: other load does not count.
        # Compiled files are kept, as they are of an installed package.
        times = []
        with tempfile.TemporaryDirectory() as cache:
            for _ in range(7):
                done = support.run(
                    """
                    import importlib, os, sys, time
                    start = time.process_time()
                    import depyf
                    print(time.process_time() - start, "torch" in sys.modules)
                    """,
                    PYTHONPYCACHEPREFIX=cache,
                    PYTHONDONTWRITEBYTECODE="",
                )
                seconds, torch = done.stdout.split()
                self.assertEqual(torch, "False", done.stderr)
                times.append(float(seconds))
        self.assertLess(min(times), 0.030)

    def test_killed_between_requests(self) -> None:
        done = support.run(
            """
            import depyf, os, signal
            from depyf._client import client
            def f(a):
                return a
            depyf.decompile(f)
            os.kill(client.pid(), signal.SIGKILL)
            for _ in range(3):
                try:
                    depyf.decompile(f)
                except depyf.DecompilationError as e:
                    print("error", e)
            print("end")
            """
        )
        self.assertTrue(done.stdout.strip().endswith("end"), done.stderr)
        self.assertEqual(done.stdout.count("error"), 3)
        self.assertEqual(warnings_in(done.stderr), 1, done.stderr)

    def test_fork_starts_its_own(self) -> None:
        done = support.run(
            """
            import depyf, os
            from depyf._client import client
            def f(a):
                return a
            depyf.decompile(f)
            mine = client.pid()
            child = os.fork()
            if child == 0:
                assert client.pid() is None
                assert "return a" in depyf.decompile(f)
                assert client.pid() != mine
                client.close()
                os._exit(0)
            print(os.waitpid(child, 0)[1], "return a" in depyf.decompile(f), client.pid() == mine)
            """
        )
        self.assertEqual((done.stdout.strip(), done.stderr), ("0 True True", ""))

    def test_threads(self) -> None:
        done = support.run(
            """
            import depyf, threading
            def f(a):
                return a * 2
            bad = []
            def work():
                for _ in range(20):
                    if "return a * 2" not in depyf.decompile(f):
                        bad.append(1)
            threads = [threading.Thread(target=work) for _ in range(8)]
            [t.start() for t in threads]
            [t.join() for t in threads]
            print(bad)
            """
        )
        self.assertEqual((done.stdout.strip(), done.stderr), ("[]", ""))

    def test_ends_with_the_parent(self) -> None:
        done = support.run(
            """
            import depyf, os, signal
            from depyf._client import client
            depyf.decompile(lambda: 0)
            print(client.pid(), flush=True)
            os.kill(os.getpid(), signal.SIGKILL)
            """
        )
        pid = int(done.stdout)
        deadline = time.monotonic() + 60
        while running(pid):
            self.assertLess(time.monotonic(), deadline, "the program outlived its parent")
            time.sleep(0.05)

    def test_interrupt_leaves_the_stream_whole(self) -> None:
        done = support.run(
            """
            import depyf, os, signal, threading, time
            def f(a):
                return a
            depyf.decompile(f)
            signal.signal(signal.SIGALRM, lambda *a: (_ for _ in ()).throw(KeyboardInterrupt()))
            big = compile("x = 1\\n" * 20000, "big", "exec")
            hits = 0
            for _ in range(5):
                signal.setitimer(signal.ITIMER_REAL, 0.05)
                try:
                    depyf.decompile(big)
                except KeyboardInterrupt:
                    hits += 1
                except depyf.DecompilationError as e:
                    print("gone", e)
                    break
                finally:
                    signal.setitimer(signal.ITIMER_REAL, 0)
            else:
                try:
                    print("whole", "return a" in depyf.decompile(f))
                except depyf.DecompilationError as e:  # The last interrupt cut a packet in two.
                    print("gone", e)
            """
        )
        self.assertRegex(done.stdout.strip(), "^(whole True|gone .*)$", done.stderr)

    def test_serves_while_it_sends(self) -> None:
        """What the program asks is answered by a thread that only sends, and never waits."""
        with tempfile.TemporaryDirectory() as folder:
            fake = support.fake_binary(
                folder,
                """
                import marshal, os, sys
                from depyf import _protocol

                def receive():
                    size = int.from_bytes(sys.stdin.buffer.read(4), "little")
                    return _protocol.decode_packet(sys.stdin.buffer.read(size))

                def send(*packet):
                    os.write(1, _protocol.pack(*packet))

                send(receive()[0], True, {"protocol": _protocol.PROTOCOL})
                receive()
                send(7, False, {"cmd": "compile", "source": "x = 1", "filename": "a.py", "flags": 0})
                open(os.environ["ASKED"], "w").close()
                # The answer comes with the first post, if it is still at it, or with the second.
                (number, response, value), second = sorted((receive(), receive()), key=lambda p: not p[1])
                assert second[2]["n"] == 2
                code = marshal.loads(value["marshal"])
                with open(os.environ["ANSWERED"] + "~", "w") as f:
                    print(number, response, code.co_filename, code.co_names, file=f)
                os.rename(f.name, os.environ["ANSWERED"])
                sys.stdin.buffer.read()
                """,
            )
            done = support.run(
                """
                import os, time
                from depyf._client import client

                def wait_for(name):
                    deadline = time.monotonic() + 60
                    while not os.path.exists(os.environ[name]):
                        assert time.monotonic() < deadline, name
                        time.sleep(0.01)

                client.post({"n": 1})
                wait_for("ASKED")
                client.post({"n": 2})
                wait_for("ANSWERED")
                print(open(os.environ["ANSWERED"]).read().strip())
                """,
                DEPYF_BINARY=fake,
                ASKED=os.path.join(folder, "asked"),
                ANSWERED=os.path.join(folder, "answered"),
            )
        self.assertEqual((done.stdout.strip(), done.stderr), ("7 True a.py ('x',)", ""))

    def test_together(self) -> None:
        """What a block posts is written at its end, in order; a question in between goes behind what came before it."""
        with tempfile.TemporaryDirectory() as folder:
            fake = support.fake_binary(
                folder,
                """
                import os, sys
                from depyf import _protocol

                while True:
                    size = sys.stdin.buffer.read(4)
                    if not size:
                        break
                    number, _, value = _protocol.decode_packet(sys.stdin.buffer.read(int.from_bytes(size, "little")))
                    if "n" in value:
                        with open(os.environ["GOT"], "a") as f:
                            print(value["n"], file=f)
                    if number:
                        os.write(1, _protocol.pack(number, True, {"protocol": _protocol.PROTOCOL}))
                """,
            )
            done = support.run(
                """
                import os
                from depyf import _client
                from depyf._pipe import Pipe

                client, send, writes = _client.client, Pipe.send, []
                Pipe.send = lambda self, data, deadline: (writes.append(len(data)), send(self, data, deadline))

                def got():
                    client.request({"n": "asked"})
                    with open(os.environ["GOT"]) as f:
                        return f.read().split()

                def written(f):
                    writes.clear()
                    f()
                    return len(writes)

                def block():
                    with client.together():
                        client.post({"n": 1})
                        with client.together():
                            client.post({"n": 2})
                        client.post({"n": 3})

                def fails():
                    try:
                        with client.together():
                            client.post({"n": 4})
                            raise KeyError
                    except KeyError:
                        pass

                def asks():
                    with client.together():
                        client.post({"n": 5})
                        got()
                        client.post({"n": 6})

                def much():
                    with client.together():
                        client.post({"n": "7" * _client._MUCH})
                        client.post({"n": 8})

                def forks():
                    with client.together():
                        client.post({"n": 9})
                        child = os.fork()
                        if not child:
                            client.post({"n": "child"})
                    if not child:
                        print("child", client._gathering, len(client._gathered), flush=True)
                        client.close()
                        os._exit(0)
                    os.waitpid(child, 0)

                client.request({"n": 0})
                print([written(f) for f in (block, fails, asks, much)])
                forks()
                *before, one, other, last = [n[:3] for n in got()]
                print(*before, *sorted((one, other)), last)
                """,
                DEPYF_BINARY=fake,
                GOT=os.path.join(folder, "got"),
            )
        self.assertEqual(
            (done.stdout.split("\n"), done.stderr),
            (["[1, 1, 3, 2]", "child 0 0", "0 1 2 3 4 5 ask 6 777 8 9 chi ask", ""], ""),
        )


class MisbehavingPrograms(unittest.TestCase):
    def check(self, body: str, why: str, **environment: str) -> None:
        with tempfile.TemporaryDirectory() as folder:
            fake = support.fake_binary(folder, body)
            # Who waited for an answer until the time limit would be killed here first.
            done = support.run(DECOMPILE, **{"DEPYF_BINARY": fake, "DEPYF_TIMEOUT": "1000", **environment})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("error", done.stdout)
        self.assertIn("again", done.stdout)
        self.assertIn(why, done.stdout)
        self.assertEqual(warnings_in(done.stderr), 1, done.stderr)

    def test_hangs_at_once(self) -> None:
        self.check("import time; time.sleep(600)", "in time", DEPYF_TIMEOUT="1")

    def test_exits_at_once(self) -> None:
        self.check("import sys; sys.exit('no way')", "no way")

    def test_talks_nonsense(self) -> None:
        self.check("print('Usage: depyf COMMAND', flush=True)\nimport time; time.sleep(5)", "nonsense")

    def test_closes_its_output(self) -> None:
        self.check("import os, time; os.close(1); time.sleep(1)", "ended")

    def test_answers_wrongly(self) -> None:
        self.check(
            """
            import struct, sys, time
            out = sys.stdout.buffer
            body = struct.pack("<I", 1 << 1 | 1) + b"\\x02" + b"\\0" * 8
            out.write(struct.pack("<I", len(body)) + body); out.flush()
            time.sleep(5)
            """,
            "nonsense",
        )

    def test_missing(self) -> None:
        done = support.run(DECOMPILE, DEPYF_BINARY="/nonexistent/depyf")
        self.assertIn("which is no file", done.stdout)
        self.assertEqual(warnings_in(done.stderr), 1, done.stderr)

    def test_begin_waits_for_nothing(self) -> None:
        # Whatever becomes of a program that is started early, the first request tells it.
        early = textwrap.dedent(
            """
            import time
            from depyf._client import client
            since = time.monotonic()
            client.begin()
            print("began", time.monotonic() - since < 20)
            """
        )
        with tempfile.TemporaryDirectory() as folder:
            silent = support.fake_binary(folder, "import time; time.sleep(600)")
            done = support.run(early + "client._pipe.kill()", DEPYF_BINARY=silent)
            self.assertEqual((done.stdout, done.stderr), ("began True\n", ""))
            gone = support.fake_binary(folder, "import sys; sys.exit('no way')")
            for path, why in ((gone, "no way"), ("/nonexistent/depyf", "which is no file")):
                done = support.run(early + textwrap.dedent(DECOMPILE), DEPYF_BINARY=path, DEPYF_TIMEOUT="1000")
                self.assertEqual(done.stdout.split("\n")[0], "began True", done.stderr)
                self.assertIn(why, done.stdout)
                self.assertEqual(warnings_in(done.stderr), 1, done.stderr)

    def test_warnings_as_errors(self) -> None:
        done = support.run(
            "import warnings; warnings.simplefilter('error')\n" + textwrap.dedent(DECOMPILE),
            DEPYF_BINARY="/nonexistent/depyf",
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(warnings_in(done.stderr), 1)

    def test_no_program_anywhere(self) -> None:
        env = {"DEPYF_BINARY": "", "PATH": os.defpath}
        done = support.run("from depyf import _binary; print(_binary.missing())", **env)
        self.assertIn("go install", done.stdout)


if __name__ == "__main__":
    unittest.main()
