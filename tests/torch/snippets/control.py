"""Graph breaks among loops, exceptions, generators and context managers."""

from __future__ import annotations

import contextlib

import torch

from ._base import numbers, say, snippet


@snippet
def print_in_while():
    def countdown(x):
        n = 3
        while n > 0:
            x = x + n
            say(n)
            n -= 1
        return x

    return countdown, [(numbers(4),)]


@snippet
def break_before_and_after_loop():
    def around(x):
        say("before")
        for i in range(3):
            if i == 1:
                continue
            x = x * (i + 1)
        say("after")
        return x.sin()

    return around, [(numbers(4),)]


@snippet
def generator_consumed():
    def consume(x):
        def parts():
            for i in range(3):
                yield x * i

        total = x * 0
        for p in parts():
            total = total + p
        say("between")
        return total + sum(x + i for i in range(2))

    return consume, [(numbers(4),)]


@snippet
def iterator_across():
    def across(x):
        it = iter([1, 2, 3])
        y = x * next(it)
        say("first")
        for k in it:
            y = y + k
        return y

    return across, [(numbers(4),)]


@snippet
def zip_across():
    def across(x, weights):
        pairs = zip(weights, range(5))
        w, i = next(pairs)
        y = x * w + i
        say(i)
        for w, i in pairs:
            y = y + w * i
        return y, [k for k, _ in enumerate(weights)]

    return across, [(numbers(4), [2.0, 3.0, 4.0])]


@snippet
def raise_caught_by_caller():
    def check(x):
        if x.shape[0] > 3:
            say("too long")
            raise ValueError("too long: %d" % x.shape[0])
        return x + 1

    def caller(x):
        try:
            return check(x)
        except ValueError as e:
            return x - len(str(e))

    return caller, [(numbers(2),), (numbers(5),)]


@snippet
def raises():
    def fails(x, table):
        y = x * 2
        say("soon")
        return y + table["missing"]

    return fails, [(numbers(4), {"there": 1})]


@snippet
def try_after_break():
    def guarded(x, table):
        y = x.sin()
        say("before")
        try:
            k = table["k"]
        except KeyError:
            k = 3
        return y * k

    return guarded, [(numbers(4), {}), (numbers(4), {"k": 5})]


@snippet
def finally_with_return():
    def leaving(x, log):
        y = x + 1
        say("in")
        try:
            return y.cos(), log
        finally:
            log.append("left")

    return leaving, [(numbers(4), [])]


@snippet
def return_inside_with():
    def early(x):
        with torch.no_grad():
            y = x + 1
            say("leaving")
            return y * 2

    return early, [(numbers(4).requires_grad_(),)]


@snippet
def grad_mode_as_value():
    def modes(x):
        with torch.set_grad_enabled(False):
            y = x * 2
            say(torch.is_grad_enabled())
            with torch.enable_grad():
                z = x * 3
                say("inner")
            y = y + 1
        return y + z

    return modes, [(numbers(4).requires_grad_(),)]


@snippet
def inference_mode():
    def infer(x):
        with torch.inference_mode():
            y = x * 2
            say("mode")
            z = y.sin()
        return z.sum().item()

    return infer, [(numbers(4),)]


@snippet
def own_context_manager():
    @contextlib.contextmanager
    def scaled(log):
        log.append("in")
        try:
            yield 3
        finally:
            log.append("out")

    def use(x, log):
        with scaled(log) as k:
            y = x * k
            say(k)
            y = y + 1
        return y, log

    return use, [(numbers(4), [])]


@snippet
def class_context_manager():
    class Level:
        depth = 0

        def __enter__(self):
            self.depth += 1
            return self

        def __exit__(self, kind, value, trace):
            self.depth -= 1
            return False

    level = Level()

    def use(x):
        with level as here:
            y = x * here.depth
            say("inside")
            y = y + here.depth
        return y, level.depth

    return use, [(numbers(4),)]


@snippet
def with_in_callee():
    def inner(x):
        with torch.no_grad():
            y = x * 2
            torch._dynamo.graph_break()
            return y + 1

    def outer(x):
        return inner(x).sin() + inner(x + 1)

    return outer, [(numbers(4),)]


@snippet
def recursion():
    def down(x, n):
        if n == 0:
            say("bottom")
            return x
        return down(x * 2, n - 1) + n

    return down, [(numbers(4), 3)]


@snippet
def data_dependent_while():
    def newton(x):
        y = x
        while (y * y - x).abs().max() > 1e-3:
            y = (y + x / y) / 2
        return y

    return newton, [(numbers(4).abs() + 1,)]


@snippet
def loop_else():
    def search(x, wanted):
        say("search")
        for i in range(4):
            if i == wanted:
                found = x * i
                break
        else:
            found = x - 1
        return found + 1

    return search, [(numbers(4), 2), (numbers(4), 9)]


@snippet
def coroutine_driven():
    async def step(x):
        return x + 1

    async def steps(x):
        return await step(x) * await step(x + 1)

    def drive(x):
        y = x.sin()
        say("drive")
        running = steps(y)
        try:
            running.send(None)
        except StopIteration as e:
            return e.value + y
        return None

    return drive, [(numbers(4),)]


