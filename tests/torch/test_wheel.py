"""The built wheel, in an empty environment without Go: DEPYF_WHEEL names it (scripts/wheels.sh makes it)."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import sysconfig
import tempfile
import textwrap
import unittest
import venv
import zipfile

import support

WHEEL = os.environ.get("DEPYF_WHEEL", "")

TOY = """
    import torch

    @torch.compile(backend="eager")
    def toy_example(a, b):
        x = a / (torch.abs(a) + 1)
        if b.sum() < 0:
            b = b * -1
        return x * b

    for sign in (1, -1):
        toy_example(torch.rand(10), sign * torch.rand(10))
    import sys
    print(sys.modules["depyf"].__file__)
"""


@unittest.skipUnless(WHEEL, "DEPYF_WHEEL names no wheel")
class Wheel(unittest.TestCase):
    def test_contents(self) -> None:
        with zipfile.ZipFile(WHEEL) as z:
            names = {i.filename: i for i in z.infolist()}
            self.assertTrue({"depyf.pth", "depyf/py.typed", "depyf/__init__.py", "depyf/bin/depyf"} <= set(names))
            self.assertTrue(names["depyf/bin/depyf"].external_attr >> 16 & 0o111)
            self.assertNotIn("__pycache__", " ".join(names))
            metadata = z.read(next(n for n in names if n.endswith("/WHEEL"))).decode()
        self.assertIn("Root-Is-Purelib: false", metadata)
        self.assertGreaterEqual(metadata.count("\nTag: py3-none-"), 3)

    def test_installed_without_go(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        home = pathlib.Path(os.path.realpath(folder.name))
        venv.create(home / "env", with_pip=True)
        python = str(home / "env" / "bin" / "python")
        # Nothing of this checkout, and no Go.
        env = {"PATH": "%s:/usr/bin:/bin" % (home / "env" / "bin"), "HOME": str(home)}
        self.assertIsNone(shutil.which("go", path=env["PATH"]))

        def run(*command: str, **more: str) -> str:
            done = subprocess.run(
                command,
                cwd=home,
                env={**env, **more},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                universal_newlines=True,
                timeout=300,
            )
            self.assertEqual(done.returncode, 0, done.stdout)
            return done.stdout

        run(python, "-m", "pip", "install", "-q", "--no-index", "--disable-pip-version-check", os.path.abspath(WHEEL))
        # torch comes from the environment of this test.
        inside = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip()
        pathlib.Path(inside, "zz_torch.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
        (home / "toy.py").write_text(textwrap.dedent(TOY), encoding="utf-8")

        self.assertIn("reads CPython", run("depyf", "version"))
        self.assertNotIn("depyf", run(python, "-c", "import sys; print([m for m in sys.modules if 'dep' in m])"))
        out = run("depyf", "run", "--out", "one", "toy.py")
        self.assertIn(inside, out)
        out = run(python, "toy.py", DEPYF_DUMP="two")
        self.assertIn(inside, out)
        for name in ("one", "two"):
            dump = support.Dump(home / name)
            self.assertEqual((dump.problems(), dump.unswapped(), dump.unparsable()), ([], [], []))
            self.assertEqual(len(dump.of("bytecode")), 3)
            self.assertIn("index.md", dump.names)
        run(python, "-m", "pip", "uninstall", "-q", "-y", "depyf")
        self.assertFalse(pathlib.Path(inside, "depyf.pth").exists())
        self.assertFalse(pathlib.Path(inside, "depyf").exists())


if __name__ == "__main__":
    unittest.main()
