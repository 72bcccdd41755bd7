"""Statements without a body: assignments of every shape, deletions, and what breaks a graph by itself."""

from __future__ import annotations

from .grammar import Writer, statement
from .scope import KINDS

STEMS = {
    "T": "y",
    "N": "n",
    "F": "f",
    "B": "flag",
    "S": "s",
    "L": "items",
    "LT": "parts",
    "DN": "counts",
    "DT": "named",
    "O": "box",
    "C": "fn",
    "M": "maybe",
    "P": "pair",
}
COMMON = ("T",) * 8 + ("N",) * 4 + KINDS


def target(w: Writer, kind: str) -> str:
    """A name to assign a value of a kind to; the caller adds it to the scope."""
    names = w.scope.assignable(kind)
    # A function that calls itself through a name assigned later would never end: such names are new.
    if names and kind not in "CO" and w.chance.happens(60):
        return w.chance.pick(names)
    return w.fresh(STEMS[kind])


@statement(20, small=True)
def assign(w: Writer) -> "list[str]":
    kind = w.chance.pick(COMMON)
    value = w.expr(kind)
    name = target(w, kind)
    w.scope.add(name, kind)
    if kind in ("T", "N") and w.chance.happens(8):
        other = w.fresh(STEMS[kind])
        w.scope.add(other, kind)
        return ["%s = %s = %s" % (other, name, value)]
    if w.chance.happens(4):
        return ["%s: object = %s" % (name, value)] if name not in w.place.foreign else ["%s = %s" % (name, value)]
    return ["%s = %s" % (name, value)]


@statement(8, small=True)
def augment(w: Writer) -> "list[str]":
    kind = w.chance.pick("TTTNNS")
    names = w.scope.assignable(kind)
    if not names:
        return assign(w)
    name = w.chance.pick(names)
    if kind == "S":
        return ["%s += %s" % (name, w.leaf("S")), "%s = %s[-5:]" % (name, name)]
    if kind == "N":
        return ["%s %s= %s" % (name, w.chance.pick("+-&|^"), w.expr("N"))]
    # In place only on what the function owns: the value may be shared.
    return ["%s = %s * 1.0" % (name, name), "%s %s= %s" % (name, w.chance.pick("+-*"), w.expr("F"))]


@statement(6, small=True)
def unpack(w: Writer) -> "list[str]":
    shape = w.chance.below(8)
    a, b, c = w.fresh("a"), w.fresh("b"), w.fresh("c")
    add = w.scope.add
    if shape == 0:
        line = "%s, %s = %s, %s" % (a, b, w.expr("T"), w.expr("N"))
        add(a, "T"), add(b, "N")
    elif shape == 1:
        line = "%s, *%s = [%s, *%s]" % (a, b, w.expr("N"), w.expr("L"))
        add(a, "N"), add(b, "L")
    elif shape == 2:
        line = "*%s, %s = %s" % (b, a, w.fill("[*$LT, $T]", w.depth))
        add(a, "T"), add(b, "LT")
    elif shape == 3:
        line = "(%s, %s), %s = %s, %s" % (a, b, c, w.expr("P"), w.expr("S"))
        add(a, "T"), add(b, "N"), add(c, "S")
    elif shape == 4:
        line = "%s, %s = %s" % (a, b, w.expr("P"))
        add(a, "T"), add(b, "N")
    elif shape == 5:
        line = "%s, %s = divmod(%s, 3)" % (a, b, w.expr("N"))
        add(a, "N"), add(b, "N")
    elif shape == 6:
        names = w.scope.assignable("T")
        if len(names) < 2:
            return assign(w)
        one, two = w.chance.shuffled(names)[:2]
        line = "%s, %s = %s, %s" % (one, two, two, one)
    else:
        line = "%s, *%s, %s = %s" % (a, b, c, w.fill("$N, $N, *$L, $T", w.depth))
        add(a, "N"), add(b, "L"), add(c, "T")
    return [line]


CHANGES = (
    "{0}.add_($N)",
    "{0}.mul_(2)",
    "{0}[...] = $N",
    "{0}[..., :1] = $N",
    "{0}.copy_($T.float().mean())",
    "{0}.clamp_(-1, 1)",
    "torch.sin({0}, out={0})",
    "{0}.zero_().add_(untraced($N))",
    "{0}.requires_grad_(False)",
)


@statement(4, small=True)
def change_tensor(w: Writer) -> "list[str]":
    """A tensor changed in place; most are the function's own, some the caller's."""
    names = w.scope.assignable("T")
    if not names:
        return assign(w)
    name = w.chance.pick(names)
    own = [] if w.chance.happens(15) else ["%s = %s.detach().float().clone()" % (name, name)]
    return [*own, w.fill(w.chance.pick(CHANGES).replace("{0}", name), 1)]


