"""depyf.decompile and the interface of older versions."""

from __future__ import annotations

import dataclasses
import functools
import os
import py_compile
import tempfile
import unittest

import depyf
import support


@dataclasses.dataclass
class Point:
    x: int
    y: int = 3


class Holder:
    def method(self, a):
        return a + 1

    @property
    def twice(self):
        return self.method(1)

    @staticmethod
    def plain(a):
        return a - 1

    def __call__(self, b):
        return b


def generator(n):
    yield n


async def coroutine(n):
    return n


@unittest.skipUnless(support.binary(), "there is no depyf program and no Go to build it")
class Decompile(unittest.TestCase):
    def test_kinds_of_objects(self) -> None:
        def local(a):
            return a * 2

        unawaited = coroutine(1)
        self.addCleanup(unawaited.close)
        for obj, text in (
            (local, "return a * 2"),
            (local.__code__, "return a * 2"),
            (Holder.method, "return a + 1"),
            (Holder().method, "return a + 1"),
            (vars(Holder)["twice"], "return self.method(1)"),
            (vars(Holder)["plain"], "return a - 1"),
            (Holder(), "return b"),
            (functools.partial(local, 1), "return a * 2"),
            (generator(1), "yield n"),
            (unawaited, "return n"),
            (Holder, "def method(self, a):"),
        ):
            with self.subTest(obj=obj):
                self.assertIn(text, depyf.decompile(obj))

    def test_frame(self) -> None:
        import sys

        self.assertIn("def test_frame(self)", depyf.decompile(sys._getframe()))

    def test_wrong_objects(self) -> None:
        for obj in (3, None, "/nonexistent.pyc", len, b"no code at all"):
            with self.subTest(obj=obj), self.assertRaises(depyf.DecompilationError):
                depyf.decompile(obj)

    def test_dataclass(self) -> None:
        for name in ("__init__", "__eq__"):
            source = depyf.decompile(getattr(Point, name))
            self.assertEqual(source.verdict, "exact", source)
            self.assertNotIn("return None", source)
            scope: dict = {}
            exec(compile(source, "again", "exec"), scope)
            if name == "__init__":
                point = object.__new__(Point)
                scope[name](point, 1, 2)
                self.assertEqual(point, Point(1, 2))

    def test_verdict_and_type(self) -> None:
        source = depyf.decompile(Holder.method)
        self.assertIsInstance(source, str)
        self.assertEqual((source.verdict, source.proven, source.name), ("exact", True, "method"))
        self.assertEqual(depyf.decompile(Holder.method, verify=False).verdict, "unproved")

    def test_old_interface(self) -> None:
        from depyf.decompiler import DecompilationError, Decompiler

        self.assertIs(DecompilationError, depyf.DecompilationError)
        source = Decompiler(Holder.method.__code__).decompile(overwite_fn_name="other")
        self.assertIn("def other(self, a):", source)
        self.assertIn("\n  return a + 1", Decompiler(Holder.method).decompile(indentation=2))

    def test_pyc_file_and_bytes(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            source = os.path.join(folder, "m.py")
            with open(source, "w", encoding="utf-8") as f:
                f.write("answer = 42\n")
            compiled = py_compile.compile(source, os.path.join(folder, "m.pyc"), doraise=True)
            with open(compiled, "rb") as f:
                data = f.read()
            for obj in (compiled, data, data[16:]):
                self.assertIn("answer = 42", depyf.decompile(obj))

    def test_constants_without_literal(self) -> None:
        code = (lambda: 0).__code__
        for odd in ({"a": "b"}, globals(), object()):
            self.assertTrue(depyf.decompile(code.replace(co_consts=(odd, None))))

    def test_no_address_in_text(self) -> None:
        code = (lambda: 0).__code__.replace(co_consts=(object(), len))
        self.assertNotIn("0x", depyf.decompile(code))


if __name__ == "__main__":
    unittest.main()
