"""Functions, methods and classes, and calls of them."""

from __future__ import annotations

import dataclasses

from .grammar import Writer, ended, expression, indented, statement
from .scope import Scope
from .statements import STEMS, result

GLOBALS = (("COUNT", "N"), ("STATE", "T"))


@dataclasses.dataclass
class Parameter:
    name: str
    kind: str
    default: str = ""


@dataclasses.dataclass
class Signature:
    plain: "list[Parameter]"
    only: "list[Parameter]"  # Keyword-only ones.
    rest: str = ""  # Name of *rest, which takes ints.
    named: str = ""  # Name of **named, which takes ints.
    positional: bool = False  # Whether the first ones are positional-only.

    def text(self, first: str = "") -> str:
        parts = [first] if first else []
        for i, p in enumerate(self.plain):
            parts.append(p.name + ("=" + p.default if p.default else ""))
            if self.positional and i == 0:
                parts.append("/")
        if self.rest:
            parts.append("*" + self.rest)
        elif self.only:
            parts.append("*")
        parts += [p.name + ("=" + p.default if p.default else "") for p in self.only]
        if self.named:
            parts.append("**" + self.named)
        return ", ".join(parts)

    def bind(self, scope: Scope) -> None:
        for p in self.plain + self.only:
            scope.add(p.name, p.kind)
        if self.rest:
            scope.add(self.rest, "L", own=False)
        if self.named:
            scope.add(self.named, "DN", own=False)


DEFAULTS = {
    "N": ("1", "2", "0"),
    "F": ("0.5", "2.0"),
    "B": ("True", "False"),
    "S": ("'ab'", "'k'"),
    "M": ("None", "3"),
    "L": ("(1, 2)",),
    "T": ("WEIGHT",),
    "C": ("torch.sin", "twice"),
    "DN": ("{'a': 2}",),
}


def signature(w: Writer, most: int = 3) -> Signature:
    used: "dict[str, int]" = {}

    def parameter(kinds: str, default: int) -> Parameter:
        kind = w.chance.pick(kinds.split())
        stem = {"T": "x", "N": "n"}.get(kind, STEMS[kind])
        used[stem] = used.get(stem, 0) + 1
        name = stem if used[stem] == 1 else stem + "_%d" % used[stem]
        has = w.chance.happens(default) and kind in DEFAULTS
        return Parameter(name, kind, w.chance.pick(DEFAULTS[kind]) if has else "")

    plain = [parameter("T", 0)]
    defaulted = False
    for _ in range(w.chance.below(most + 1)):
        p = parameter("T T N N N F B S L LT DN DT O C M", 100 if defaulted else 30)
        if defaulted and not p.default:
            continue
        defaulted = bool(p.default)
        plain.append(p)
    only = [parameter("N F B S M T", 60) for _ in range(w.chance.weighted((0, 1, 2), (6, 2, 1)))]
    rest = "rest" if w.chance.happens(15) else ""
    named = "options" if w.chance.happens(15) else ""
    return Signature(plain, only, rest, named, w.chance.happens(8))


def arguments(w: Writer, sig: Signature, value: "object", odd: bool = True) -> str:
    """The arguments of a call, in one of the ways there are to write them; value makes one of a kind."""
    make = value  # type: ignore[assignment]
    plain = list(sig.plain)
    while plain and plain[-1].default and w.chance.happens(40):
        plain.pop()
    only = [p for p in sig.only if not p.default or w.chance.happens(60)]
    words = w.chance.below(len(plain)) + 1 if w.chance.happens(30) and not sig.rest else len(plain)
    texts = [make(p.kind) for p in plain[:words]]  # type: ignore[operator]
    named = [(p.name, make(p.kind)) for p in plain[words:] + only]  # type: ignore[operator]
    if sig.rest:
        texts += [make("N") for _ in range(w.chance.below(3))] if len(plain) == len(sig.plain) else []  # type: ignore[operator]
    if sig.named:
        named += [(k, make("N")) for k in ("u", "v")[: w.chance.below(3)]]  # type: ignore[operator]
    out = list(texts)
    if odd and texts and w.chance.happens(15):
        cut = w.chance.below(len(texts))
        out = texts[:cut] + ["*[%s]" % ", ".join(texts[cut:])]
    if odd and named and w.chance.happens(20):
        out.append("**{%s}" % ", ".join("%r: %s" % n for n in named))
    else:
        out += ["%s=%s" % n for n in named]
    return ", ".join(out)


