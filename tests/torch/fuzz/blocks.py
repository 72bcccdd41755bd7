"""Statements with a body: branches, loops, exceptions, context managers, match."""

from __future__ import annotations

from .grammar import Writer, ended, indented, statement
from .scope import Scope


def shallow(w: Writer) -> bool:
    return w.place.depth < 4


def loopable(w: Writer) -> bool:
    return w.place.depth < 4 and w.place.loops < 2


def bound(w: Writer, ways: "list[tuple[Scope, bool]]") -> None:
    """Go on with the names that all ways which come out have bound."""
    w.scope = w.scope.copy().meet([s for s, dead in ways if not dead]) if ways else w.scope


@statement(14, ready=shallow)
def branch(w: Writer) -> "list[str]":
    lines: "list[str]" = []
    ways = []
    arms = w.chance.weighted((1, 2, 3), (6, 3, 1))
    for i in range(arms):
        lines.append("%s %s:" % ("elif" if i else "if", w.expr("B")))
        body, scope, dead = w.block()
        lines += body
        ways.append((scope, dead))
    if w.chance.happens(45):
        body, scope, dead = w.block()
        lines += ["else:", *body]
        ways.append((scope, dead))
    else:
        ways.append((w.scope.copy(), False))
    bound(w, ways)
    return lines


SEQUENCES = (
    "range(%d)",
    "range(%d)",
    "[1, 2]",
    "(3, 1)",
    "$L[:2]",
    "steps(2)",
    "sorted({2, 1})",
    "reversed([1, 2])",
    "map(lambda i: i + 1, [0, 1])",
    "filter(None, [0, 1, 2])",
    "range($N % 3)",
    "iter([1, 2])",
    "NUMBERS[:2]",
    "itertools.islice(itertools.count(), 2)",
    "untraced([1, 2])",
    "[print($S) or 1, 2]",
)
PAIRED = (
    ("enumerate([$T, $T])", "N", "T"),
    ("zip(range(2), $LT)", "N", "T"),
    ("list({'a': $T}.items())", "S", "T"),
    ("$DN.copy().items()", "S", "N"),
    ("[$P, $P]", "T", "N"),
    ("zip($LT[:2], [$T, $T])", "T", "T"),
)


@statement(10, ready=loopable)
def for_loop(w: Writer) -> "list[str]":
    prefix = ""
    if w.place.asynchronous and w.chance.happens(40):
        prefix, head, kinds = "async ", "ticks(2)", ("N",)
    elif w.chance.happens(25):
        text, *found = w.chance.pick(PAIRED)
        head, kinds = w.fill(text, 1), tuple(found)
    elif w.chance.happens(20):
        head, kinds = w.expr("LT", 1) + "[:2]", ("T",)
    else:
        text = w.chance.pick(SEQUENCES)
        head, kinds = w.fill(text % w.chance.between(1, 3) if "%d" in text else text, 1), ("N",)
    names = [w.fresh("i" if k == "N" else "v") for k in kinds]
    inside = w.scope.copy()
    for name, kind in zip(names, kinds):
        inside.add(name, kind, own=w.chance.happens(50))
    with w.scoped(inside):
        body, _, _ = w.block(4, in_loop=True, loops=w.place.loops + 1)
    lines = ["%sfor %s in %s:" % (prefix, ", ".join(names), head), *body]
    return lines + otherwise(w)


def otherwise(w: Writer) -> "list[str]":
    """Sometimes the else clause of a loop."""
    if not w.chance.happens(20):
        return []
    body, _, _ = w.block(2)
    return ["else:", *body]


@statement(6, ready=loopable)
def while_loop(w: Writer) -> "list[str]":
    """A counter goes first and is nobody's to assign to: so every loop ends."""
    k = w.fresh("k")
    most = w.chance.between(1, 3)
    test = w.chance.pick(
        (
            "%s < %d",
            "%s < %d and $B",
            "%s < %d and $T.sum() < 9",
            "$T.abs().sum() < 20 and %s < %d",
            "not %s >= %d",
            "(%s < %d) == True",
            "untraced(%s) < %d",
        )
    ) % (k, most)
    head = w.fill(test, 1)
    inside = w.scope.copy()
    inside.add(k, "N", own=False)
    with w.scoped(inside):
        body, _, _ = w.block(4, in_loop=True, loops=w.place.loops + 1)
    if w.chance.happens(25):
        lines = ["while %s:" % w.chance.pick(("True", "1")), "    %s += 1" % k]
        lines += ["    if not (%s):" % head, "        break", *body]
    else:
        lines = ["while %s:" % head, "    %s += 1" % k, *body]
    return ["%s = 0" % k, *lines, *otherwise(w)]


