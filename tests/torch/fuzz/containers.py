"""Expressions that make lists, dicts and objects."""

from __future__ import annotations

from .grammar import Writer, expression, forms
from .plain import names

names("L", "[1, 2, 3]", "[]", "list(NUMBERS)", "[2]")
names("LT", "[]", "[WEIGHT]")
names("DN", "{}", "{'a': 1}", "dict(TABLE)")
names("DT", "{}", "dict(TENSORS)", "{'a': WEIGHT}")
names("O", "SHARED", "SHARED", "Box(WEIGHT, 1)")

forms(
    "L",
    "[$N, $N]",
    "[$N, *$L, $N]",
    "list(range($N % 4))",
    "[*range($N % 3), *$L]",
    "[i for i in $L if i != $N_]",
    "[i + $N for i in range(3)]",
    "[i * j for i in $L for j in range(2) if i != j]",
    "[(lambda k: k + i)($N_) for i in $L]",
    "[untraced(i) for i in $L]",
    "[i for i in range(3) if print(i) is None]",
    "[[i, $N_][0] for i in $L]",
    "sorted($L)",
    "sorted($L, key=lambda i: -i)",
    "sorted({*$L})",
    "sorted({i % 3 for i in $L})",
    "sorted({i: $N_ for i in $L})",
    "$L[1:]",
    "$L[:$N]",
    "$L[$N::2]",
    "$L[::-1]",
    "($L + $L)[:5]",
    "($L * 2)[:4]",
    "list(map(lambda i: i + 1, $L))",
    "list(filter(None, $L))",
    "[a + b for a, b in zip($L, range(9))]",
    "[i for i, _ in enumerate($L)]",
    "list(reversed($L))",
    "list($T.shape)",
    "list($DN.values())",
    "$O.items[:3]",
    "list(steps($N))",
    "list(itertools.chain($L, [$N]))[:5]",
    "list(itertools.accumulate($L))",
    "($L if $B else $L)",
    "($L or [$N])",
    "[*steps(2), print($S) or 1]",
    "untraced($L)",
    "[len(s) for s in ($S, $S)]",
)
forms(
    "LT",
    "[$T, $T]",
    "[$T, *$LT]",
    "[$T_ * i for i in range(3)]",
    "[t + $N for t in $LT]",
    "[noisy(t) for t in [$T, $T]]",
    "[$T_ for i in range(2) if untraced(i)]",
    "[t for t in $LT if t.sum() > 0]",
    "[*$DT.values()]",
    "[$C(t) for t in $LT]",
    "list(map($C, $LT))",
    "list($T.flatten().sum().reshape(1).unbind())",
    "($LT if $B else [$T])",
    "$LT[:$N]",
    "($LT + [$T])[-2:]",
    "[a * b for a, b in zip($LT, $LT)]",
    "list(tensors($T, $N))",
    "[f($T) for f in ($C, $C)]",
)
forms(
    "DN",
    "{'a': $N, 'b': $N}",
    "{**$DN, 'c': $N}",
    "{'a': $N, **$DN, **{'d': $N}}",
    "dict(a=$N)",
    "dict($DN, z=$N)",
    "dict(**$DN)",
    "($DN | {'e': $N})",
    "{k: $N for k in 'ab'}",
    "{k: v + 1 for k, v in $DN.items() if v is not None}",
    "{s: untraced(len(s)) for s in ['x', 'yy']}",
    "dict(zip(['a', 'b'], $L))",
    "dict.fromkeys(['a', 'q'], $N)",
    "{$S: $N}",
    "keywords(**$DN, k=$N)",
    "keywords(**{**$DN, 'k': print($S) or $N})",
)
forms(
    "DT",
    "{'a': $T, 'b': $T}",
    "{**$DT, 'c': $T}",
    "{k: v * 2 for k, v in $DT.items()}",
    "{k: $T for k in ('a', 'm')}",
    "dict($DT, a=$T)",
    "($DT | {'e': $T})",
    "{k: noisy(v) for k, v in {**$DT, 'n': $T}.items()}",
)
forms(
    "O",
    "Box($T, $N)",
    "Box($T, n=$N)",
    "Chest($T, $N)",
    "Box.build($T)",
    "($O if $B else $O)",
    "copy.copy($O)",
    "Pair($T, $N)",
    "dataclasses.replace(Pair($T, $N), n=$N)",
    "$O.with_n($N)",
    weight=1,
)


@expression("LT", 1)
def nested(w: Writer, depth: int) -> str:
    """A comprehension in a comprehension, of which the inner one sees the outer one's variable."""
    i = w.fresh("i")
    with w.at(walrus=False, simple=True):
        return "[sum([%s * j for j in range(2)], %s) for %s in range(2)]" % (i, w.expr("T", depth), i)


@expression("L", 1, ready=lambda w: w.place.walrus)
def assigned_inside(w: Writer, depth: int) -> str:
    """An assignment in a comprehension binds a name outside of it."""
    with w.at(walrus=False, simple=True):
        return "[last for i in %s if (last := i + 1) > 0]" % w.expr("L", depth)
