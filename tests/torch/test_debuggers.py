"""debug() and `depyf run` under debuggers that start the program: pdb, debugpy, a hook of breakpoint()."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys
import unittest
from typing import Iterator

import dap
import support
from programs import TOY, ProgramCase, cold, last_line, stepped

DEBUG = """
    import depyf

    with depyf.prepare_debug("dump"):
        main()
    with depyf.debug():
        main()  # here
    print("end")
"""
PLAIN = """
    main()
"""
# Standard input is dead all the time; each line that is printed is checked.
HOOKS = """
    import os, sys
    import depyf

    with depyf.prepare_debug("dump"):
        main()

    def stop():
        print("stopped")

    def pause(name):
        print("--", name)
        with depyf.debug():
            main()

    pause("nobody")
    sys.breakpointhook = stop
    pause("sys.breakpointhook")
    sys.breakpointhook = sys.__breakpointhook__
    sys.modules["elsewhere"] = sys.modules["__main__"]
    os.environ["PYTHONBREAKPOINT"] = "elsewhere.stop"
    pause("PYTHONBREAKPOINT")
    os.environ["PYTHONBREAKPOINT"] = "0"
    pause("turned off")
    del os.environ["PYTHONBREAKPOINT"]
    try:
        import debugpy
    except ImportError:
        pass
    else:
        debugpy.listen(("127.0.0.1", int(sys.argv[1])))
        pause("debugpy without a client")
    print("-- end")
"""
WANTED = {
    "nobody": "standard input is not interactive",
    "sys.breakpointhook": "stopped",
    "PYTHONBREAKPOINT": "stopped",
    "turned off": "turns breakpoints off",
    "debugpy without a client": "the debugger has no client yet",
}
HAS_DEBUGPY = importlib.util.find_spec("debugpy") is not None
README = support.ROOT / "README.md"


@cold
@support.needs_program
@support.not_in_a_share
class Pdb(ProgramCase):
    def test_python_m_pdb(self) -> None:
        """Without a breakpoint pdb traces nothing: the pause is where the first ones are set."""
        program = str(self.write("program.py", TOY, DEBUG))
        self.start(sys.executable, program)  # So that the names of the files are known.
        show = 'p ("live", sorted(k for k, v in locals().items() if type(v).__name__ == "Tensor"))'
        paths = stepped(self.home / "dump")
        lines = ["c", *("b %s:%d" % (p, last_line(p)) for p in paths), *["c", show] * 6, "q"]
        out = self.start(sys.executable, "-m", "pdb", program, script="\n".join(lines) + "\n").stdout
        self.assertIn("depyf: paused", out)
        stops = re.findall(r"^(?:\(Pdb\) )?> (\S+?)\((\d+)\)", out, re.MULTILINE)
        for p in paths:
            self.assertIn((str(p), str(last_line(p))), stops, out)
        live = re.findall(r"\('live', \[(.+)\]\)", out)
        self.assertGreaterEqual(len(live), 3, out)

    def test_hooks(self) -> None:
        program = str(self.write("program.py", TOY, HOOKS))
        out = self.start(sys.executable, program, str(dap.free_port())).stdout
        said = {}
        for part in out.split("-- ")[1:]:
            name, _, text = part.partition("\n")
            said[name] = text
        self.assertIn("end", said, out)
        for name, text in WANTED.items():
            if HAS_DEBUGPY or "debugpy" not in name:
                self.assertIn(text, said[name])
                self.assertEqual("depyf: paused" in said[name], text == "stopped", name)


@cold
@support.needs_program
@unittest.skipUnless(HAS_DEBUGPY, "NOT RUN: debugpy is not installed")
@support.not_in_a_share
class Debugpy(ProgramCase):
    """What VS Code does: the same messages, from a client of a hundred lines."""

    @contextlib.contextmanager
    def server(self, port: int, *command: str) -> "Iterator[tuple[dap.Client, subprocess.Popen[str]]]":
        process = subprocess.Popen(
            [sys.executable, *command],
            cwd=self.home,
            # debugpy warns of modules that were frozen, and lets the user turn that off so.
            env=self.environment(PYDEVD_DISABLE_FILE_VALIDATION="1"),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            universal_newlines=True,
        )
        try:
            client = dap.Client.connected(port, process)
            try:
                yield client, process
            finally:
                client.close()
        finally:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(5)
            process.kill()
            if process.stdout:
                process.stdout.close()
            process.wait()

    def check_stops(self, client: dap.Client, paths: list[pathlib.Path]) -> None:
        """Go on to the end; the program has to stop in each of the files, among live tensors."""
        stops = []
        while True:
            stop = client.stops()
            if stop is None:
                break
            stops.append(stop)
            client.go_on(stop)
        for path in paths:
            hits = [s for s in stops if os.path.realpath(s.path) == str(path) and s.line == last_line(path)]
            self.assertTrue(hits, "%s among %r" % (path.name, [(s.path, s.line) for s in stops]))
            for s in hits:
                self.assertTrue(s.tensors, (s.path, s.kinds))

    def test_attached(self) -> None:
        """debugpy --listen --wait-for-client: debug() notices the client, and does not stop by itself."""
        program = self.write("program.py", TOY, DEBUG)
        here = 1 + program.read_text(encoding="utf-8").split("\n").index("    main()  # here")
        port = dap.free_port()
        listen = ("-m", "debugpy", "--listen", "127.0.0.1:%d" % port, "--wait-for-client", str(program))
        with self.server(port, *listen) as (client, process):
            client.begin({"request": "attach", "justMyCode": True}, {str(program): [here]})
            stop = client.stops()
            assert stop is not None
            # The first stop is the user's own: nothing has paused before it.
            self.assertEqual((os.path.realpath(stop.path), stop.line), (str(program), here))
            paths = stepped(self.home / "dump")
            for path in paths:
                client.set_breakpoints(str(path), last_line(path))
            client.go_on(stop)
            self.check_stops(client, paths)
            client.close()  # Which the program waits for.
            said, _ = process.communicate(timeout=dap.PATIENCE)
        self.assertIn("a debugger is attached", said)
        self.assertNotIn("paused", said)
        self.assertTrue(said.endswith("end\n"), said)

    def test_launched_as_documented(self) -> None:
        """The configuration of the README, as VS Code sends it: breakpoints are known before the start."""
        program = self.write("program.py", TOY, PLAIN)
        text = README.read_text(encoding="utf-8")
        (block,) = re.findall(r"^```json\n(\{\n.*?\n\})\n```$", text, re.MULTILINE | re.DOTALL)
        places = {"${workspaceFolder}": str(self.home), "${file}": str(program)}
        for name, value in places.items():
            block = block.replace(name, value)
        (configuration,) = json.loads(block)["configurations"]
        self.start(sys.executable, "-m", configuration["module"], *configuration["args"])
        folder = self.home / "dump"
        self.check(folder, 3)
        paths = stepped(folder)
        breakpoints = {str(p): [last_line(p)] for p in paths}
        written = [p.stat().st_mtime_ns for p in paths]
        port = dap.free_port()
        with self.server(port, "-m", "debugpy.adapter", "--port", str(port)) as (client, _):
            more = {"python": [sys.executable], "cwd": str(self.home), "console": "internalConsole"}
            client.begin({**configuration, **more}, breakpoints)
            self.check_stops(client, paths)
            self.assertIn("start with index.md", client.output)
        # They are other files with the same names and lines.
        for path, before in zip(paths, written):
            self.assertGreater(path.stat().st_mtime_ns, before)


if __name__ == "__main__":
    unittest.main()
