"""Record the code objects Dynamo really makes, as test data for the decompiler.

    python tests/torch/record_dynamo.py testdata/dynamo [SNIPPET...]

writes <torch>-<python>/<snippet>_<n>.pkt, one file for each frame: the
encoding (docs/protocol.md) of a map with "func", "old" and "new". Read one in Go
with service.ReadRecording. The backend is eager: what Dynamo writes for the
frame does not depend on it.
"""

from __future__ import annotations

import copy
import logging
import pathlib
import sys
import warnings

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))

import torch  # noqa: E402
from depyf import _code, _protocol  # noqa: E402
from snippets import SNIPPETS  # noqa: E402


def anonymous(code):
    """Hide where this checkout lies, in the code object and those inside it."""
    consts = tuple(anonymous(c) if hasattr(c, "co_code") else c for c in code.co_consts)
    name = pathlib.PurePath(code.co_filename).name
    return code.replace(co_filename=name, co_consts=consts)


def recording(old, new) -> bytes:
    """Encode one frame."""
    constants = _code.Constants()
    value = {
        "func": old.co_name,
        "old": _code.code_packet(anonymous(old), constants),
        "new": _code.code_packet(anonymous(new), constants),
    }
    return _protocol.encode(value)


def main(folder: str) -> None:
    warnings.simplefilter("ignore")
    logging.disable(logging.ERROR)
    version = torch.__version__.split("+")[0]
    python = "%d.%d" % sys.version_info[:2]
    out = pathlib.Path(folder, "%s-py%s" % (version, python))
    out.mkdir(parents=True, exist_ok=True)
    seen: list = []
    only = sys.argv[2:]
    torch._dynamo.convert_frame.register_bytecode_hook(lambda old, new: seen.append((old, new)))
    for name, make in SNIPPETS.items():
        if only and name not in only:
            continue
        torch._dynamo.reset()
        seen.clear()
        fn, calls = make()
        compiled = torch.compile(fn, backend="eager")
        for args in calls:
            try:
                compiled(*copy.deepcopy(args))
            except Exception as e:  # record what there is
                print(name, type(e).__name__, str(e).split("\n")[0][:200])
        for n, (old, new) in enumerate(seen):
            (out / ("%s_%d.pkt" % (name, n))).write_bytes(recording(old, new))
    print(out, len(list(out.iterdir())), "recordings")


if __name__ == "__main__":
    main(sys.argv[1])
