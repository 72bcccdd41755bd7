"""What watching costs: CPU time of compiling under prepare_debug over that without.

    PYTHON scripts/cost.py [-n PAIRS] [--models toy,mlp,transformer] [--backends eager,aot_eager,inductor]
                           [--start torch|dynamo|warm]

PYTHON has torch. Each measurement is a process of its own; the two of a pair run at
the same time, each on a core of its own, and change places from pair to pair, so that
both see the same machine at the same moment. Counted is user and system time of the
process and its children (the Go program, compilers) from entering the block until
after leaving it. --start says what has been done before the clock runs:
  torch   import torch: what a program pays that compiles something (the default)
  dynamo  import torch._dynamo too (and Inductor): without what torch sets up only once
  warm    something has been compiled, on the watched side under prepare_debug: what
          each further compilation costs
The ratio is the median of the pairs', where two pairs that changed places count as one
(the geometric mean of the two: a core that is slower cancels out); behind it the ratio
of the smallest times, which other programs on the machine disturb least.
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

ROOT = pathlib.Path(__file__).resolve().parents[1]


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


MODELS = {"toy": toy, "mlp": mlp, "transformer": transformer}


def spent() -> float:
    """CPU seconds of this process and of the children it has waited for."""
    import resource

    own = resource.getrusage(resource.RUSAGE_SELF)
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def measure(model: str, backend: str, watched: bool, start: str) -> float:
    """Compile once, in this process."""
    import torch

    if start != "torch":
        import torch._dynamo

        if backend == "inductor":
            import torch._inductor.compile_fx  # noqa: F401
    torch.manual_seed(0)
    module, calls = MODELS[model]()
    if start == "warm":
        with contextlib.ExitStack() as stack:
            if watched:
                import depyf

                stack.enter_context(depyf.prepare_debug(stack.enter_context(tempfile.TemporaryDirectory())))
            small = torch.compile(lambda x: x.sin() + 1, backend=backend)
            small(torch.ones(3, requires_grad=True)).sum().backward()
    # A full collection takes as long as compiling the toy; whether one falls into the
    # block must not be chance.
    gc.collect()
    with tempfile.TemporaryDirectory() as folder:
        before = spent()
        compiled = torch.compile(module, backend=backend)
        if watched:
            import depyf
            from depyf._client import client

            with depyf.prepare_debug(folder):
                calls(compiled)
            client.close()  # The child's time counts once it has been waited for.
        else:
            calls(compiled)
        return spent() - before


def begin(model: str, backend: str, watched: bool, start: str, core: int, cache: str) -> subprocess.Popen[str]:
    """Start a measurement in a fresh process, with cold caches of Inductor's."""
    return subprocess.Popen(
        [sys.executable, __file__, "--one", model, backend, str(int(watched)), start],
        env={
            **{k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"},
            "PYTHONPATH": str(ROOT / "python"),
            # The order of a set decides what torch visits first: both visit alike.
            "PYTHONHASHSEED": "0",
            "TORCHINDUCTOR_CACHE_DIR": cache,
            # One process compiles the kernels, so that all of it is counted.
            "TORCHINDUCTOR_COMPILE_THREADS": "1",
            "OMP_NUM_THREADS": "1",
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        universal_newlines=True,
        preexec_fn=lambda: os.sched_setaffinity(0, {core}),
    )


def end(measuring: subprocess.Popen[str]) -> float:
    """The seconds that a measurement printed."""
    out, err = measuring.communicate()
    if measuring.returncode:
        sys.exit(err)
    return float(out.split()[-1])


def pair(model: str, backend: str, start: str, cores: tuple[int, int]) -> tuple[float, float]:
    """The times of one plain and one watched run, at the same time on two cores."""
    with tempfile.TemporaryDirectory() as first, tempfile.TemporaryDirectory() as second:
        plain = begin(model, backend, False, start, cores[0], first)
        watched = begin(model, backend, True, start, cores[1], second)
        return end(plain), end(watched)


def main() -> None:
    if "--one" in sys.argv:
        model, backend, watched, start = sys.argv[sys.argv.index("--one") + 1 :]
        print(measure(model, backend, watched == "1", start))
        return
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-n", type=int, default=5, help="pairs of measurements, each run twice")
    parser.add_argument("--models", default=",".join(MODELS))
    parser.add_argument("--backends", default="eager,aot_eager,inductor")
    parser.add_argument("--start", choices=("torch", "dynamo", "warm"), default="torch")
    options = parser.parse_args()
    import torch

    print(
        "torch %s, Python %d.%d, 2 × %d pairs, from %s on"
        % (torch.__version__, *sys.version_info[:2], options.n, options.start)
    )
    one, other = sorted(os.sched_getaffinity(0))[:2]
    pair("toy", "eager", "torch", (one, other))  # Bytecode caches, as an installed package has them.
    for model in options.models.split(","):
        for backend in options.backends.split(","):
            times = []
            for _ in range(options.n):
                times += [pair(model, backend, options.start, cores) for cores in ((one, other), (other, one))]
            ratios = [watched / plain for plain, watched in times]
            crossed = sorted(math.sqrt(a * b) for a, b in zip(ratios[::2], ratios[1::2]))
            plain, watched = (min(kind) for kind in zip(*times))
            print(
                "%-12s %-10s × %.3f  (%.3f to %.3f; smallest %.2f s → %.2f s, × %.3f)"
                % (
                    model,
                    backend,
                    statistics.median(crossed),
                    crossed[0],
                    crossed[-1],
                    plain,
                    watched,
                    watched / plain,
                ),
                flush=True,
            )


if __name__ == "__main__":
    main()