ERRORS = (
    "ValueError",
    "(KeyError, IndexError)",
    "Oops",
    "Exception",
    "ZeroDivisionError",
    "(LookupError, ValueError)",
    "RuntimeError",
)


@statement(8, ready=shallow)
def attempt(w: Writer) -> "list[str]":
    before = w.scope.copy()
    body, after, dead = w.block(4)
    if w.raises and w.chance.happens(50):
        text = w.fill(
            w.chance.pick(("fail($N)", "raise Oops($S)", "1 // $N", "$DN['missing']", "untraced(fail)($N)")), 1
        )
        at = w.chance.below(2)
        line = "    " + text
        if at and not text.startswith("raise"):
            body = [line, *body]
        elif not dead:
            body = [*body, line]
            dead = text.startswith("raise")
    lines = ["try:", *body]
    ways = []
    only_finally = w.chance.happens(25)
    if not only_finally:
        count = w.chance.weighted((1, 2), (3, 1))
        for i in range(count):
            last = i == count - 1
            if last and w.chance.happens(15):
                head, name = "except:", ""
            else:
                kind = w.chance.pick(ERRORS)
                if last and w.chance.happens(60):
                    kind = "Exception"
                name = w.fresh("e") if w.chance.happens(60) else ""
                head = "except %s%s:" % (kind, " as " + name if name else "")
            with w.scoped(before.copy()):
                inner, scope, gone = w.block(3, handling=True)
            if name and w.chance.happens(60):
                use = w.chance.pick(
                    ("print(type(%s).__name__)", "print(%s)", "EVENTS.append(str(%s))", "untraced(%s)", "%s.args")
                )
                inner = ["    " + use % name, *inner]
            lines += [head, *inner]
            ways.append((scope, gone))
            if kind_is_last(head):
                break
        if w.chance.happens(25) and not dead:
            with w.scoped(after):
                inner, after, dead = w.block(2)
            lines += ["else:", *inner]
    ways.append((after, dead))
    bound(w, ways)
    if only_finally or w.chance.happens(30):
        with w.scoped(before.copy()):
            with w.at(returns=w.place.returns if w.chance.happens(4) else "", in_loop=False):
                inner, _, _ = w.block(2)
        lines += ["finally:", *inner]
    return lines


def kind_is_last(head: str) -> bool:
    return head == "except:" or head.startswith("except Exception")


MANAGERS = (
    "torch.no_grad()",
    "torch.enable_grad()",
    "torch.set_grad_enabled($B)",
    "torch.autocast('cpu', dtype=torch.bfloat16)",
    "torch.autocast('cpu', enabled=False)",
    "contextlib.nullcontext($N)",
    "contextlib.suppress(ValueError, KeyError)",
    "Manager($N)",
    "Manager($S)",
    "Manager($N, swallow=True)",
    "Quiet($N)",
    "managed($N)",
    "managed(untraced($N))",
    "torch.autograd.profiler.record_function('part')",
    "contextlib.ExitStack()",
    "contextlib.closing(Quiet(1))",
    "torch.inference_mode(False)",
    "(Manager(1) if $B else Quiet(2))",
    "warnings.catch_warnings()",
    "LOCK",
    "torch.random.fork_rng(enabled=False)",
    "contextlib.redirect_stdout(sys.stderr)",
    "torch.amp.autocast('cpu', dtype=torch.bfloat16, enabled=$B)",
    "torch.autograd.set_detect_anomaly(False)",
    "torch.nn.attention.sdpa_kernel([torch.nn.attention.SDPBackend.MATH])",
    "(Manager(1), Quiet(2))[$N % 2]",
)


