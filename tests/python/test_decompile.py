"""depyf.decompile and the interface of older versions."""

from __future__ import annotations

import dataclasses
import functools
import os
import pathlib
import py_compile
import sys
import tempfile
import types
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


def compile_to(case, text):
    """Compile text in a folder that goes with the test; return the path."""
    folder = tempfile.TemporaryDirectory()
    case.addCleanup(folder.cleanup)
    source = os.path.join(folder.name, "m.py")
    with open(source, "w", encoding="utf-8") as f:
        f.write(text)
    return py_compile.compile(source, os.path.join(folder.name, "m.pyc"), doraise=True)


def open_bytes(path):
    with open(path, "rb") as f:
        return f.read()


@unittest.skipUnless(support.binary(), "NOT RUN: there is no depyf program and no Go to build it")
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
            ((x + 1 for x in ()), "return (x + 1 for x in iterable)"),
        ):
            with self.subTest(obj=obj):
                source = depyf.decompile(obj)
                self.assertIn(text, source)
                self.assertTrue(source.proven, source.detail)

    def test_frame(self) -> None:
        import sys

        self.assertIn("def test_frame(self)", depyf.decompile(sys._getframe()))

    def test_class(self) -> None:
        class Base:
            pass

        class Sample(Base):
            limit = 3
            helper = len

            def __init__(self, x):
                super().__init__()
                self.x = x
                self.text = """two
        lines"""

            @property
            def y(self):
                return self.x

            @y.setter
            def y(self, value):
                self.x = value

            @staticmethod
            def s():
                return 1

            @classmethod
            def c(cls):
                return cls

            @functools.lru_cache(maxsize=None)  # noqa: B019
            def cached(self):
                return 7

            double = lambda self: self.x * 2  # noqa: E731

        source = depyf.decompile(Sample)
        self.assertTrue(source.proven, source.detail)
        scope: dict = {"Base": Base}
        exec(compile(source.replace("class Sample:", "class Sample(Base):"), "again", "exec"), scope)
        made = scope["Sample"](5)
        self.assertEqual((made.y, made.s(), made.c(), made.cached(), made.double()), (5, 1, scope["Sample"], 7, 10))
        made.y = 6
        self.assertEqual((made.x, made.text), (6, Sample(1).text))
        with self.assertRaises(depyf.DecompilationError):
            depyf.decompile(Base)

    def test_variables_of_a_class(self) -> None:
        text = "class Sample:\n    x: int\n    y: 'str' = 'a'\n    def area(self) -> int:\n        return self.x\n"
        scope: dict = {}
        exec(compile(text, "sample.py", "exec", dont_inherit=True), scope)
        Sample = scope["Sample"]
        head = "class Sample:\n"
        if sys.version_info >= (3, 14):  # Until then nothing computes the annotations.
            head += '    x: int\n    y: "str"\n\n'
        head += "    def area(self):\n"
        source = depyf.decompile(Sample)
        self.assertEqual(source[: len(head)], head)
        self.assertTrue(source.proven, source.detail)

    @unittest.skipUnless(sys.version_info >= (3, 14), "annotations are computed at once before 3.14")
    def test_annotations(self) -> None:
        scope: dict = {}
        exec(compile("def f(a: int, *b: str, c: 'x') -> None: pass", "f.py", "exec", dont_inherit=True), scope)
        source = depyf.decompile(scope["f"].__annotate__)
        self.assertEqual(source, 'def annotated(a: int, b: str, c: "x") -> None:\n    pass\n')
        self.assertEqual(source.verdict, "exact")

    def test_body_of_a_class(self) -> None:
        frames = []

        class Sample:
            limit = 3
            frames.append(sys._getframe())

        source = depyf.decompile(frames[0])
        self.assertIn("class Sample:\n", source)
        self.assertIn("        limit = 3\n", source)
        self.assertEqual(source.verdict, "exact", source.detail)

    def test_more_kinds(self) -> None:
        @functools.lru_cache(maxsize=None)
        def cached(a):
            return a * 3

        async def agen(n):
            yield n

        def fail():
            raise ValueError

        try:
            fail()
        except ValueError as e:
            trace = e.__traceback__
        for obj, text in (
            (cached, "return a * 3"),
            (agen(1), "yield n"),
            (trace, "def test_more_kinds(self)"),
            (pathlib.Path(compile_to(self, "answer = 42\n")), "answer = 42"),
            (memoryview(open_bytes(compile_to(self, "answer = 43\n"))), "answer = 43"),
        ):
            with self.subTest(obj=obj):
                self.assertIn(text, depyf.decompile(obj))

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
        module = depyf.decompile(compile("x = 1\n", "module.py", "exec"))
        self.assertEqual((module, module.verdict), ("x = 1\n", "exact"))

    def test_other_version(self) -> None:
        # Another version's file cannot be recompiled here: it is proven without.
        recorded = pathlib.Path(__file__).resolve().parents[2] / "testdata" / "dis"
        for version in ("3.7", "3.10", "3.14"):
            path = recorded / version / "loops.pyc"
            here = "%d.%d" % sys.version_info[:2] == version
            source = depyf.decompile(str(path))
            self.assertEqual((source.verdict, source.proven), ("exact" if here else "proved", True), source.detail)
            self.assertEqual(depyf.decompile(str(path), verify=False).verdict, "unproved")

    def test_old_interface(self) -> None:
        from depyf.decompiler import DecompilationError, Decompiler

        self.assertIs(DecompilationError, depyf.DecompilationError)
        source = Decompiler(Holder.method.__code__).decompile(overwite_fn_name="other")
        self.assertIn("def other(self, a):", source)
        self.assertIn("\n  return a + 1", Decompiler(Holder.method).decompile(indentation=2))

    def test_old_signature(self) -> None:
        def f(a):
            if a:
                return 1
            return """x
    y"""

        d = depyf.Decompiler(f.__code__)
        self.assertEqual(d.code, f.__code__)
        self.assertEqual(hash(d), id(f.__code__))
        for text in (
            d.decompile(2, "__temp_", "g"),
            d.decompile(indentation=2, temp_prefix="t_", overwite_fn_name="g"),
            d.decompile(indentation=2, temporary_prefix="t_", overwrite_fn_name="g"),
        ):
            self.assertTrue(text.startswith("def g(a):\n  if a:\n    return 1\n"), text)
            scope: dict = {}
            exec(text, scope)
            self.assertEqual((scope["g"](0), scope["g"](1)), (f(0), 1))
        self.assertIn("LOAD_CONST", depyf.Decompiler.supported_opnames())
        self.assertEqual(depyf.DecompilationError("why").message, "why")

    def test_compile_like(self) -> None:
        like = depyf.Decompiler.decompile_and_compile_like

        def run(f, *args):
            code = like(f.__code__, f.__code__)
            self.assertEqual(code.co_freevars, f.__code__.co_freevars)
            self.assertEqual(code.co_name, f.__name__)
            return types.FunctionType(code, f.__globals__, "f", None, f.__closure__)(*args)

        outer = 4

        def closure(a):
            return a + outer

        def cells(a):
            return [b + a for b in range(3)], (lambda: a)()

        self.assertEqual(run(closure, 3), 7)
        self.assertEqual(run(cells, 3), cells(3))
        self.assertEqual(run(Holder.method, None, 3), 4)
        # A constant that has no literal is the very object.
        odd = object()

        def constant():
            return 0

        f_code = constant.__code__
        f_code = f_code.replace(
            co_consts=(odd, odd), co_code=(lambda: "").__code__.co_code, co_flags=f_code.co_flags & ~0x4000000
        )
        code = like(f_code, constant.__code__)
        self.assertIs(types.FunctionType(code, {})(), types.FunctionType(f_code, {})())
        # The reference has a free variable that the code does not use.
        code = like(Holder.method.__code__, (lambda self, a: outer).__code__)
        self.assertEqual(code.co_freevars, ("outer",))
        with tempfile.TemporaryDirectory() as folder:
            template = os.path.join(folder, "made_%d.py")
            for f, name in ((Holder.method, "made_0"), (closure, "made_1"), (Holder.method, "made_0")):
                code = like(f.__code__, f.__code__, filepath_template=template)
                self.assertEqual((code.co_name, code.co_filename), (name, os.path.join(folder, name + ".py")))
            self.assertEqual(sorted(os.listdir(folder)), ["made_0.py", "made_1.py"])

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

    def test_without_assert_statements(self) -> None:
        """With -O no assert statement is left; until 3.8 what is written out looks like one."""
        program = """
            import depyf

            def checked(a, b):
                if not a:
                    raise AssertionError(b)
                return a

            text = depyf.decompile(checked)
            print(text.verdict, text, sep="\\n")
        """
        ran = support.run(program, PYTHONOPTIMIZE="1")
        self.assertEqual(ran.stderr, "")
        verdict, _, text = ran.stdout.partition("\n")
        self.assertEqual(verdict, "exact", text)
        self.assertEqual(
            text.strip(), "def checked(a, b):\n    if not a:\n        raise AssertionError(b)\n    return a"
        )

    def test_no_address_in_text(self) -> None:
        code = (lambda: 0).__code__.replace(co_consts=(object(), len))
        self.assertNotIn("0x", depyf.decompile(code))


if __name__ == "__main__":
    unittest.main()
