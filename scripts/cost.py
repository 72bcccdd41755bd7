"""What watching costs: CPU time of compiling under prepare_debug over that without.

    PYTHON scripts/cost.py [-n PAIRS] [--models toy,mlp,transformer] [--backends eager,aot_eager,inductor]
                           [--start torch|dynamo|warm]

PYTHON has torch. Each measurement is a process of its own; the two kinds alternate,
so that both see the same machine. Counted is user and system time of the process
and its children (the Go program, compilers) from entering the block until after
leaving it. --start says what has been done before the clock runs:
  torch   import torch: what a program pays that compiles something (the default)
  dynamo  import torch._dynamo too (and Inductor): without what torch sets up only once
  warm    something has been compiled, on the watched side under prepare_debug: what
          each further compilation costs
The ratio is that of the medians, behind it that of the smallest times, which other
programs on the machine disturb least; the spread is that of the pairs.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
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


def run(model: str, backend: str, watched: bool, start: str) -> float:
    """Measure in a fresh process, with cold caches of Inductor's."""
    with tempfile.TemporaryDirectory() as cache:
        done = subprocess.run(
            [sys.executable, __file__, "--one", model, backend, str(int(watched)), start],
            env={
                **{k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"},
                "PYTHONPATH": str(ROOT / "python"),
                "TORCHINDUCTOR_CACHE_DIR": cache,
                # One process compiles the kernels, so that all of it is counted.
                "TORCHINDUCTOR_COMPILE_THREADS": "1",
                "OMP_NUM_THREADS": "1",
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            universal_newlines=True,
        )
    if done.returncode:
        sys.exit(done.stderr)
    return float(done.stdout.split()[-1])


def main() -> None:
    if "--one" in sys.argv:
        model, backend, watched, start = sys.argv[sys.argv.index("--one") + 1 :]
        print(measure(model, backend, watched == "1", start))
        return
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-n", type=int, default=5, help="pairs of measurements")
    parser.add_argument("--models", default=",".join(MODELS))
    parser.add_argument("--backends", default="eager,aot_eager,inductor")
    parser.add_argument("--start", choices=("torch", "dynamo", "warm"), default="torch")
    options = parser.parse_args()
    import torch

    print(
        "torch %s, Python %d.%d, %d pairs, from %s on"
        % (torch.__version__, *sys.version_info[:2], options.n, options.start)
    )
    run("toy", "eager", True, "torch")  # Bytecode caches, as an installed package has them.
    for model in options.models.split(","):
        for backend in options.backends.split(","):
            plain, watched = [], []
            for i in range(options.n):
                for kind in (True, False) if i % 2 else (False, True):
                    (watched if kind else plain).append(run(model, backend, kind, options.start))
            ratios = sorted(w / p for w, p in zip(watched, plain))
            middle = statistics.median(plain), statistics.median(watched)
            print(
                "%-12s %-10s %6.2f s → %6.2f s  × %.3f  (smallest %.2f s × %.3f, pairs %.3f to %.3f)"
                % (
                    model,
                    backend,
                    *middle,
                    middle[1] / middle[0],
                    min(plain),
                    min(watched) / min(plain),
                    ratios[0],
                    ratios[-1],
                ),
                flush=True,
            )


if __name__ == "__main__":
    main()