STORES = (
    ("L", "{0}.append($N)"),
    ("L", "{0}.extend($L)"),
    ("L", "{0}.insert(0, $N)"),
    ("L", "{0}[:1] = [$N, $N]"),
    ("L", "{0}[1:] = $L"),
    ("L", "{0} += [$N]"),
    ("L", "{0}.sort()"),
    ("L", "{0}.reverse()"),
    ("L", "del {0}[2:]"),
    ("L", "del {0}[::2]"),
    ("L", "{0}[len({0}):] = [untraced($N)]"),
    ("LT", "{0}.append($T)"),
    ("LT", "{0} += [$T]"),
    ("LT", "{0}[:] = [$T]"),
    ("LT", "{0}.insert(0, noisy($T))"),
    ("DN", "{0}['a'] = $N"),
    ("DN", "{0}[$S] = $N"),
    ("DN", "{0}['a'] = {0}.get('a', 0) + $N"),
    ("DN", "{0}.update(b=$N)"),
    ("DN", "{0}.update($DN)"),
    ("DN", "{0} |= $DN"),
    ("DN", "{0}.setdefault('s', $N)"),
    ("DN", "{0}.pop('a', None)"),
    ("DN", "{0}[untraced('k')] = $N"),
    ("DT", "{0}['a'] = $T"),
    ("DT", "{0}[$S] = $T"),
    ("DT", "{0}.update(a=$T)"),
    ("O", "{0}.t = $T"),
    ("O", "{0}.n = $N"),
    ("O", "{0}.n += $N"),
    ("O", "{0}.t = {0}.t + $T"),
    ("O", "{0}.items.append($N)"),
    ("O", "{0}[$N] = $T"),
    ("O", "{0}.half = $N"),
    ("O", "setattr({0}, 'n', $N)"),
    ("O", "setattr({0}, 'class', $N)"),
    ("O", "setattr({0}, str($N), $T)"),
    ("O", "setattr({0}, 'n', getattr({0}, 'an item', $N))"),
    ("O", "setattr({0}, 'an item', $N); delattr({0}, 'an item')"),
    ("O", "{0}.extra = $S"),
    ("O", "{0}.n, {0}.t = $N, $T"),
    ("O", "{0}.n -= untraced($N)"),
    ("O", "untraced({0}).n = $N"),
    ("O", "{0}.__dict__.update(n=$N)"),
)
GLOBAL_STORES = (
    "TABLE['a'] = $N",
    "TABLE[$S] = $N",
    "NUMBERS.append($N)",
    "NUMBERS[:] = [1, $N]",
    "SHARED.n = $N",
    "SHARED.n += 1",
    "SHARED.t = $T.sum().detach()",
    "TENSORS['v'] = $T.sum().detach()",
    "TABLE['c'] = TABLE.get('c', 0) + 1",
)


@statement(10, small=True)
def store(w: Writer) -> "list[str]":
    kind, text = w.chance.pick(STORES)
    names = w.scope.of(kind)
    if not names:
        value = w.expr(kind)
        name = w.fresh(STEMS[kind])
        w.scope.add(name, kind)
        return ["%s = %s" % (name, value), w.fill(text.replace("{0}", name), w.depth)]
    return [w.fill(text.replace("{0}", w.chance.pick(names)), w.depth)]


@statement(3)
def store_global(w: Writer) -> "list[str]":
    return [w.fill(w.chance.pick(GLOBAL_STORES), w.depth)]


@statement(6, ready=lambda w: bool(w.place.globals))
def assign_global(w: Writer) -> "list[str]":
    name, kind = w.chance.pick(w.place.globals)
    if kind == "N":
        return [w.fill(w.chance.pick(("%s += 1", "%s = $N", "%s = $N %% 5", "%s -= untraced(1)")) % name, w.depth)]
    return ["%s = %s" % (name, w.fill("$T.sum().detach()", w.depth))]


BREAKS = (
    "print($S)",
    "print($S, $N, sep='/')",
    "print(*$L)",
    "print($T.shape, $N)",
    "print($S, end='; ')",
    "torch._dynamo.graph_break()",
    "untraced($T, $N)",
    "untraced()",
    "untraced(**{'a b': $N, 'n': $N, 'class': $T})",
    "log.info('at %s', $N)",
    "log.warning(%s)",
    "logging.getLogger('fuzz.more').error('n=%d', $N)",
    "warnings.warn('careful ' + $S)",
    "warnings.warn('deprecated', DeprecationWarning, stacklevel=1)",
    "tell($T)",
    "breaks(1)",
    "noisy($T)",
    "SHARED.shout($N)",
    "sys.stdout.write($S)",
    "sys.stdout.flush()",
    "EVENTS.append($S)",
    "$T.sum().item()",
    "gc.isenabled()",
    "print($S, file=sys.stderr)",
    "time.sleep(0)",
    "os.getcwd()",
    "exec('pass', {})",
    "torch.compiler.disable(print)($S)",
    "sys.getsizeof(1)",
    "sorted([$T, $T], key=lambda t: t.sum().item())",
    "list(map(print, $L))",
    "[print(i) for i in $L]",
    "{print(k): 1 for k in $DN}",
    "print($S) if $B else untraced()",
    "$B and print($S)",
    "$T.sum().item() > 0 and print($S)",
    "random.seed(1)",
    "torch.manual_seed(2)",
    "threading.current_thread()",
)


