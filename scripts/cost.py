"""What watching costs: CPU time of compiling under prepare_debug over that without.

    PYTHON scripts/cost.py [-n PAIRS] [--models toy,mlp,transformer,gpt2,adamw,breaks]
                           [--backends eager,aot_eager,inductor] [--start process|torch|dynamo|warm]
                           [--swap] [--apart]

PYTHON has torch. Each measurement is a process of its own; the two of a pair run at
the same time, each on a core of its own, and change places ten times a second and from
pair to pair, so that both see the same machine at the same moment: what else the machine
does makes one core slower than the other for seconds. Counted is user and system time of the
process and its children (the Go program, compilers) from entering the block until
after leaving it, and the time on the clock from entering to leaving. Watching is that
of `depyf run`; with --swap the code runs from the files. On one core the Go program takes
the core from the program that it watches, so the clock shows what the CPU time does;
with --apart the two of a pair take turns, each on both cores while the other is stopped, as
a program does that nobody ties to one: then look at the clock, which counts its own turns.
--start says what has been done before the clock runs:
  process nothing: the whole program, from the command on until its last child is gone,
          `depyf run program.py` over `python program.py`
  torch   import torch: what a program pays that compiles something (the default)
  dynamo  import torch._dynamo too (and Inductor): without what torch sets up only once
  warm    something has been compiled, on the watched side under prepare_debug: what
          each further compilation costs
The ratio is the median of the pairs', where two pairs that changed places count as one
(the geometric mean of the two: a core that is slower cancels out); behind it the ratio
of the smallest times, which other programs on the machine disturb least.

Each two pairs that changed places begin at another depth of Python's stack. CPython keeps
frames in chunks of 16 KB (_PyThreadState_PushFrame in Python/pystate.c) and maps and unmaps
one whenever a call crosses from one to the next; a single frame more moves that border into
or out of a hot loop, which is 14,000 system calls and 6 % of the time of compiling GPT-2,
for or against either side.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
import traceback
from typing import Callable, TypeVar

import turns

ROOT = pathlib.Path(__file__).resolve().parents[1]

T = TypeVar("T")
Now = Callable[[], float]

# Of all that is measured.
ENVIRONMENT = {
    # The order of a set decides what torch visits first: both visit alike.
    "PYTHONHASHSEED": "0",
    # One process compiles the kernels, so that all of it is counted.
    "TORCHINDUCTOR_COMPILE_THREADS": "1",
    "OMP_NUM_THREADS": "1",
}


def toy():
    import torch

    def toy_example(a, b):
        x = a / (torch.abs(a) + 1)
        if b.sum() < 0:
            b = b * -1
        return x * b

    def calls(compiled):
        for sign in (1, -1):
            compiled(torch.rand(10), sign * torch.rand(10))

    return toy_example, calls


def mlp():
    import torch

    layers = []
    for _ in range(50):
        layers += [torch.nn.Linear(16, 16), torch.nn.ReLU()]

    def calls(compiled):
        compiled(torch.rand(4, 16)).sum().backward()

    return torch.nn.Sequential(*layers), calls


def transformer():
    import torch

    layer = torch.nn.TransformerEncoderLayer(32, 2, 64, dropout=0.0, batch_first=True)
    model = torch.nn.TransformerEncoder(layer, 12, enable_nested_tensor=False)

    def calls(compiled):
        compiled(torch.rand(2, 8, 32)).sum().backward()

    return model, calls


def gpt2():
    import torch
    from transformers import GPT2Config, GPT2LMHeadModel

    config = GPT2Config(n_layer=6, n_embd=96, n_head=4, vocab_size=500, n_positions=64, use_cache=False)
    model = GPT2LMHeadModel(config).eval()

    def calls(compiled):
        with torch.no_grad():
            compiled(torch.arange(32).reshape(2, 16))

    return model, calls


def adamw():
    import torch

    model = torch.nn.Sequential(*[m for _ in range(4) for m in (torch.nn.Linear(32, 32), torch.nn.GELU())])
    optimizer = torch.optim.AdamW(model.parameters())

    def step(x, y):
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        return loss

    def calls(compiled):
        for _ in range(2):
            compiled(torch.rand(8, 32), torch.rand(8, 32))

    return step, calls


def breaks():
    import torch

    lines = ["def f(x):"]
    for n in range(40):
        lines += ["    y = x * %d + 1" % n, "    print(end='')", "    x = y.sin() + x"]
    # A file, as a program has: the text of a function is part of the dump.
    path = os.path.join(tempfile.mkdtemp(), "breaks.py")
    text = "\n".join([*lines, "    return x", ""])
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    module = {"__name__": "breaks"}
    exec(compile(text, path, "exec"), module)

    def calls(compiled):
        compiled(torch.ones(4))

    return module["f"], calls


MODELS = {"toy": toy, "mlp": mlp, "transformer": transformer, "gpt2": gpt2, "adamw": adamw, "breaks": breaks}


def spent() -> float:
    """CPU seconds of this process and of the children it has waited for."""
    import resource

    own = resource.getrusage(resource.RUSAGE_SELF)
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def measure(model: str, backend: str, watched: str, start: str, clock: Now) -> tuple[float, float]:
    """Compile once, in this process; return CPU time and time on the clock. watched: no, watch or swap."""
    import torch

    if start != "torch":
        import torch._dynamo

        if backend == "inductor":
            import torch._inductor.compile_fx  # noqa: F401
    torch.manual_seed(0)
    module, calls = MODELS[model]()
    if start == "warm":
        with contextlib.ExitStack() as stack:
            if watched != "no":
                import depyf

                stack.enter_context(depyf.prepare_debug(tempfile.mkdtemp(), swap=watched == "swap"))
            small = torch.compile(lambda x: x.sin() + 1, backend=backend)
            small(torch.ones(3, requires_grad=True)).sum().backward()
    # A full collection takes as long as compiling the toy; whether one falls into the
    # block must not be chance.
    gc.collect()
    folder = tempfile.mkdtemp()
    before, since = spent(), clock()
    compiled = torch.compile(module, backend=backend)
    if watched == "no":
        calls(compiled)
        return spent() - before, clock() - since
    import depyf

    with depyf.prepare_debug(folder, swap=watched == "swap"):
        calls(compiled)
    passed = clock() - since
    from depyf._client import client

    client.close()  # The child's time counts once it has been waited for.
    return spent() - before, passed


def process(model: str, backend: str, watched: str, depth: int, clock: Now) -> tuple[float, float]:
    """Run a whole program that compiles once, and return the CPU time and clock time of all its processes."""
    command = [sys.executable]
    if watched != "no":
        command = [str(ROOT / "python/depyf/bin/depyf"), "run", "--out", tempfile.mkdtemp()]
        command += ["--swap"] * (watched == "swap")
    where = {**os.environ, "DEPYF_PYTHON": sys.executable, "PYTHONPATH": str(ROOT / "python")}
    where.pop("PYTHONDONTWRITEBYTECODE", None)  # Installed packages have their bytecode.
    before, since = spent(), clock()
    subprocess.run(
        [*command, __file__, "--program", model, backend, str(depth)],
        check=True,
        env=where,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    with contextlib.suppress(ChildProcessError):
        while True:  # What the program has left behind is a child of this process: see adopt.
            os.wait()
    return spent() - before, clock() - since


def program(model: str, backend: str, depth: str) -> None:
    """The program that process runs."""
    import torch

    torch.manual_seed(0)
    module, calls = MODELS[model]()
    compiled = torch.compile(module, backend=backend)
    deeper(int(depth), lambda: calls(compiled))


def adopt() -> None:
    """Become the parent of every process below whose own parent has ended (PR_SET_CHILD_SUBREAPER, Linux)."""
    import ctypes

    if ctypes.CDLL(None).prctl(36, 1, 0, 0, 0):
        sys.exit("a process that outlives its parent cannot be counted here")


class Measuring:
    """A measurement in a process of its own, forked from this one, which has imported torch and built the model."""

    def __init__(
        self,
        model: str,
        backend: str,
        watched: str,
        start: str,
        cores: set[int],
        depth: int,
        clock: Now = time.monotonic,
    ) -> None:
        self._answer, write = os.pipe()
        sys.stdout.flush()
        self.pid = os.fork()
        if self.pid:
            os.close(write)
            return
        status = 1
        try:
            os.sched_setaffinity(0, cores)
            os.environ["TORCHINDUCTOR_CACHE_DIR"] = tempfile.mkdtemp()  # Cold caches.
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # What torch warns of.
            if start == "process":
                adopt()
                times = process(model, backend, watched, depth, clock)
            else:
                times = deeper(depth, lambda: measure(model, backend, watched, start, clock))
            os.write(write, ("%r %r" % times).encode())
            status = 0
        except BaseException:
            traceback.print_exc(file=sys.stdout)
            sys.stdout.flush()
        os._exit(status)

    def end(self) -> tuple[float, float]:
        """The seconds that were measured: CPU, clock."""
        with open(self._answer, encoding="ascii") as f:
            answer = f.read()
        if os.waitpid(self.pid, 0)[1]:
            sys.exit("the measurement failed")
        cpu, clock = answer.split()
        return float(cpu), float(clock)


def deeper(depth: int, then: Callable[[], T]) -> T:
    """Call a function that many frames further down the stack."""
    return deeper(depth - 1, then) if depth else then()


DEEPEST = 150  # That many of these frames fill a chunk of the stack.

Times = tuple[tuple[float, float], tuple[float, float]]


def pair(model: str, backend: str, how: str, start: str, cores: tuple[int, int], depth: int) -> Times:
    """The times of one plain and one watched run, at the same time on two cores."""
    plain = Measuring(model, backend, "no", start, {cores[0]}, depth)
    watched = Measuring(model, backend, how, start, {cores[1]}, depth)
    turns.exchange([plain.pid, watched.pid], list(cores))
    return plain.end(), watched.end()


def apart(model: str, backend: str, how: str, start: str, cores: tuple[int, int], depth: int) -> Times:
    """The times of one plain and one watched run by turns on both cores; the greater core first: watched first."""
    order = ("no", how) if cores[0] < cores[1] else (how, "no")
    clocks = [turns.Clock() for _ in order]
    runs = [Measuring(model, backend, watched, start, set(cores), depth, c) for watched, c in zip(order, clocks)]
    turns.take([r.pid for r in runs], clocks)
    took = {watched: run.end() for watched, run in zip(order, runs)}
    return took["no"], took[how]


def main() -> None:
    if sys.argv[1:2] == ["--program"]:
        return program(*sys.argv[2:])
    if any(os.environ.get(k) != v for k, v in ENVIRONMENT.items()):
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, **ENVIRONMENT})
    sys.path.insert(0, str(ROOT / "python"))
    sys.dont_write_bytecode = False  # Installed packages have their bytecode.
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-n", type=int, default=5, help="pairs of measurements, each run twice")
    parser.add_argument("--models", default=",".join(MODELS))
    parser.add_argument("--backends", default="eager,aot_eager,inductor")
    parser.add_argument("--start", choices=("process", "torch", "dynamo", "warm"), default="torch")
    parser.add_argument("--swap", action="store_true", help="let the code run from the files")
    parser.add_argument("--apart", action="store_true", help="by turns, each on both cores")
    options = parser.parse_args()
    how = "swap" if options.swap else "watch"
    measured = apart if options.apart else pair
    import torch

    print(
        "torch %s, Python %d.%d, 2 × %d pairs, from %s on, %s%s"
        % (torch.__version__, *sys.version_info[:2], options.n, options.start, how, ", apart" * options.apart)
    )
    one, other = sorted(os.sched_getaffinity(0))[:2]
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TMPDIR"] = tempfile.tempdir = folder
        compare(options, measured, how, (one, other))


def compare(options: argparse.Namespace, measured: Callable[..., Times], how: str, cores: tuple[int, int]) -> None:
    """Measure each model with each backend, and print what came of it."""
    one, other = cores
    pair("toy", "eager", how, "torch", (one, other), 0)  # Bytecode caches, as an installed package has them.
    for model in options.models.split(","):
        MODELS[model]()  # What it imports is imported once.
        for backend in options.backends.split(","):
            times = []
            for n in range(options.n):
                depth = n * DEEPEST // options.n
                times += [measured(model, backend, how, options.start, c, depth) for c in ((one, other), (other, one))]
            for n, kind in enumerate(("CPU", "clock")):
                summary("%-12s %-10s %-5s" % (model, backend, kind), [(p[n], w[n]) for p, w in times])


def summary(title: str, times: list[tuple[float, float]]) -> None:
    """Print the ratio that crossed pairs have."""
    ratios = [watched / plain for plain, watched in times]
    crossed = sorted(math.sqrt(a * b) for a, b in zip(ratios[::2], ratios[1::2]))
    plain, watched = (min(kind) for kind in zip(*times))
    print(
        "%s × %.3f  (%.3f to %.3f; smallest %.2f s → %.2f s, × %.3f)"
        % (title, statistics.median(crossed), crossed[0], crossed[-1], plain, watched, watched / plain),
        flush=True,
    )


if __name__ == "__main__":
    main()
