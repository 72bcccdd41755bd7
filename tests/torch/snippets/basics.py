"""The first programs: one kind of graph break each."""

from __future__ import annotations

import contextlib

import torch

from ._base import numbers, say, snippet

counter = 0


@snippet
def toy():
    def toy_example(a, b):
        x = a / (torch.abs(a) + 1)
        if b.sum() < 0:
            b = b * -1
        return x * b

    return toy_example, [(numbers(10), numbers(10).abs()), (numbers(10), -numbers(10).abs())]


@snippet
def no_break():
    def smooth(x, weight=0.5):
        return x * weight + x.mean() * (1 - weight)

    return smooth, [(numbers(4),), (numbers(4), 0.25)]


@snippet
def break_in_if():
    def branch(x, flag):
        y = x + 1
        if flag:
            say("positive", y)
            y = y * 2
        else:
            y = y - 3
        return y.relu()

    return branch, [(numbers(4), True), (numbers(4), False)]


@snippet
def break_in_for():
    def loop(x):
        total = x * 0
        for i in range(3):
            total = total + x * i
            say(i)
        return total

    return loop, [(numbers(4),)]


@snippet
def break_in_while():
    def halve(x):
        steps = 0
        while x.abs().sum() > 1:
            x = x / 2
            steps += 1
        return x, steps

    return halve, [(numbers(4),), (numbers(6) * 10,)]


@snippet
def break_under_no_grad():
    def partly(x, w):
        y = x @ w
        with torch.no_grad():
            scale = y.abs().max()
            say("scale", scale)
            y2 = y / scale
        return y2 + y

    return partly, [(numbers(3, 3), numbers(3, 3, seed=1).requires_grad_())]


@snippet
def break_in_try():
    def guarded(x):
        log = []
        try:
            y = x.sin()
            say("inside")
            y = y.cos()
        except ValueError as e:
            log.append(str(e))
            y = x
        finally:
            log.append("done")
        return y, log

    return guarded, [(numbers(4),)]


@snippet
def break_in_callee():
    def inner(y, k):
        z = y * k
        torch._dynamo.graph_break()
        return z.sin() + k

    def outer(x):
        first = inner(x + 1, 2)
        second = inner(first, 3)
        return first - second

    return outer, [(numbers(4),)]


@snippet
def closures():
    def outer(x):
        scale = 2

        def times(v):
            return v * scale

        y = times(x)
        say("before", scale)
        scale = 3
        return times(y) + 1

    return outer, [(numbers(4),)]


@snippet
def free_variables():
    offset = 5
    history: list[int] = []

    def shifted(x):
        y = x + offset
        history.append(offset)
        say(len(history))
        return y * len(history), list(history)

    return shifted, [(numbers(4),)]


@snippet
def returns_closure():
    def outer(x):
        k = x.sum()

        def later(v):
            return v + k

        say("made")
        return later(x * 2)

    return outer, [(numbers(4),)]


@snippet
def written_back():
    def update(x, box, table):
        box.append(x.sin())
        table["cos"] = x.cos()
        say("both")
        box.append(table["cos"] + 1)
        return box, table

    def fresh(x):
        return update(x, [x], {})

    return fresh, [(numbers(4),)]


@snippet
def global_and_attribute():
    class Box:
        value = None

    box = Box()

    def store(x):
        global counter
        counter = 7
        box.value = x + 1
        say("stored")
        box.value = box.value * counter
        return box.value, counter

    return store, [(numbers(4),)]


@snippet
def keywords_and_defaults():
    def mixed(x, /, y=2, *rest, scale=3.0, **named):
        z = x * y + scale
        say(sorted(named))
        for r in rest:
            z = z + r
        return z + named.get("bias", 0)

    def call(x):
        return mixed(x, 4, 5, 6, bias=x)

    return call, [(numbers(4),)]


@snippet
def varargs_entry():
    def entry(x, *rest, scale=2, **named):
        z = x * scale
        say(len(rest))
        return z + rest[0] * rest[1] + len(named)

    return entry, [(numbers(4), numbers(4, seed=2), 5)]


