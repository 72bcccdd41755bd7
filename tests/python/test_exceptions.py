"""The exception table: what is read is what is written, and one handler goes."""

from __future__ import annotations

import argparse
import asyncio.base_events
import sys
import types
import unittest
from typing import Iterator

import support  # noqa: F401  (makes depyf importable)
from depyf._torch import _exceptions


def functions(*modules: types.ModuleType) -> Iterator[types.CodeType]:
    for module in modules:
        for holder in [module, *(c for c in vars(module).values() if isinstance(c, type))]:
            for value in vars(holder).values():
                if isinstance(value, types.FunctionType):
                    yield value.__code__


@unittest.skipIf(sys.version_info < (3, 11), "no exception table")
class ExceptionTable(unittest.TestCase):
    def test_round_trip(self) -> None:
        tables = 0
        for code in functions(argparse, asyncio.base_events):
            rows = _exceptions.rows_of(code)
            self.assertEqual(_exceptions.table_of(rows), code.co_exceptiontable, code.co_qualname)
            tables += bool(rows)
        self.assertGreater(tables, 30)

    @unittest.skipIf(sys.version_info < (3, 12), "the handler is in the interpreter")
    def test_stop_iteration(self) -> None:
        async def coroutine(fail: bool) -> int:
            try:
                if fail:
                    raise StopIteration(7)
            except ValueError:
                return 1
            return 2

        bare = types.FunctionType(_exceptions.without_stop_iteration(coroutine.__code__), globals())
        with self.assertRaises(RuntimeError):
            coroutine(True).send(None)
        for fail, want in ((True, 7), (False, 2)):
            with self.assertRaises(StopIteration) as caught:
                bare(fail).send(None)
            self.assertEqual(caught.exception.value, want)

    @unittest.skipIf(sys.version_info < (3, 12), "the handler is in the interpreter")
    def test_stop_iteration_until(self) -> None:
        async def coroutine(first: bool) -> int:
            if first:
                raise StopIteration(1)
            raise StopIteration(2)

        bare = types.FunctionType(_exceptions.without_stop_iteration(coroutine.__code__, 3), globals())
        with self.assertRaises(StopIteration) as caught:
            bare(True).send(None)
        self.assertEqual(caught.exception.value, 1)
        with self.assertRaises(RuntimeError):
            bare(False).send(None)


if __name__ == "__main__":
    unittest.main()
