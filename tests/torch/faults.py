"""Functions whose numbers go wrong at one known operation, and functions of which nothing is wrong.

The line at fault ends in a comment `# here`. A backend here makes a mistake of its own and is
otherwise eager, so that no compiler of C++ is needed.
"""

from __future__ import annotations

import inspect
from typing import Any, Callable, Dict, List, NamedTuple

import support  # noqa: F401
import torch
import torch.nn.functional as F
import torch.utils.checkpoint


class Fault(NamedTuple):
    name: str
    function: Callable[..., Any]
    inputs: Callable[[], Any]
    operation: str  # The end of its name.
    who: str
    kind: str = "differs"
    back: str = "forward"
    backend: Any = "aot_eager"
    together: int = 1  # How many operations it takes.
    options: Dict[str, Any] = {}

    def line(self) -> int:
        lines, first = inspect.getsourcelines(self.function)
        return first + next(i for i, text in enumerate(lines) if text.rstrip().endswith("# here"))


FAULTS: List[Fault] = []


def fault(inputs: Callable[[], Any], operation: str, who: str, **more: Any) -> Callable[[Any], Any]:
    def add(function: Any) -> Any:
        FAULTS.append(Fault(function.__name__, function, inputs, operation, who, **more))
        return function

    return add


def grad(*shape: int, **options: Any) -> Any:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(1), **options).requires_grad_()


def data(*shape: int) -> Any:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(2))


def swapping(name: str, other: Callable[..., Any]) -> Callable[..., Any]:
    """A backend that computes one operation by another function."""

    def backend(gm: Any, inputs: Any) -> Any:
        for n in gm.graph.nodes:
            if name in (n.target, getattr(n.target, "__name__", None)) and n.op in ("call_function", "call_method"):
                n.op, n.target = "call_function", other
        gm.recompile()
        return gm.forward

    return backend


def without(*names: str) -> Callable[..., Any]:
    """A backend that takes operations for their first argument."""

    def backend(gm: Any, inputs: Any) -> Any:
        for n in reversed(list(gm.graph.nodes)):
            if n.target in names or getattr(n.target, "__name__", None) in names:
                if n.all_input_nodes:
                    n.replace_all_uses_with(n.all_input_nodes[0])
                gm.graph.erase_node(n)
        gm.recompile()
        return gm.forward

    return backend


@fault(lambda: [torch.full((4,), 12.0, dtype=torch.float16)], "exp", "precision", kind="not finite")
def overflow_in_half_precision(x):
    y = torch.exp(x)  # here
    return (y / y.sum()).sum()


@fault(
    lambda: [torch.tensor([0.0, 1.0, 2.0]).requires_grad_()], "truediv", "program", kind="not finite", back="backward"
)
def division_in_a_masked_lane(x):
    y = torch.sin(x) / x  # here
    return torch.where(x == 0, 1.0, y).sum()