@statement(9, ready=shallow)
def managed(w: Writer) -> "list[str]":
    items, added = [], []
    prefix = ""
    if w.place.asynchronous and w.chance.happens(40):
        prefix, items = "async ", ["AsyncManager(%s)" % w.expr("N", 1)]
    else:
        for _ in range(w.chance.weighted((1, 2), (4, 1))):
            text = w.fill(w.chance.pick(MANAGERS), 1)
            if text.startswith(("Manager", "Quiet", "managed")) and w.chance.happens(50):
                name = w.fresh("m")
                text += " as " + name
                added.append(name)
            items.append(text)
    inside = w.scope.copy()
    for name in added:
        inside.add(name, "N")
    with w.scoped(inside):
        body, after, dead = w.block(4)
    if added and w.chance.happens(40):
        body = ["    EVENTS.append(%s)" % added[0], *body]
    # The manager may swallow an exception: behind it holds what held before.
    del after, dead
    return ["%swith %s:" % (prefix, ", ".join(items)), *body]


PATTERNS = (
    ("$N", ("0", "1 | 2", "-1", "int({a}) if {a} > 2", "{a} if {a} % 2", "None", "str()")),
    ("$P", ("({t}, 0)", "({t}, {a})", "[{t}, 1 | 2]", "(torch.Tensor() as {t}, _)", "[_, {a}] if {a} > 0")),
    ("$L", ("[]", "[{a}]", "[{a}, *{r}]", "[{a}, {b}] if {a} == {b}", "[1, *_]", "[*{r}, 3]")),
    ("$DN", ("{{'a': {a}}}", "{{'a': 1, **{r}}}", "{{'b': int({a})}}", "{{}}")),
    ("$O", ("Box(n=1)", "Box(n={a}, t={t})", "Pair({t}, {a})", "Chest() as {r}")),
    ("$S", ("'ab'", "'a' | 'k'", "str({a})", "''")),
    ("($N, $S)", ("(0, 'ab')", "(1 | 2 as {a}, _)", "({a}, {b}) if {b}", "_ if FLAG")),
)


@statement(4, ready=shallow)
def match(w: Writer) -> "list[str]":
    subject, patterns = w.chance.pick(PATTERNS)
    lines = ["match %s:" % w.fill(subject, 1)]
    ways = []
    for pattern in w.chance.shuffled(patterns)[: w.chance.between(1, 3)]:
        scope = w.scope.copy()
        names = {}
        for key, stem in (("a", "got"), ("b", "also"), ("r", "rest"), ("t", "seen")):
            if "{%s}" % key in pattern:
                names[key] = w.fresh(stem)
        if "t" in names:
            scope.add(names["t"], "T")
        for key in ("a", "b"):
            if key in names and subject in ("$P", "$L", "$DN", "$O", "$N"):
                scope.add(names[key], "N")
        with w.scoped(scope):
            body, after, dead = w.block(3)
        lines += ["    case %s:" % pattern.format(**names), *indented(body)]
        ways.append((after, dead))
    if w.chance.happens(60):
        body, after, dead = w.block(2)
        lines += ["    case _:", *indented(body)]
    else:
        after, dead = w.scope.copy(), False
    ways.append((after, dead))
    bound(w, ways)
    return lines


@statement(1, ready=shallow)
def attempt_group(w: Writer) -> "list[str]":
    """Exception groups, from Python 3.11 on."""
    before = w.scope.copy()
    with w.at(returns="", in_loop=False):
        body, _, _ = w.block(2)
        raising = w.fill(
            w.chance.pick(("raise ExceptionGroup('g', [ValueError($S), Oops()])", "raise Oops($S)", "untraced()")), 1
        )
        lines = ["try:", *body, "    " + raising]
        with w.scoped(before.copy()):
            body, _, _ = w.block(2, handling=False)
        lines += ["except* ValueError:", *body]
        with w.scoped(before.copy()):
            body, _, _ = w.block(2, handling=False)
        lines += ["except* Exception as group:", "    print(type(group).__name__)", *body]
    w.scope = before
    return lines


@statement(2, ready=lambda w: shallow(w) and not w.place.asynchronous)
def drained(w: Writer) -> "list[str]":
    """A generator that is advanced by hand."""
    name, value = w.fresh("gen"), w.fresh("y")
    w.scope.add(value, "T")
    source = w.fill(w.chance.pick(("tensors($T, 3)", "($T_ * i for i in range(3))", "iter([$T, $T])")), 1)
    lines = ["%s = %s" % (name, source), "%s = next(%s)" % (value, name)]
    if w.chance.happens(60):
        lines.append(w.fill("print($S)", 1))
    rest = w.chance.pick(("%s = next(%s, %s)", "%s = sum(%s, %s)", "%s = [*%s, %s][0]"))
    return [*lines, rest % (value, name, value)]


__all__ = ["ended"]
