"""How much a call costs with torch's guards, and with a dispatcher of one's own.

    PYTHON scripts/dispatcher.py [backend]      PYTHON has torch; DEPYF=path imports another depyf

A module of 100 submodules, whose guards torch checks at every call, is called
with and without them in turn; the medians and their ratio are printed.
"""

from __future__ import annotations

import os
import pathlib
import statistics
import sys
import time

sys.path.insert(0, os.environ.get("DEPYF") or str(pathlib.Path(__file__).resolve().parents[1] / "python"))

import depyf  # noqa: E402
import torch  # noqa: E402
from depyf.optimization import TorchCompileWrapperWithCustomDispatcher  # noqa: E402


class Block(torch.nn.Module):
    def __init__(self, n: int) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.full((4,), 1.0 + n / 1000))

    def forward(self, x):
        return x * self.weight


class Model(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.blocks = torch.nn.ModuleList([Block(n) for n in range(100)])

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x


class Dispatched(TorchCompileWrapperWithCustomDispatcher):
    def __init__(self, model: torch.nn.Module, backend: str) -> None:
        self.model = model
        super().__init__(torch.compile(self.forward, backend=backend))

    def forward(self, x):
        return self.model(x)

    def __call__(self, x):
        if not self.compiled_codes:
            return self.compiled_callable(x)
        with self.dispatch_to_code(0):
            return self.forward(x)


def main() -> None:
    backend = sys.argv[1] if len(sys.argv) > 1 else "eager"
    model, x = Model(), torch.rand(4)
    dispatched = Dispatched(model, backend)
    with torch.no_grad():
        for _ in range(3):
            assert torch.allclose(dispatched(x), model(x))
        assert torch.allclose(dispatched.compiled_callable(x), model(x))
        guarded, own = [], []
        for _ in range(300):
            for times, call in ((guarded, dispatched.compiled_callable), (own, dispatched)):
                before = time.perf_counter()
                call(x)
                times.append(time.perf_counter() - before)
    a, b = (1e6 * statistics.median(t) for t in (guarded, own))
    print(
        "torch %s, depyf %s, %s: guarded %.0f µs, dispatcher %.0f µs, × %.2f"
        % (torch.__version__, depyf.__version__, backend, a, b, a / b)
    )


if __name__ == "__main__":
    main()