@snippet
def module_with_hook():
    class Model(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.linear = torch.nn.Linear(4, 4)
            with torch.no_grad():
                self.linear.weight.fill_(0.5)
                self.linear.bias.fill_(0.25)
            self.linear.register_forward_hook(self.note)

        def note(self, module, args, out):
            say("hook")
            return out + 1

        def forward(self, x):
            return self.linear(x).relu() * 2

    return Model(), [(numbers(2, 4),)]


@snippet
def inner_function_uses_self():
    class Model(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.linear = torch.nn.Linear(4, 4)
            with torch.no_grad():
                self.linear.weight.fill_(0.5)
                self.linear.bias.fill_(0.25)

        def forward(self, x):
            def apply(v):
                return self.linear(v)

            say("forward")
            return apply(x) + 1

    return Model(), [(numbers(2, 4),)]


@snippet
def autocast():
    def mixed(x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            y = x @ x
            say("cast")
            z = y @ x
        return z.float()

    return mixed, [(numbers(4, 4),)]


@snippet
def autocast_resumed_twice():
    def mixed(x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            y = x @ x
            say("one")
            z = y @ x
            say("two")
            w = z @ y
        return w.float() + 1

    return mixed, [(numbers(4, 4),)]


@snippet
def item():
    def scaled(x):
        k = x.sum().item()
        if k > 0:
            return x * k
        return x - k

    return scaled, [(numbers(4).abs(),), (-numbers(4).abs(),)]


@snippet
def comprehension():
    def build(x):
        parts = [say(i) or x * i for i in range(3)]
        return sum(parts)

    return build, [(numbers(4),)]


@snippet
def custom_function():
    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, grad):
            return grad * 2

    def use(x):
        y = Double.apply(x)
        say("doubled")
        return y.sum() + x

    return use, [(numbers(4).requires_grad_(),)]


@snippet
def waiting_arguments():
    def combine(a, b, c):
        return torch.add(a * 2, torch.mul(b, say(a) or c), alpha=3)

    return combine, [(numbers(4), numbers(4, seed=1), numbers(4, seed=2))]


@snippet
def nested_with():
    @contextlib.contextmanager
    def plain():
        yield 3

    def layered(x):
        with torch.no_grad():
            with torch.enable_grad():
                y = x * 2
                say("deep")
            for k in (1, 2):
                y = y + k
        return y

    return layered, [(numbers(4),)]


@snippet
def shapes():
    def by_size(x):
        if x.shape[0] == 3:
            return x * 2
        return x.sin() + x.shape[0]

    return by_size, [(numbers(n),) for n in (1, 2, 3, 5)]


@snippet
def chain():
    def assertion(a, b):
        assert a
        say(b)
        [a for _ in [None]]
        return b if 0 < b.shape[0] <= 9 else -b

    return assertion, [(1, numbers(4))]


@snippet
def returns_many():
    def many(x):
        y = x.sin()
        say("x")
        return {"a": [y, (x, None)], "b": slice(1, 2), "c": x.dtype}, 1.5

    return many, [(numbers(4),)]


@snippet
def inputs_dict():
    def from_dict(inputs):
        a, b = inputs["a"], inputs["b"]
        x = a / (torch.abs(a) + 1)
        if b.sum() < 0:
            b = b * -1
        return x * b

    return from_dict, [
        ({"a": numbers(10), "b": numbers(10).abs()},),
        ({"a": numbers(8), "b": -numbers(8).abs()},),
        ({"a": numbers(12), "b": numbers(12).abs()},),
    ]


@snippet
def no_graph():
    def nothing(x):
        say(x)
        return 3

    return nothing, [(numbers(4),)]


@snippet
def model_that_prints():
    class Block(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.norm = torch.nn.GroupNorm(2, 4)
            self.act = torch.nn.SiLU()
            self.conv = torch.nn.Conv2d(4, 4, 3, padding=1)
            with torch.no_grad():
                self.conv.weight.fill_(0.1)
                self.conv.bias.fill_(0.2)

        def forward(self, x):
            h = self.act(self.norm(x))
            say("between", h.shape)
            return self.conv(h)

    return Block(), [(numbers(1, 4, 3, 3),), (numbers(2, 4, 3, 3),)]


@snippet
def causal_mask():
    def mask_for(mask, shape, x, past=0, window=None):
        """Shaped after the attention masks of transformers: early returns of None,
        an attribute object that is made on the way, breaks in the middle."""

        class Converter:
            def __init__(self, causal, window=None) -> None:
                self.causal, self.window = causal, window

            def expand(self, mask, dtype):
                inverted = 1.0 - mask[:, None, None, :].to(dtype)
                return inverted.masked_fill(inverted.bool(), torch.finfo(dtype).min)

        converter = Converter(True, window)
        key_value = shape[-1] + past
        if mask is not None:
            if len(mask.shape) == 4:
                mask = mask * 2
            elif mask.dim() == 2:
                say("two")
                if torch.all(mask == 1):
                    if shape[1] == 1:
                        mask = None
                    elif key_value == shape[1]:
                        return None, x + key_value
                    else:
                        return mask, x
        elif shape[1] > 1 and key_value != shape[1]:
            say("none")
            return None, x * 2
        if mask is None:
            return None, x
        out = converter.expand(mask, x.dtype)
        say("expanded")
        return out, x + out.sum() * 0

    return mask_for, [
        (torch.ones(1, 3), (1, 3), numbers(3)),
        (torch.tensor([[1.0, 0.0, 1.0]]), (1, 3), numbers(3)),
        (torch.ones(1, 1), (1, 1), numbers(1), 4),
        (None, (1, 3), numbers(3), 2),
        (None, (1, 1), numbers(1)),
    ]


@snippet
def value_in_dict_of_none():
    table = {"a": None}

    def lookup(x, key):
        entry = table.get(key)
        y = x + 1
        if entry is None:
            say("missing", key)
            table[key] = entry = {"scale": 2}
        y = y * entry["scale"]
        say(sorted(table))
        return y, dict(table[key])

    def fresh(x, key):
        table.clear()
        table["a"] = None
        return lookup(x, key)

    return fresh, [(numbers(4), "a"), (numbers(4), "b")]


@snippet
def any_arguments():
    def inner(x, *args, **kwargs):
        say(len(args))
        return x * kwargs.get("scale", 1) + sum(args)

    def outer(*args, **kwargs):
        return inner(*args, **kwargs)

    return outer, [(numbers(4),), (numbers(4), 1, 2)]
