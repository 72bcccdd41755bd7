"""Record a session of the real torch as an event log, for tests without torch.

    python tests/torch/record_session.py toy eager OUT [grad] [shapes] [reset]
    python tests/torch/record_session.py gpu/graphs.py inductor OUT

OUT gets events.jsonl and .blobs, as prepare_debug leaves them, with two changes:
where things lie on this machine is replaced, and artifacts that no report uses
and that are large are left out. A program in gpu needs an NVIDIA GPU. Copy them to testdata/sessions/<name> and run
`go test ./internal/report -update`.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import linecache
import os
import pathlib
import sys
import tempfile
import types
import warnings
import zlib
from typing import Any, Callable, Iterator

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))
os.environ.setdefault("TORCHINDUCTOR_CACHE_DIR", "/tmp/torchinductor_user")
os.environ.setdefault("TORCHINDUCTOR_FORCE_DISABLE_CACHES", "1")

import depyf  # noqa: E402
import torch  # noqa: E402

PROGRAMS = {
    "toy": (
        "toy_example",
        """\
import torch


@torch.compile
def toy_example(a, b):
    x = a / (torch.abs(a) + 1)
    if b.sum() < 0:
        b = b * -1
    return x * b
""",
        lambda n, grad: (torch.randn(n, requires_grad=grad), torch.randn(n, requires_grad=grad)),
    ),
    "closure": (
        "step",
        """\
import torch


def make():
    scale = torch.ones(3)

    def step(x, *rest, flag=True, **more):
        y = x * scale
        if flag:
            print("breaks here")
        return (y + sum(rest)).relu()

    return step


step = make()
""",
        lambda n, grad: (torch.randn(n, 3, requires_grad=grad),),
    ),
    "loop": (
        "until",
        """\
import torch


def until(x):
    while x.sum() < 10:
        x = x + 1
    return x
""",
        lambda n, grad: (torch.zeros(n, requires_grad=grad),),
    ),
    "limit": (
        "named",
        """\
import torch


def named(x, name):
    return x * len(name)
""",
        lambda n, grad: (torch.ones(n, requires_grad=grad), "x" * next(_names)),
    ),
    "refused": (
        "two",
        """\
import torch


def refuse(gm, inputs):
    raise RuntimeError("no `graph` | of this kind")


@torch.compile(backend=refuse)
def refused(x):
    return x.sin() + 1


@torch.compile(backend="eager")
def __works__(x):
    y = x.cos()
    return y * 2


def two(x):
    try:
        refused(x)
    except Exception:
        pass
    return __works__(x)
""",
        lambda n, grad: (torch.ones(n, requires_grad=grad),),
    ),
    "export": (
        "export",
        """\
import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)

    def forward(self, x):
        return self.linear(x).relu().sum(0)


def export(x):
    batch = torch.export.Dim("batch", min=2, max=64)
    torch.export.export(Net(), (x,), dynamic_shapes=({0: batch},), strict=True)
    torch.export.export(Net(), (x,), strict=False)
    return x
""",
        lambda n, grad: (torch.ones(n, 4),),
    ),
    "skipped": (
        "talk",
        """\
import torch


def talk(x):
    for i in range(2):
        print(i)
        x = x + i
    return x
""",
        lambda n, grad: (torch.ones(n, requires_grad=grad),),
    ),
}


_names = itertools.count()

LARGE = (
    "torch._functorch.config",
    "aot_forward_graph_fw_metadata",
    "aot_autograd_runtime_wrappers",
    "fx_graph_cache_miss",
)


def hide(data: bytes, folder: str) -> bytes:
    """Replace where things lie on this machine."""
    for path, name in (
        (folder, "/project/dump"),
        (sys.prefix, "/venv"),
        (sys.base_prefix, "/python"),
        (str(ROOT), "/project"),
        (os.path.realpath(sys.prefix), "/venv"),
    ):
        data = data.replace(path.encode(), name.encode())
    return data


def blobs(folder: pathlib.Path) -> Iterator[tuple[str, bytes]]:
    """Yield the blobs of a dump with their names; docs/dump_folder.md has their form."""
    with open(folder / ".blobs" / "pack", "rb") as f:
        for head in f:
            name, form, size = head.decode().split()
            data = f.read(int(size))
            f.read(1)
            yield name, zlib.decompress(data, -15) if form == "deflate" else data


def clean(folder: str, out: pathlib.Path) -> None:
    """Copy the log; blobs are named by their content, which changes."""
    (out / ".blobs").mkdir(parents=True, exist_ok=True)
    names = {name: hide(data, folder) for name, data in blobs(pathlib.Path(folder))}
    lines = []
    for line in pathlib.Path(folder, "events.jsonl").read_bytes().splitlines():
        event = json.loads(line)
        if event["type"] == "session_start":
            event["fields"].update(argv=["toy_example.py"], pid=1)
        event["fields"].pop("settings", None)  # Hundreds, with paths of this machine; no report uses them.
        envelope = event["fields"].get("envelope")
        if isinstance(envelope, str) and json.loads(envelope).get("artifact", {}).get("name") in LARGE:
            continue
        lines.append(
            hide(json.dumps(event, ensure_ascii=False, sort_keys=True).encode("utf-8", "surrogatepass"), folder)
        )
    log = b"".join(line + b"\n" for line in lines)
    for name, data in names.items():
        if name.encode() in log:
            new = hashlib.sha256(data).hexdigest()[:16]
            log = log.replace(name.encode(), new.encode())
            (out / ".blobs" / new).write_bytes(data)
    (out / "events.jsonl").write_bytes(log)


def known(name: str, text: str) -> str:
    """Give a text a name that says nothing of this machine, under which Python finds its lines."""
    filename = "/project/%s.py" % name
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    return filename


def module(path: str) -> "dict[str, Any]":
    """Import a program in this folder, under such a name."""
    text = (pathlib.Path(__file__).resolve().parent / path).read_text()
    made = types.ModuleType(pathlib.Path(path).stem)
    sys.modules[made.__name__] = made
    made.__file__ = known(made.__name__, text)
    exec(compile(text, made.__file__, "exec"), vars(made))
    return vars(made)


def main(program: str, backend: str, out: str, *flags: str) -> None:
    warnings.simplefilter("ignore")
    if program.endswith(".py"):
        watch(lambda: module(program)["main"](backend), out)
        return
    entry, text, arguments = PROGRAMS[program]
    filename = known("toy_example" if program == "toy" else program, text)
    namespace: dict = {"__file__": filename, "__name__": "toy"}
    real = torch.compile
    if program == "toy":
        torch.compile = lambda f: real(f, backend=backend)  # type: ignore[assignment]
    try:
        exec(compile(text, filename, "exec"), namespace)
    finally:
        torch.compile = real
    fn = namespace[entry]
    if program not in ("toy", "refused", "export"):
        fn = torch.compile(fn, backend=backend)
    torch.manual_seed(0)
    grad = "grad" in flags

    def calls() -> None:
        for n in (10, 10, 12) if "shapes" in flags else (10,):
            for _ in range({"toy": 30, "limit": 10, "export": 1}.get(program, 2)):
                r = fn(*arguments(n, grad))
                if grad:
                    r.sum().backward()
            if "reset" in flags:
                torch._dynamo.reset()

    watch(calls, out)


def watch(calls: Callable[[], object], out: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        with depyf.prepare_debug(folder):
            calls()
        print(pathlib.Path(folder, "index.md").read_text()[:600])
        clean(folder, pathlib.Path(out))


if __name__ == "__main__":
    main(*sys.argv[1:])
