"""Compiling text of ours shows in no warning of the program's."""

from __future__ import annotations

import unittest
import warnings

import support  # noqa: F401
from depyf import _compile, _host

TEXT = "def f(x):\n    return 1 is x, '\\d'\n"  # The compiler warns of both.


class Unheard(unittest.TestCase):
    def test_silent(self) -> None:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            compile(TEXT, "/home/other.py", "exec")
            self.assertGreater(len(caught), 0)
            del caught[:]
            before = list(warnings.filters)
            for name in ("/home/dumped.py", "<depyf>", "dumped"):
                _compile.compiled(TEXT, name)
                _compile.compiled(_compile.parsed(TEXT, name), name)
                _host.serve({"cmd": "compile", "source": TEXT, "filename": name})
            self.assertEqual(caught, [])
            self.assertEqual(list(warnings.filters), before)
            compile(TEXT, "/home/other.py", "exec")
            self.assertGreater(len(caught), 0)

    def test_errors(self) -> None:
        """A program that makes errors of warnings does not make them of ours."""
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            _compile.compiled(TEXT, "/home/dumped.py")
            with self.assertRaises(SyntaxError):
                _compile.compiled("def", "/home/dumped.py")
            with self.assertRaises(SyntaxError):
                compile(TEXT, "/home/other.py", "exec")

    def test_shown_once(self) -> None:
        """What the program has shown once it does not show again."""

        def warn() -> None:
            warnings.warn("once", stacklevel=1)

        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("default")
            warn()
            _compile.compiled(TEXT, "/home/dumped.py")
            _host.serve({"cmd": "compile", "source": TEXT})
            warn()
            self.assertEqual(len(caught), 1)


if __name__ == "__main__":
    unittest.main()
