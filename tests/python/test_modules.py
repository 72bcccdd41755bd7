"""What can be imported under which name, and what an import costs."""

from __future__ import annotations

import unittest

import support


class Modules(unittest.TestCase):
    def say(self, program: str) -> str:
        done = support.run(program)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_explain_is_a_module_that_can_be_called(self) -> None:
        """Other projects import from the module; notebooks call it."""
        for line in (
            "import depyf; depyf.explain",
            "import depyf.explain",
            "from depyf import explain; import depyf",
            "import depyf.explain as e; import depyf; assert e is depyf.explain",
            "from depyf.explain import __doc__; import depyf",
        ):
            out = self.say(
                "%s\nimport types, sys\nprint(callable(depyf.explain), isinstance(depyf.explain, types.ModuleType), "
                "depyf.explain is sys.modules['depyf.explain'], depyf.explain.last)" % line
            )
            self.assertEqual(out, "True True True None\n", line)

    def test_import_takes_in_nothing(self) -> None:
        """`import depyf` loads neither torch nor typing, nor what it offers."""
        out = self.say(
            "import sys\nbefore = set(sys.modules)\nimport depyf\n"
            "print(sorted(m for m in set(sys.modules) - before if m != '__future__'))"
        )
        self.assertEqual(out, "['depyf', 'depyf._version']\n")
        self.assertIn("explain", self.say("import depyf\nprint(dir(depyf))"))


if __name__ == "__main__":
    unittest.main()
