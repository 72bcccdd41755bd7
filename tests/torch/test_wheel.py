"""The built wheel, in an empty environment without Go: DEPYF_WHEEL names it (scripts/wheels.sh makes it)."""

from __future__ import annotations

import os
import pathlib
import shutil
import sysconfig
import unittest
import venv
import zipfile

from programs import TOY, ProgramCase

WHEEL = os.environ.get("DEPYF_WHEEL", "")

END = """
    main()
    import sys
    print(sys.modules["depyf"].__file__)
"""


@unittest.skipUnless(WHEEL, "DEPYF_WHEEL names no wheel")
class Wheel(ProgramCase):
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
        venv.create(self.home / "env", with_pip=True)
        python = str(self.home / "env" / "bin" / "python")
        # Nothing of this checkout, and no Go.
        env = {"PATH": "%s:/usr/bin:/bin" % (self.home / "env" / "bin"), "HOME": str(self.home)}
        self.assertIsNone(shutil.which("go", path=env["PATH"]))

        def run(*command: str, **more: str) -> str:
            return self.start(*command, env={**env, **more}).stdout

        run(python, "-m", "pip", "install", "-q", "--no-index", "--disable-pip-version-check", os.path.abspath(WHEEL))
        # torch comes from the environment of this test.
        inside = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip()
        pathlib.Path(inside, "zz_torch.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
        self.write("toy.py", TOY, END)

        self.assertIn("reads CPython", run("depyf", "version"))
        self.assertNotIn("depyf", run(python, "-c", "import sys; print([m for m in sys.modules if 'dep' in m])"))
        out = run("depyf", "run", "--out", "one", "toy.py")
        self.assertIn(inside, out)
        out = run(python, "toy.py", DEPYF_DUMP="two")
        self.assertIn(inside, out)
        for name in ("one", "two"):
            self.check(self.home / name, 3)
        run(python, "-m", "pip", "uninstall", "-q", "-y", "depyf")
        self.assertFalse(pathlib.Path(inside, "depyf.pth").exists())
        self.assertFalse(pathlib.Path(inside, "depyf").exists())


if __name__ == "__main__":
    unittest.main()
