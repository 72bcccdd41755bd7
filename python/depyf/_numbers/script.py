"""A program of a page that shows a wrong number: the operation, its inputs, and the three results."""

from __future__ import annotations

import base64
import io
import pprint
import zlib
from typing import Any, Dict

import torch

_HEAD = '''"""{about}

Written by depyf.compare. It needs torch and nothing else.
"""

import base64
import io
import zlib

import torch
from torch import device, inf, nan
{imports}

DATA = (
{data}
)


class Operation(torch.nn.Module):
{attributes}
{code}

def loaded(dtype=None):
    """Fresh inputs. What shares memory goes on sharing it."""
    values, views, tangents, wanted = torch.load(io.BytesIO(zlib.decompress(base64.b64decode("".join(DATA)))))
    if dtype:
        memory = {{}}
        for i, v in enumerate(values):
            if isinstance(v, torch.Tensor) and v.is_floating_point():
                key = v.untyped_storage().data_ptr(), v.dtype
                if key not in memory:
                    memory[key] = torch.empty(0, dtype=v.dtype).set_(v.untyped_storage()).to(dtype)
                values[i] = memory[key].as_strided(v.size(), v.stride(), v.storage_offset())
    values = [v if view is None else v.as_strided(*view) for v, view in zip(values, views)]
    return values, tangents, wanted


def run(function, dtype=None):
    values, tangents, wanted = loaded(dtype)
    before, _, _ = loaded(dtype)
    leaves = [v.requires_grad_() for v, want in zip(values, wanted) if want]
    used = [v * 1 if isinstance(v, torch.Tensor) and v.requires_grad else v for v in values]
    outs = function(*used)
    pairs = [(outs[i], g.to(outs[i].dtype)) for i, g in tangents.items() if outs[i].requires_grad]
    found = [(str(i), o.detach()) for i, o in enumerate(outs) if isinstance(o, torch.Tensor)]
    if pairs:
        gradients = torch.autograd.grad([o for o, _ in pairs], leaves, [g for _, g in pairs], allow_unused=True)
        found += [("gradient %d" % i, g) for i, g in enumerate(gradients)]
    for i, (v, old) in enumerate(zip(used, before)):
        if isinstance(v, torch.Tensor) and not torch.equal(v.detach(), old.detach()):
            found.append(("input %d has become" % i, v.detach()))
    return found


def show(what, function, dtype=None):
    try:
        for name, t in run(function, dtype):
            print(what, name, t)
    except Exception as e:
        print(what, "raises", type(e).__name__, e)


show("eager   ", Operation())
{compiled}
if torch.float64:
    show("float64 ", Operation().double(), torch.float64)
'''


def text(segment: Any, about: str, backend: str, finding: Dict[str, Any]) -> str:
    gm = segment.gm
    held = io.BytesIO()
    values, views = [], []
    for v in segment.values:
        base = v._base if isinstance(v, torch.Tensor) else None
        values.append(v if base is None else base)
        views.append(None if base is None else (v.size(), v.stride(), v.storage_offset()))
    torch.save((values, views, segment.tangents, [bool(w) for w in segment.wanted]), held)
    packed = base64.b64encode(zlib.compress(held.getvalue())).decode()
    data = "\n".join('    "%s"' % packed[i : i + 100] for i in range(0, len(packed), 100))
    known = ("inductor", "eager", "aot_eager", "aot_eager_decomp_partition")
    if backend in known:
        compiled = 'show("compiled", torch.compile(Operation(), backend=%r))' % backend
    else:
        compiled = "# The backend %s is the program's own: put it in here.\n" % backend
        compiled += '# show("compiled", torch.compile(Operation(), backend=...))'
    code = "\n".join("    " + line if line else "" for line in gm.code.strip("\n").splitlines())
    imports = "\n".join(sorted({"import %s" % n for n in ("torch.fx", "operator") if n.split(".")[0] in code}))
    return _HEAD.format(
        about=about.strip().replace('"""', "'''").replace("\\", "\\\\"),
        data=data,
        code=code,
        compiled=compiled,
        imports=imports,
        attributes=_attributes(gm),
    ).replace("if torch.float64:\n    show", "show")


def _attributes(gm: Any) -> str:
    """Modules and tensors that the graph reads from itself."""
    lines = []
    for n in gm.graph.nodes:
        if n.op == "call_module":
            lines.append(
                "        self.add_module(%r, torch.nn.%s)" % (n.target, pprint.pformat(gm.get_submodule(n.target)))
            )
        elif n.op == "get_attr":
            value = getattr(gm, n.target, None)
            if isinstance(value, torch.Tensor) and value.numel() <= 64:
                made = "torch.tensor(%r, dtype=%s)" % (value.tolist(), value.dtype)
                lines.append("        self.register_buffer(%r, %s)" % (n.target, made))
    return "    def __init__(self):\n        super().__init__()\n" + "\n".join(lines) + "\n" if lines else ""