class WrongSquare(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * x  # A factor of two is missing.


@fault(lambda: [grad(4)], "WrongSquare", "program", kind="derivative", back="backward")
def wrong_custom_backward(x):
    y = x + 1
    return WrongSquare.apply(y).sum()  # here


@fault(lambda: [data(3, 4)], "as_strided", "compiled", together=2, backend=without("contiguous"))
def assumed_strides(x):
    y = x.t().contiguous()
    z = torch.as_strided(y, (12,), (1,))  # here
    return z * 2


@fault(lambda: [grad(4)], "tanh", "compiled", backend=swapping("tanh", torch.sigmoid))
def miscompiled_operation(x):
    a = x * 2
    b = torch.tanh(a)  # here
    return (b + 1) * x


@fault(lambda: (lambda base: [base, base[1:]])(data(4, 3)), "add_", "compiled", backend=swapping("add_", torch.add))
def lost_change_of_an_argument_that_another_is_a_view_of(whole, part):
    whole.add_(100)  # here
    return part[0]


@fault(lambda: [data(2, 3)], "add_", "compiled", backend=swapping("add_", torch.add))
def lost_change_in_place(x):
    y = x * 1
    v = y.view(-1)
    v.add_(1)  # here
    return y * 2


@fault(lambda: [data(6)], "copy_", "compiled", backend=swapping("copy_", lambda a, b: a.copy_(b.flip(0))))
def race_in_an_overlapping_copy(x):
    y = x.clone()
    y[1:].copy_(y[:-1].clone())  # here
    return y.cumsum(0)


@fault(lambda: [data(4, 4)], "matmul", "compiled", backend=without("_enter_autocast", "_exit_autocast"))
def lost_autocast(x):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        y = x @ x  # here
    return y + 1


@fault(lambda: [torch.full((4, 4), 300.0)], "matmul", "precision", kind="not finite")
def overflow_under_autocast(x):
    with torch.autocast("cpu", dtype=torch.float16):
        y = x @ x  # here
    return y.float().sum()


@fault(lambda: [data(5)], "log", "program", kind="not finite")
def log_of_a_negative(x):
    y = torch.log(x)  # here
    return y * 2


@fault(lambda: [data(2, 3)], "softmax", "program", kind="not finite")
def softmax_of_nothing(x):
    mask = torch.tensor([[True, True, True], [False, True, False]])
    scores = x.masked_fill(mask, float("-inf"))
    return torch.softmax(scores, -1)  # here


@fault(lambda: [torch.zeros(3).requires_grad_()], "sqrt", "program", kind="not finite", back="backward")
def gradient_of_a_root_at_zero(x):
    y = x * 3
    return y.sqrt().sum()  # here


@fault(lambda: [data(4)], "truediv", "program", kind="not finite")
def division_by_zero(x):
    d = x - x
    return 1 / d  # here


def short_sum(x, *args):
    return x.to(torch.int8).sum(dtype=torch.int8).to(torch.int64)


@fault(lambda: [torch.arange(100, dtype=torch.int32)], "sum", "compiled", backend=swapping("sum", short_sum))
def overflow_of_integers(x):
    y = x * 2
    return y.sum() + 1  # here


def other_norm(x, shape, weight=None, bias=None, eps=1e-5, **_):
    return F.layer_norm(x, shape, weight, bias, 1e-1)


@fault(lambda: [grad(4, 8)], "layer_norm", "compiled", backend=swapping("layer_norm", other_norm))
def bad_fallback(x):
    y = F.layer_norm(x * 3, (8,))  # here
    return y.relu()


@fault(lambda: [data(4096)], "sum", "compiled", backend=swapping("sum", lambda x: x.bfloat16().sum().float()))
def accumulated_in_too_few_bits(x):
    y = x.abs()
    return y.sum().sqrt()  # here


def wide(gm: Any, inputs: Any) -> Any:
    return lambda *args: tuple(o.half() for o in gm.forward(*(a.float() for a in args)))


@fault(lambda: [torch.full((4,), 200.0, dtype=torch.float16)], "mul", "eager", together=2, backend=wide)
def overflow_of_eager_alone(x):
    y = x * 1000  # here
    return y * 0.001


@fault(lambda: [grad(4)], "mul", "compiled", back="backward", backend=swapping("mul", lambda a, b: a.detach() * b))
def lost_gradient(x):
    y = x.sin() + x
    z = y * 3  # here
    return z.cos() + x


@fault(lambda: [grad(4)], "cos", "compiled", backend=swapping("cos", torch.sin))
def behind_a_graph_break(x):
    y = x.exp()
    torch._dynamo.graph_break()
    return torch.cos(y) * 2  # here


# So many that not all are dropped.
@fault(lambda: [grad(64)], "tanh", "compiled", backend=swapping("tanh", torch.sigmoid))
def in_front_of_dropout(x):
    y = torch.tanh(x)  # here
    return F.dropout(y, 0.5)


def fixed_mean(gm: Any, inputs: Any) -> Any:
    return swapping("mean", lambda x: x.sum() / 4)(gm, inputs)


@fault(lambda: [[data(4), data(6), data(7)]], "mean", "compiled", backend=fixed_mean, options={"dynamic": True})
def with_sizes_that_vary(xs):
    def centred(x):
        return x - x.mean()  # here

    out = []
    for x in xs:
        torch._dynamo.graph_break()
        out.append(centred(x))
    return out


@fault(lambda: [data(4)], "aten.log.default", "unknown", kind="not finite")
def outside_of_graphs(x):
    @torch._dynamo.disable
    def left_alone(v):
        return v.log()  # here

    return left_alone(x * 1) + 1


@fault(lambda: [1e4 + data(64) * 1e-3], "sqrt", "precision", kind="not finite")
def cancellation(x):
    variance = (x * x).mean() - x.mean() * x.mean()
    return (variance - 0.5 * variance.abs() - 1e-9).clamp(max=1.0).sqrt()  # here


@fault(
    lambda: [data(8, 4), torch.tensor([1, 3])],
    "index_select",
    "compiled",
    backend=swapping("index_select", lambda x, d, i: torch.index_select(x, d, i - 1)),
)
def off_by_one(x, i):
    y = x * 2
    return y.index_select(0, i).sum(0)  # here


@fault(lambda: [data(6)], "tanh", "compiled", backend=swapping("tanh", torch.sigmoid), options={"dynamic": True})
def behind_an_assignment(x):
    x[0] = 2.0
    return torch.tanh(x)  # here


def doubled(x, *args):
    return torch.bernoulli(x.double())


@fault(lambda: [torch.full((6,), 0.5)], "bernoulli", "compiled", backend=swapping("bernoulli", doubled))
def type_of_what_is_drawn(x):
    y = x * 1
    return torch.bernoulli(y)  # here


def from_zero(x, *args):
    return torch.cat([torch.zeros(1, dtype=x.dtype), x]).amin()


@fault(lambda: [torch.tensor([5, 3, 9], dtype=torch.int8)], "amin", "compiled", backend=swapping("amin", from_zero))
def least_of_few_bits(x):
    y = x + 1
    return torch.amin(y)  # here


def last_place(x, *args):
    return (x.flip(0).max(0)[0], x.flip(0).max(0)[1])


@fault(lambda: [torch.tensor([2.0, 0.5, 1.0])], "max", "compiled", together=2, backend=swapping("max", last_place))
def place_of_the_largest(x):
    y = x * 2
    return y.max(0)[1]  # here


def late(gm: Any, inputs: Any) -> Any:
    """A backend that reads an input behind a change of it."""
    ops = [n for n in gm.graph.nodes if n.op in ("call_function", "call_method")]
    for n in reversed(ops[:2]):
        ops[2].append(n)
    gm.recompile()
    return gm.forward


@fault(lambda: [torch.arange(-3, 3)], "view", "compiled", together=3, backend=late)
def bits_read_too_late(x):
    y = x.view(torch.int32) + 1  # here
    x[1:3] = 2
    return y


@fault(lambda: [torch.full((3,), -0.5)], "add", "compiled", together=2, backend=without("add"))
def sign_of_an_infinity(x):
    y = torch.ceil(x)
    z = torch.add(y, 0)  # here
    return torch.reciprocal(z)


def within(name: str, other: Callable[..., Any]) -> Callable[..., Any]:
    """A backend that computes an operation by another function, in the graphs of branches, too."""

    def backend(gm: Any, inputs: Any) -> Any:
        for part in gm.modules():
            if hasattr(part, "graph"):
                swapping(name, other)(part, inputs)
        return gm.forward

    return backend


@fault(lambda: [data(4)], "tanh", "compiled", backend=within("tanh", torch.sigmoid))
def in_a_branch_of_the_graph(x):
    def yes(v):
        w = v + 1
        return torch.tanh(w)  # here

    def no(v):
        return v - 1

    return torch.cond(x.sum() > -100, yes, no, (x * 2,)) * 3


@fault(lambda: [grad(4)], "tanh", "compiled", backend=within("tanh", torch.sigmoid))
def in_what_is_checkpointed(x):
    def part(v):
        w = v + 1
        return torch.tanh(w) * 2  # here

    return torch.utils.checkpoint.checkpoint(part, x * 2, use_reentrant=False).sum()


@fault(lambda: [data(4)], "clone", "compiled", backend=without("clone"))
def output_that_aliases_an_input(x):
    y = x.clone()  # here
    torch._dynamo.graph_break()
    y.add_(1)
    return x * 2, y


def copying(gm: Any, inputs: Any) -> Any:
    return lambda *args: tuple(o.clone() for o in gm.forward(*args))


@fault(lambda: [data(2, 3)], "view", "compiled", backend=copying)
def output_that_is_no_view(x):
    y = x * 1
    v = y.view(-1)  # here
    torch._dynamo.graph_break()
    v.add_(1)
    return y * 2


def with_a_fixed_buffer(gm: Any, inputs: Any) -> Any:
    buffer: List[Any] = []

    def run(*args: Any) -> Any:
        (out,) = gm.forward(*args)
        if not buffer:
            buffer.append(torch.empty_like(out))
        return (buffer[0].copy_(out),)

    return run


@fault(lambda: [[data(4), data(4) + 1]], "sin", "compiled", backend=with_a_fixed_buffer)
def buffer_that_is_used_again(xs):
    def part(x):
        return x.sin()  # here

    out = []
    for x in xs:
        torch._dynamo.graph_break()
        out.append(part(x))
    return out


def overwriting(y: Any, dim: int, index: Any, source: Any) -> Any:
    return y.index_copy_(dim, index, y.index_select(dim, index) + source)


@fault(
    lambda: [data(4), torch.tensor([1, 1, 2])],
    "index_add_",
    "compiled",
    backend=swapping("index_add_", overwriting),
)
def race_of_updates_in_place(x, i):
    y = x * 2
    y.index_add_(0, i, torch.ones(3))  # here
    return y.exp()


def fixed_size(gm: Any, inputs: Any) -> Any:
    """A backend that takes the size of the first call for that of each."""
    for n in gm.graph.nodes:
        if n.op == "placeholder" and isinstance(n.meta.get("example_value"), torch.SymInt):
            for user in list(n.users):
                user.args = tuple(4 if a is n else a for a in user.args)
    gm.recompile()
    return gm.forward


@fault(lambda: [[data(4), data(6), data(7)]], "truediv", "compiled", backend=fixed_size, options={"dynamic": True})
def size_of_the_first_call(xs):
    def mean(x):
        total = x.sum()
        return total / x.shape[0]  # here

    out = []
    for x in xs:
        torch._dynamo.graph_break()
        out.append(mean(x))
    return out


@fault(
    lambda: [torch.tensor([0.0, 1.0, 2.0])],
    "where",
    "compiled",
    backend=swapping("where", lambda mask, a, b: mask * a + ~mask * b),
)
def masked_lane_that_is_multiplied(x):
    y = 1 / x
    return torch.where(x != 0, y, torch.zeros_like(x)).sum()  # here


@fault(
    lambda: [torch.full((64, 64), 40.0)],
    "matmul",
    "compiled",
    backend=swapping("matmul", lambda a, b: (a.half() @ b.half()).float()),
)
def product_that_overflows_in_half(x):
    y = x * 1
    return (y @ y).sqrt()  # here


@fault(
    lambda: [data(4, 8)],
    "softmax",
    "compiled",
    backend=swapping("softmax", lambda x, *_: torch.softmax(x.bfloat16(), -1).float()),
)
def autocast_of_what_stays_wide(x):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        y = torch.softmax(x * 3, -1)  # here
    return y.log()


@fault(
    lambda: [torch.tensor([1.0, float("nan"), 3.0])],
    "clamp",
    "compiled",
    backend=swapping("clamp", lambda x, least: torch.fmax(x, torch.tensor(least))),
)
def nan_that_is_lost(x):
    y = x * 2
    return torch.clamp(y, 0.0)  # here


@fault(lambda: [data(4)], "mul", "compiled", backend=swapping("mul", lambda a, b: a.mul_(b)))
def input_that_is_written_to(x):
    y = x.mul(2)  # here
    return y + x


def flushed(a: Any, b: Any) -> Any:
    return torch.where((a * b).abs() < 1.2e-38, 0.0, a * b)


@fault(lambda: [data(8) * 1e-20], "mul", "compiled", backend=swapping("mul", flushed))
def least_numbers_that_are_flushed(x):
    y = x.mul(1e-19)  # here
    return y / 1e-38


def going_back_wrong(gm: Any, inputs: Any) -> Any:
    """A backend whose backward passes take a sine for a cosine."""
    from functorch.compile import make_boxed_func
    from torch._dynamo.backends.common import aot_autograd

    def backward(gm: Any, inputs: Any) -> Any:
        swapping("cos.default", torch.ops.aten.sin.default)(gm, inputs)
        return make_boxed_func(gm.forward)

    return aot_autograd(fw_compiler=lambda gm, _: make_boxed_func(gm.forward), bw_compiler=backward)(gm, inputs)


@fault(lambda: [grad(4)], "sin", "compiled", back="backward", backend=going_back_wrong)
def in_the_backward_pass_alone(x):
    y = x * 2
    z = torch.tanh(y).sin()  # here
    return z * 3


def third(gm: Any, inputs: Any) -> Any:
    rounds = [n for n in gm.graph.nodes if n.target is torch.tanh]
    for n in rounds[2:3]:
        n.target = torch.sigmoid
    gm.recompile()
    return gm.forward


@fault(lambda: [grad(4)], "tanh", "compiled", together=5, backend=third)
def one_round_of_a_loop(x):
    for i in range(5):
        x = torch.tanh(x * (i + 1))  # here
    return x.sum()


@fault(
    lambda: [data(3, 4)],
    "reshape",
    "compiled",
    backend=swapping("reshape", lambda x, *shape: torch.as_strided(x, shape, (4, 1))),
)
def strides_taken_for_contiguous(x):
    y = (x * 1).t()
    return y.reshape(3, 4) + 1  # here


def healthy() -> Dict[str, Any]:
    """Functions that have nothing wrong: name, function and inputs."""
    nn = torch.nn
    torch.manual_seed(0)

    def aliased(x):
        y = x.view(-1)
        return y, x.t(), y[1:]

    def in_place(x):
        x.mul_(2)
        x[0].zero_()
        return x + 1

    def updated(whole, part):
        whole.add_(100)
        return part[0]

    def cast(x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return (x @ x.t()).relu().sum()

    def broken(x):
        y = x.sin()
        torch._dynamo.graph_break()
        return y.cos() + F.dropout(y, 0.5)

    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, g):
            return 2 * g * ctx.saved_tensors[0]

    def stopped(x):
        """Nothing flows back into one of the first graph's results."""
        y, z = x.sin(), x.cos()
        torch._dynamo.graph_break()
        return y * z.detach()

    class Step(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.round()

        @staticmethod
        def backward(ctx, g):
            return g

    class Counted(nn.Module):
        def __init__(self):
            super().__init__()
            self.calls, self.linear = 0, nn.Linear(4, 4)
            self.register_buffer("mean", torch.zeros(4))

        def forward(self, x):
            self.calls += 1
            self.mean.mul_(0.9).add_(x.mean(0).detach())
            return self.linear(x) - self.mean

    def views(x):
        y = x * 2
        v = y.view(-1)
        torch._dynamo.graph_break()
        v.add_(1)
        return y, v[1:], x

    def chosen(x):
        return torch.cond(x.sum() > 0, lambda v: v.sin(), lambda v: v.cos(), (x * 2,))

    def checkpointed(x):
        return torch.utils.checkpoint.checkpoint(lambda v: (v.sin() * v).tanh(), x * 2, use_reentrant=False)

    def masked(x):
        scores = (x @ x.t()).masked_fill(torch.ones(4, 4).triu(1).bool(), float("-inf"))
        return scores.softmax(-1)

    return {
        "linear": (nn.Sequential(nn.Linear(8, 16), nn.GELU(), nn.Linear(16, 4)), [grad(4, 8)]),
        "convolution": (
            nn.Sequential(nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2)),
            [data(2, 3, 8, 8)],
        ),
        "evaluated": (nn.Sequential(nn.Conv1d(3, 8, 3), nn.BatchNorm1d(8)).eval(), [data(2, 3, 8)]),
        "dropout": (nn.Sequential(nn.Linear(8, 8), nn.Dropout(0.5), nn.Linear(8, 2)), [grad(4, 8)]),
        "normalised": (nn.Sequential(nn.LayerNorm(8), nn.Linear(8, 8), nn.Softmax(-1)), [grad(4, 8)]),
        "attention": (nn.TransformerEncoderLayer(16, 2, 32, batch_first=True), [grad(2, 5, 16)]),
        "recurrent": (nn.GRUCell(4, 8), [grad(2, 4), data(2, 8)]),
        "embedding": (nn.Sequential(nn.Embedding(10, 4), nn.Linear(4, 4)), [torch.arange(6)]),
        "half": (lambda x: (x.half() @ x.half().t()).softmax(-1).float(), [grad(4, 4)]),
        "brain": (lambda x: (x.bfloat16() * 3).tanh().cumsum(0), [grad(16)]),
        "double": (lambda x: x.double().exp().log() - x, [grad(16)]),
        "aliased": (aliased, [data(3, 4)]),
        "in place": (in_place, [data(3, 4)]),
        "an argument that is a view of another": (updated, (lambda base: [base, base[:3]])(data(4, 6))),
        "arguments that share memory": (updated, (lambda base: [base, base[:]])(data(4, 6))),
        "autocast": (cast, [grad(4, 4)]),
        "broken": (broken, [grad(4)]),
        "square": (lambda x: Square.apply(x).sum(), [grad(4)]),
        "stopped": (stopped, [grad(4)]),
        "straight through": (lambda x: Step.apply(x).sum(), [grad(4)]),
        "counted": (Counted(), [data(3, 4)]),
        "views": (views, [data(3, 4)]),
        "chosen": (chosen, [grad(4)]),
        "checkpointed": (checkpointed, [grad(4)]),
        "masked": (masked, [grad(4, 4)]),
        "random": (lambda x: torch.rand(4) + torch.randn_like(x) * x, [grad(4)]),
        "sorted": (lambda x: x.topk(3)[0] + x.argmax(), [grad(8)]),
        "whole numbers": (lambda x: (x * 3) // 2 % 5, [torch.arange(9)]),
        "nothing finite, as meant": (lambda x: torch.where(x > 0, x, float("-inf")).max(), [data(8)]),
    }