def body(
    w: Writer, scope: Scope, budget: int, returns: str, first: "list[str] | None" = None, **place: object
) -> "list[str]":
    """The lines of a function's body, indented; returns is the kind of its result, "" for none."""
    head: "list[str]" = list(first or [])
    declared: "list[tuple[str, str]]" = []
    if w.chance.happens(15):
        declared = [w.chance.pick(GLOBALS)]
        head.append("global %s" % declared[0][0])
    foreign = [n for n, _ in declared]
    outer = [n for n in w.scope.own if w.scope.kinds.get(n) in ("T", "N", "S", "L") and n.isidentifier()]
    outer = [n for n in outer if n not in scope.own]
    if w.place.nesting and outer and w.chance.happens(40):
        names = w.chance.shuffled(outer)[: w.chance.between(1, 2)]
        head.append("nonlocal %s" % ", ".join(names))
        for n in names:
            scope.add(n, w.scope.kinds[n])
        foreign += names
    with w.function(scope, budget, returns=returns, foreign=frozenset(foreign), globals=tuple(declared), **place):
        lines, dead = w.statements(budget)
        if not dead and returns:
            lines.append(result(w))
    return indented(head + [n for n in lines if n != "pass" or len(lines) == 1])


def nestable(w: Writer) -> bool:
    return w.place.nesting < 3 and w.place.depth < 3


@statement(7, ready=nestable)
def inner_function(w: Writer) -> "list[str]":
    name = w.fresh(w.chance.pick(("inner", "apply", "step", "visit")))
    inside = w.scope.inner()
    parameter = w.fresh("t")
    inside.add(parameter, "T")
    text = parameter
    if w.chance.happens(35):
        k = w.fresh("k")
        inside.add(k, "N")
        text += ", %s=%s" % (k, w.expr("N", 1))
    if w.chance.happens(15):
        text += ", *more, **also"
    made = body(w, inside, w.chance.between(1, 3), "T")
    lines = ["def %s(%s):" % (name, text), *made]
    if w.chance.happens(12):
        lines = [
            w.chance.pick(("@torch._dynamo.disable", "@logged", "@torch.no_grad()", "@functools.wraps(twice)")),
            *lines,
        ]
    w.scope.add(name, "C", own=False)
    return lines


@statement(3, ready=nestable)
def recursive(w: Writer) -> "list[str]":
    """A function that calls itself, a few times."""
    name, x, k = w.fresh("again"), w.fresh("t"), w.fresh("k")
    inside = w.scope.inner()
    inside.add(x, "T")
    inside.add(k, "N", own=False)
    made = body(w, inside, 2, "")
    out = w.fresh("y")
    call = "%s = %s(%s, 2)" % (out, name, w.expr("T"))
    w.scope.add(out, "T")
    return [
        "def %s(%s, %s):" % (name, x, k),
        "    if %s <= 0:" % k,
        "        return %s" % x,
        *made,
        "    return %s(%s, %s - 1)" % (name, x, k),
        call,
    ]


@statement(3, ready=nestable)
def inner_generator(w: Writer) -> "list[str]":
    name, x = w.fresh("each"), w.fresh("t")
    inside = w.scope.inner()
    inside.add(x, "T")
    made = body(w, inside, w.chance.between(1, 3), "", generator=True)
    out = w.fresh("parts")
    use = w.chance.pick(("list(%s(%s))", "[v * 2 for v in %s(%s)]", "[*%s(%s)]", "list(itertools.islice(%s(%s), 2))"))
    with w.at(walrus=False):
        call = "%s = %s" % (out, use % (name, w.expr("T")))
    w.scope.add(out, "LT")
    return ["def %s(%s):" % (name, x), *made, "    yield %s" % x, call]


@statement(2, ready=nestable)
def inner_class(w: Writer) -> "list[str]":
    name, box = w.fresh("Local"), w.fresh("box")
    lines = ["class %s(%s):" % (name, w.chance.pick(("Box", "Chest", "Box"))), "    factor = %s" % w.leaf("N")]
    lines += method(w, "step", w.scope.inner(), name)
    if w.chance.happens(30):
        lines += ["", "    @property", "    def doubled(self):", "        return self.t * %s" % w.leaf("N")]
    lines.append("%s = %s(%s, %s)" % (box, name, w.expr("T"), w.expr("N")))
    w.scope.add(box, "O")
    return lines


def method(w: Writer, name: str, inside: Scope, owner: str) -> "list[str]":
    """A method of an object that has the attributes of Box."""
    inside.add("t", "T")
    inside.add("n", "N")
    for text, kind in (("self.t", "T"), ("self.n", "N"), ("self.items", "L")):
        inside.add(text, kind, own=kind == "N" and w.chance.happens(50))
    first = []
    if w.chance.happens(40):
        first = [w.chance.pick(("t = super().step(t, n)", "t = super(%s, self).step(t)" % owner, "self.n += 1"))]
    made = body(w, inside, w.chance.between(1, 3), "T", first)
    return indented(["def %s(self, t, n=1):" % name, *made])


@expression("T", 5, ready=lambda w: bool(w.functions))
def calling(w: Writer, depth: int) -> str:
    name, sig = w.chance.pick(w.functions)
    assert isinstance(sig, Signature)
    return "%s(%s)" % (name, arguments(w, sig, lambda kind: w.expr(kind, depth)))


__all__ = ["ended"]