@snippet
def assertion_after_break():
    def checked(x, n):
        say(n)
        assert n > 0, "n is %d" % n
        return x * n

    return checked, [(numbers(4), 2), (numbers(4), -1)]


@snippet
def contexts_left_one_by_one():
    """Behind the inner one the function goes on in the outer one; what either suppresses would go elsewhere."""

    def nested(x, items):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            with torch.no_grad():
                say("in both")
                for v in items:
                    if v > 1:
                        continue
                    x = x + v
            y = x * 2
            with torch.enable_grad(), contextlib.suppress(KeyError):
                say("in three")
                y = y + 1
            z = y - x
        return z, torch.is_grad_enabled()

    return nested, [(numbers(4), [0, 2, 1]), (numbers(4), [])]


@snippet
def loop_left_in_first_turn():
    def turns(x, table):
        table[str(say(None))] = x.sum()
        for _ in range(2):
            for first in reversed([1, 2]):  # noqa: B007
                break
            x = x + first
        return x

    return turns, [(numbers(4), {})]


@snippet
def resumed_before_loop_that_returns():
    def found(x, y):
        for v in [x, x * 2]:
            v = v + float(say(v.sum()) or 1)
            for _ in range(2):
                continue
            for i, w in enumerate([x, y]):
                return v * w, i
        return x, -1

    return found, [(numbers(4), numbers(4))]


@snippet
def resumed_before_with_that_returns():
    def guarded(x, n):
        for i in [n, n + 1]:
            if i % 2:
                y = x + i
                if i < 5:
                    y = y * float(say(i) or 2)
                with contextlib.suppress(KeyError):
                    return y, len(y)
            else:
                for _ in range(2):
                    with contextlib.nullcontext():
                        x = x + 1
        return x, n

    return guarded, [(numbers(4), 1), (numbers(4), 2)]


@snippet
def comprehension_in_slot_of_captured_name():
    """Of the rest, i is a variable of the function around: its slot holds a cell, and here what the loop stores."""

    def lists(x, n):
        low = n
        if x.sum() < 5:
            a = [i if i > low else -i for i in [n, 2]]
            b = [(lambda k: k + i)(i) for i in [n, 3]]  # noqa: B023
            return a, b, x + n
        return x - n

    return lists, [(numbers(4) * 0, 1), (numbers(4) + 9, 1)]


@snippet
def unpacked_in_loop_that_returns():
    """What is unpacked stands in front of what is returned, although the iterator waits below both."""

    def first(x, table):
        with torch.enable_grad():
            for i in (3, 1):
                a, b = divmod(dict(a=5, **{"b": say(i) or 2})["a"], i)
                return torch.cumsum(sum([x, table["t"]]).flatten(), 0)[-1], a, b
        return x, 0, 0

    return first, [(numbers(4), {"t": numbers(4, seed=2)})]


@snippet
def comprehension_resumed_in_contexts():
    """The rest enters the contexts again, and makes the comprehension's variables unbound behind them."""

    def counted(x, table):
        with contextlib.nullcontext(), torch.no_grad():
            counts = {k: v for d in [dict(table), {s: say(s) for s in ("x", "yy")}] for k, v in d.items()}
            y = x * len(counts)
        return y, counts

    return counted, [(numbers(4), {"a": 1})]


@snippet
def finally_in_inner_loop():
    """The frame goes on in the middle of two loops; a comprehension's clean-up stands in front of the handlers."""

    def loops(x, y):
        k = 0
        while True:
            k += 1
            if not k < 2:
                break
            n = sum(i for i in [len(s) for s in ("tail", "")] if i > 3)
            k1 = 0
            while k1 < 3 and x.dtype in (torch.float32, torch.float64):
                k1 += 1
                z = torch.nn.functional.gelu(y.float()) * n
                try:
                    torch._dynamo.graph_break()
                except Exception:
                    z = z.detach().float().clone()
                finally:
                    x = x.detach().float().clone() + z
            else:
                say(k)
        return x + 1

    return loops, [(numbers(4), numbers(4, seed=2))]


@snippet
def vars_waits_for_its_argument():
    """A resume function that is made in the frame is handed `vars`, which sees that function's variables, if any."""
    factor = torch.tensor(2.0)

    class Pair:
        def __init__(self, t, n):
            self.t = t
            self.n = n

    def step(x):
        a = vars(Pair(x * factor, vars(Pair(x, 1))["n"]))["n"]
        return x * factor + a + (lambda: factor)()

    return step, [(numbers(4),)]


@snippet
def resumed_where_the_table_has_holes():
    """A frame goes on in two loops inside of a try; a jump in the turn that it is in has no entry in the table."""

    def loops(x, n):
        try:
            for _ in range(2):
                for v in [x, x + 1]:
                    parts = [a * b for a, b in zip([*(v, x)], ([x for k in range(2) if say(k) is None] + [n])[-2:])]
                    parts[:] = [v.sin()]
            else:
                n = 3
        except ValueError:
            return 1
        return x.sin() + n, parts

    return loops, [(numbers(4), 2)]