@statement(10, small=True)
def break_graph(w: Writer) -> "list[str]":
    text = w.chance.pick(BREAKS)
    if "%s" in text and "log.warning" in text:
        text = "log.warning($S)"
    return [w.fill(text, w.depth - 1)]


@statement(2)
def evaluate(w: Writer) -> "list[str]":
    return [w.expr(w.chance.pick(("T", "N", "B", "C", "S", "DN")))]


@statement(2)
def delete(w: Writer) -> "list[str]":
    own = [n for n in w.scope.own if n.isidentifier() and n not in w.place.foreign]
    if not own or w.place.depth:
        return assign(w)
    name = w.chance.pick(own)
    kind = w.scope.kinds[name]
    w.scope.remove(name)
    # A function that sees the name may run later: then it is a NameError, which is a result as well.
    if w.chance.happens(50):
        w.scope.add(name, kind)
        return ["del %s" % name, "%s = %s" % (name, _without(w, name, kind))]
    return ["del %s" % name]


def _without(w: Writer, name: str, kind: str) -> str:
    with w.scoped(w.scope.copy()) as scope:
        scope.remove(name)
        return w.expr(kind)


@statement(2)
def check(w: Writer) -> "list[str]":
    condition = w.chance.pick(("$N < 50", "$T.dim() < 9", "$B or True", "$B", "isinstance($N, int)"))
    return [w.fill("assert %s, %s" % (condition, w.chance.pick(("$S", "'n is %d' % $N"))), w.depth)]


RAISING = (
    "raise ValueError($S)",
    "raise KeyError($N)",
    "raise Oops($S, $N)",
    "raise Oops",
    "raise RuntimeError('bad %s' % $N) from ValueError('cause')",
    "raise LookupError(untraced($S))",
    "raise StopIteration",
    "raise TypeError($S) from None",
)
FAILING = (
    "$DN['missing']",
    "$L[99]",
    "1 // ($N - $N)",
    "None.attribute",
    "int('x' + $S)",
    "next(iter([]))",
    "scaled()",
    "$O.nothing",
    "fail($N)",
    "NOT_DEFINED",
    "[][0]",
    "torch.ones(2) + torch.ones(3)",
    "torch.cat([])",
)


@statement(2, ready=lambda w: w.place.depth > 0 and w.raises)
def throw(w: Writer) -> "list[str]":
    if w.place.handling and w.chance.happens(30):
        return ["raise"]
    return [w.fill(w.chance.pick(RAISING), 1)]


@statement(1, ready=lambda w: w.raises)
def fail(w: Writer) -> "list[str]":
    text = w.fill(w.chance.pick(FAILING), 1)
    if w.chance.happens(70):
        return ["if %s:" % w.expr("B", 1), "    " + text]
    return [text]


@statement(4, ready=lambda w: w.place.depth > 0 and w.place.returns != "" and not w.place.generator)
def give(w: Writer) -> "list[str]":
    return [result(w)]


def result(w: Writer) -> str:
    """The return statement of this place."""
    if w.place.returns != "any":
        return "return " + w.expr(w.place.returns)
    shape = w.chance.below(8)
    if shape < 3:
        return "return " + w.expr("T")
    if shape < 6:
        names = w.chance.shuffled(list(w.scope))[: w.chance.between(1, 4)]
        return "return " + ", ".join([w.expr("T"), *names])
    kinds = [w.chance.pick(KINDS) for _ in range(w.chance.between(1, 3))]
    made = [w.expr(k, 1) for k in kinds]
    if shape == 6:
        return "return [%s]" % ", ".join(made)
    extra = w.chance.pick(("slice(0, %s)", "range(%s)", "(%s,)", "{'r': %s}", "iter([%s])")) % w.expr("N", 1)
    return "return %s, %s" % (extra, ", ".join(made))


@statement(3, ready=lambda w: w.place.in_loop and w.place.depth > 1)
def leave_loop(w: Writer) -> "list[str]":
    return [w.chance.pick(("break", "continue"))]


@statement(8, ready=lambda w: w.place.generator)
def give_next(w: Writer) -> "list[str]":
    shape = w.chance.below(6)
    if shape == 0:
        return ["yield from %s" % w.expr("LT")]
    if shape == 1:
        name = target(w, "M")
        w.scope.add(name, "M")
        return ["%s = yield %s" % (name, w.expr("T"))]
    return ["yield %s" % w.expr("T")]


@statement(3, ready=lambda w: w.place.asynchronous)
def wait(w: Writer) -> "list[str]":
    return [w.fill(w.chance.pick(("await later($T)", "await Pause($N)", "await later(untraced($N))")), w.depth)]


@statement(1)
def import_inside(w: Writer) -> "list[str]":
    name = w.fresh("root")
    w.scope.add(name, "F")
    return ["from math import sqrt as %s_of" % name, "%s = %s_of(4)" % (name, name)]


@statement(1, small=True)
def nothing(w: Writer) -> "list[str]":
    return ["pass"]
