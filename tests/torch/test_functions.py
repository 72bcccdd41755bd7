"""Which function a person wrote is named, also where torch is given the wrapper of a decorator."""

from __future__ import annotations

import functools
import tempfile
from typing import Any, Callable

import support
import torch
from depyf._torch import functions
from support import TorchCase, dumping


def decorated(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def wrapper(self: Any, *args: Any, **kwargs: Any) -> Any:
        return function(self, *args, **kwargs)

    return wrapper


def timed(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    return wrapper


class Model(torch.nn.Module):
    @decorated
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x.sin()

    @decorated
    def other(self, x: torch.Tensor) -> torch.Tensor:
        return x.cos()


@timed
def step(x: torch.Tensor) -> torch.Tensor:
    return x + 1


def calling(inner: Callable[..., Any]) -> Callable[..., Any]:
    def outer(x: torch.Tensor) -> torch.Tensor:
        result: torch.Tensor = inner(x) * 2
        return result

    return outer


@support.needs_program
class Functions(TorchCase):
    def named(self, function: Any) -> Any:
        torch._dynamo.reset()
        with tempfile.TemporaryDirectory() as folder, dumping(folder) as dump:
            torch.compile(function, backend="eager")(torch.ones(3))
        self.assertEqual(dump.problems(), [])
        return [(e["qualname"], e["line"]) for e in dump.of("function")]

    def test_methods(self) -> None:
        line = Model.forward.__wrapped__.__code__.co_firstlineno  # type: ignore[attr-defined]
        self.assertEqual(self.named(Model()), [("Model.forward", line)])
        # The same code as that of forward's wrapper, but for what it has closed over.
        self.assertEqual([name for name, _ in self.named(Model().other)], ["Model.other"])

    def test_functions(self) -> None:
        self.assertEqual([name for name, _ in self.named(step)], ["step"])

    def test_no_wrapper(self) -> None:
        """A function that calls another one is no wrapper of it."""
        outer = calling(step)
        self.assertIsNone(functions.meant(outer.__code__, {"inner": step}))

    def test_objects_are_not_asked(self) -> None:
        """What the program keeps in a class, or closes over, may answer for an attribute by code of its own."""
        asked = []

        class Curious:
            def __getattr__(self, name: str) -> Any:
                asked.append(name)
                raise AttributeError(name)

        class Owner:
            kept = Curious()

            def method(self) -> None:
                pass

        code = calling(Curious()).__code__  # type: ignore[arg-type]
        self.assertIsNone(functions.meant(code, {"x": Owner(), "inner": Curious()}))
        self.assertIs(functions.meant(Owner.method.__code__, {"self": Owner()}), Owner.method)
        self.assertEqual(asked, [])
