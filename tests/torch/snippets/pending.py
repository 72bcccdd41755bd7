"""Graph breaks while an expression is half done: values wait on the stack."""

from __future__ import annotations

import torch

from ._base import numbers, say, snippet


def three(a, b, c=0, **more):
    return a + b * 2 + c * 3 + more.get("d", 0)


@snippet
def pending_list():
    def build(a):
        return [a + 1, say(1) or a, a - 1]

    return build, [(numbers(4),)]


@snippet
def pending_dict():
    def build(a):
        return {"x": a.sin(), "y": say(1) or a, "z": (a, say(2) or a + 1)}

    return build, [(numbers(4),)]


@snippet
def pending_keyword():
    def build(a, b):
        return three(a * 2, c=say(1) or b, b=a, d=b + 1)

    return build, [(numbers(4), numbers(4, seed=1))]


@snippet
def pending_star_call():
    def build(a, rest, named):
        return three(a, *rest, **named) + three(*rest, say(1) or a, **named)

    return build, [(numbers(4), [numbers(4, seed=1)], {"d": 5})]


@snippet
def pending_store():
    def build(a, table):
        table["k"] = say(1) or a * 2
        table["k"] += say(2) or a
        table.setdefault("l", []).append(say(3) or a - 1)
        return table

    return build, [(numbers(4), {})]


@snippet
def pending_compare():
    def build(a, k):
        if k < (say(1) or 3) < 5:
            return a + (k in (1, say(2) or 2))
        return a - 1

    return build, [(numbers(4), 2), (numbers(4), 7)]


@snippet
def pending_boolean():
    def build(a, k):
        flag = k > 1 and (say(1) or k < 9) or say(2)
        return a * 2 if flag else (say(3) or a)

    return build, [(numbers(4), 2), (numbers(4), 0)]


@snippet
def pending_text():
    def build(a, k):
        return a + k, f"{k!r:>5}|{say(1) or k:03d}|{k}" + "%s" % (say(2),)

    return build, [(numbers(4), 2)]


@snippet
def pending_many():
    def build(a):
        return (a + (say(1) or 2) * a) * (a - (say(2) or 3) / (a.abs() + (say(3) or 1)))

    return build, [(numbers(4),)]


@snippet
def pending_method():
    def build(a, parts):
        return ", ".join([*parts, say(1) or "x"]), a.add(say(2) or a, alpha=2)

    return build, [(numbers(4), ["p", "q"])]


@snippet
def pending_subscript():
    def build(a, n):
        return a[n : (say(1) or 3)], a[(say(2) or 0), ...], a[:, None]

    return build, [(numbers(4, 5), 1)]


@snippet
def pending_callee():
    class Holder:
        def pick(self):
            say("pick")
            return torch.add

    def build(a):
        return Holder().pick()(a, say(1) or a) + max(1, *(2, say(2) or 3))

    return build, [(numbers(4),)]


@snippet
def pending_in_callee():
    def inner(v, k):
        say(k)
        return v * k

    def outer(a):
        return {"left": inner(a, 2) + 1, "right": [inner(a + 1, 3), a]}

    return outer, [(numbers(4),)]


@snippet
def unpacking():
    def spread(x):
        first, *middle, last = x.unbind(0)
        say(len(middle))
        (a, b), c = (middle[0], last), first
        d = {"a": a, **{"b": b}}
        return [*middle, c], d, (first, *middle)

    return spread, [(numbers(4, 2),)]


@snippet
def walrus():
    def named(x):
        if (k := say(1)) is None and (n := x.shape[0]) > 2:
            return x * n, k
        return x

    return named, [(numbers(4),), (numbers(2),)]


@snippet
def pending_keywords():
    loud = torch._dynamo.disable(three)

    def build(a, k):
        return loud(a, *[k], **{"d": int(a.sum().item() > 0)}) + loud(a, **{"b": k}, **{"d": say(3) or 1})

    return build, [(numbers(4), 2)]


@snippet
def pending_starred():
    w = numbers(4, seed=2)

    def build(a, k):
        first, *rest = [a.sum(), *([a] if 1 < (say(1) or k) < 5 else [k, k]), w + 1]
        return first, rest, {"x": 1, **{n: say(n) for n in "ab"}, "y": say(3) or w}

    return build, [(numbers(4), 2), (numbers(4), 7)]


@snippet
def pending_in_comprehension():
    w = numbers(4, seed=2)

    def build(a, table):
        b = a.sin() * 2 + w
        counts = {k: v + 1 for k, v in table.items()}
        t = say(b.sum().item()) or a
        u = [p * t for p in counts.values()]
        return u, counts, w

    return build, [(numbers(4), {"p": 1, "q": 0})]


@snippet
def pending_lambda():
    def build(a):
        b = a.sin() * 2
        fs = [lambda c, i=i: (say(1) or c) + i for i in range(2)]
        return [f(b) for f in (*fs, torch.relu)], sum(f(a).sum() for f in (torch.relu, torch.sin))

    return build, [(numbers(4),)]


@snippet
def pending_conversion():
    def build(a, n):
        b = a * n
        small = n < 4
        say(f"{n!r:>4} {small}")
        return b + n

    return build, [(numbers(4), 2), (numbers(4), 5)]


@snippet
def pending_comprehension_in_lambda():
    w = numbers(4, seed=2)
    return lambda a: (w + 1, [say(a * i) for i in range(2)]), [(numbers(4),)]


@snippet
def pending_look():
    def build(a, k):
        say((a * k).sum(), len(locals()))
        b, c = a + k, {"x": a.sin(), **{"y": say(sorted(locals()))}}
        d = b - 1
        say(d.sum(), [b.sum(), len(vars())], len(locals()))
        return b, c

    return build, [(numbers(4), 2)]


@snippet
def pending_displays():
    w = numbers(4, seed=2)
    items, table = [1, 2], {"q": 1}

    def build(a, k):
        c = [a * w, *items, say(1) or a, *items[:1], k]
        d = (*c, say(2) or a, *items), {k, *items, say(3), *items[:2]}
        e = {"a": a, **table, "b": say(4) or a, **table}
        return c, d, e, f"{k}-{say(5)}-{items!r:>{say(6) or 30}}", three(a, **table, c=say(7) or k, **{"d": 1})

    return build, [(numbers(4), 2)]


@snippet
def pending_displays_in_try():
    """Where a frame goes on inside of a protected body, what waits on the stack comes in from outside of it."""

    def inner(a):
        say(0)
        return a + 1

    def build(a, k):
        try:
            *b, last = [*[inner(t) for t in (a, a)], torch.add(a, a)]
        except ValueError:
            return a
        return b, last.sin()

    def more(a, k):
        try:
            b = [a.sin(), *[inner(t) for t in (a, a)], k or a, *[inner(t) for t in (a, a)]]
        except ValueError:
            return a
        with torch.no_grad():
            c = [k, *(a, a), inner(a), k and a, *[inner(t) for t in b]], {"k": k, **{"a": a}, "b": inner(a)}
        return b, c

    return lambda a, k: (build(a, k), more(a, k)), [(numbers(4), 2), (numbers(4), 0)]
