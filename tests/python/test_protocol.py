"""The encoding of packets, on the Python side."""

from __future__ import annotations

import math
import random
import unittest
from typing import Dict, List, Tuple

import support  # noqa: F401  Puts the package on the path.
from depyf import _code, _protocol


class Encoding(unittest.TestCase):
    def test_round_trip(self) -> None:
        for value in (
            None,
            True,
            False,
            0,
            -1,
            1 << 62,
            -(1 << 63),
            0.5,
            "",
            "\udc80é",
            b"",
            b"\0\xff",
            [],
            [[1], "x"],
            {},
        ):
            self.assertEqual(_protocol.decode(_protocol.encode(value)), value)
        value = {"b": [1, {"c": None}], "a": "text"}
        self.assertEqual(_protocol.decode(_protocol.encode(value)), value)

    def test_kinds_stay_apart(self) -> None:
        for value in (1, 1.0, True):
            self.assertIs(type(_protocol.decode(_protocol.encode(value))), type(value))
        self.assertEqual(math.copysign(1, _protocol.decode(_protocol.encode(-0.0))), -1)

    def test_derived_classes(self) -> None:
        """What a class that derives from a kind's says of itself does not count: the value is sent."""

        class Text(str):
            def __str__(self) -> str:
                return "other"

        class Number(int):
            def __int__(self) -> int:
                return 7

        class Real(float):
            def __float__(self) -> float:
                return 7.0

        class Several(List[object]):
            pass

        class Pair(Tuple[object, ...]):
            pass

        class Table(Dict[str, object]):
            pass

        value = Table(a=Several([Text("text"), Number(1), Number(1 << 70)]), b=Pair([Real(0.5), b"x"]))
        plain = {"a": ["text", 1, 1 << 70], "b": [0.5, b"x"]}
        self.assertEqual(_protocol.encode(value), _protocol.encode(plain))

    def test_big_integers(self) -> None:
        # Longer than the limit of int-to-decimal conversion.
        value = -(1 << 40000)
        self.assertEqual(int(_protocol.decode(_protocol.encode(value))["v"], 0), value)

    def test_packet(self) -> None:
        data = _protocol.pack(5, True, {"x": 1})
        self.assertEqual(int.from_bytes(data[:4], "little"), len(data) - 4)
        self.assertEqual(_protocol.decode_packet(data[4:]), (5, True, {"x": 1}))

    def test_what_cannot_be_sent(self) -> None:
        deep: object = []
        for _ in range(_protocol.MAX_DEPTH + 2):
            deep = [deep]
        for value in (object(), {1}, deep):
            with self.assertRaises((TypeError, ValueError)):
                _protocol.encode(value)

    def test_malformed(self) -> None:
        whole = _protocol.encode({"key": ["text", 1, None]})
        for n in range(len(whole)):
            with self.assertRaises(_protocol.ProtocolError):
                _protocol.decode(whole[:n])
        for data in (b"\x09", b"\x06\xff\xff\xff\xff", b"\0\0", b"\x04\x01\0\0\0\xff"):
            with self.assertRaises(_protocol.ProtocolError):
                _protocol.decode(data)

    def test_noise(self) -> None:
        noise = random.Random(1)
        for _ in range(2000):
            data = bytes(noise.randrange(256) if noise.random() < 0.3 else noise.randrange(8) for _ in range(30))
            try:
                _protocol.decode(data)
            except _protocol.ProtocolError:
                continue


class CodeObjects(unittest.TestCase):
    def test_slots_match_the_interpreter(self) -> None:
        def outer(a, b, *c, d=1, **e):  # type: ignore[no-untyped-def]
            def inner():  # type: ignore[no-untyped-def]
                nonlocal b
                b = a, free

            local = inner
            return local

        free = 1
        names, kinds = _code._slots(outer.__code__)
        self.assertEqual(len(names), len(kinds))
        count = 0
        lookup = getattr(outer.__code__, "_varname_from_oparg", None)
        if lookup is not None:
            self.assertEqual(names, [lookup(i) for i in range(len(names))])
        for flag, attribute in ((32, "co_varnames"), (64, "co_cellvars"), (128, "co_freevars")):
            found = tuple(n for n, k in zip(names, kinds) if k & flag)
            self.assertEqual(sorted(found), sorted(getattr(outer.__code__, attribute)))
            count += len(found)
        self.assertGreaterEqual(count, len(names))

    def test_opaque_constants(self) -> None:
        constants = _code.Constants()
        first, second = {"a": 1}, {"a": 1}
        code = (lambda: 0).__code__.replace(co_consts=(first, second, first, len))
        packets = _code.code_packet(code, constants)["consts"]
        names = [p["name"] for p in packets]
        self.assertEqual(names[0], names[2])
        self.assertEqual(len(set(names)), 3)
        for p, c in zip(packets, code.co_consts):
            self.assertTrue(p["name"].isidentifier())
            self.assertIs(constants.by_name[p["name"]], c)
            self.assertNotIn("0x", p["text"])

    def test_unhashable_and_big_globals_are_not_printed(self) -> None:
        code = (lambda: 0).__code__.replace(co_consts=(globals(),))
        packet = _code.code_packet(code, _code.Constants())
        self.assertLess(len(_protocol.encode(packet)), 5000)

    def test_deeply_nested(self) -> None:
        source = "x = 1\n"
        for _ in range(20):
            source = "def f():\n" + "".join("  " + line + "\n" for line in source.splitlines())
        packet = _code.code_packet(compile(source, "deep", "exec"), _code.Constants())
        self.assertEqual(_protocol.decode(_protocol.encode(packet))["name"], "<module>")


if __name__ == "__main__":
    unittest.main()
