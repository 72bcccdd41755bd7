"""Write sample packets for the Go tests: internal/service/testdata/*.packet.

Run it with any Python after changing the encoding; the Go test reads the files
and must write the same bytes.
"""

from __future__ import annotations

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))

from depyf import _code, _protocol  # noqa: E402

SOURCE = r'''
def sample(a, /, b=1.5, *rest, key=b"k", **named):
    """Text with a lone surrogate: \\udc80."""
    big, small = 1 << 80, -0.0
    def inner(x):
        return a, x, 1j, ..., "caf\\xe9"
    return [inner(i) for i in rest if i in {1, 2, 3}] + [big, small, (None, True)]
'''


def samples() -> dict[str, object]:
    code = compile(SOURCE, "sample.py", "exec")
    function = next(c for c in code.co_consts if hasattr(c, "co_code"))
    odd = function.replace(co_consts=(*function.co_consts, {"a": 1}, len, sys))
    return {
        "hello": {"cmd": "hello", "protocol": 1, "version": "1.0.0", "python": [3, 13, 0]},
        "values": [None, True, False, 0, -1, 1 << 62, 1 << 90, -(1 << 63), 0.1, float("inf"), "", "\udc80é", b"\0", {}],
        "module": {"cmd": "decompile", "code": _code.code_packet(code, _code.Constants())},
        "opaque": {"cmd": "decompile", "code": _code.code_packet(odd, _code.Constants())},
    }


def main() -> None:
    folder = ROOT / "internal" / "service" / "testdata"
    folder.mkdir(parents=True, exist_ok=True)
    for number, (name, value) in enumerate(samples().items(), 1):
        (folder / (name + ".packet")).write_bytes(_protocol.pack(number, False, value))


if __name__ == "__main__":
    main()
