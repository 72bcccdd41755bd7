"""Expressions that make numbers, truth values, strings and callables."""

from __future__ import annotations

from .grammar import Writer, expression, forms


def names(kind: str, *others: str, weight: int = 8) -> None:
    """A rule for the names of a kind, and for what stands where there is none."""

    def name(w: Writer, depth: int) -> str:
        found = w.scope.of(kind)
        return w.chance.pick(found if found and w.chance.happens(75) else others)

    expression(kind, weight, leaf=True)(name)


names("N", "1", "2", "3", "0", "-1", "COUNT", "SHARED.n")
names("F", "0.5", "2.0", "-1.5", "1e-3")
names("B", "True", "False", "FLAG")
names("S", "'ab'", "'k'", "''", "'tail'", "NAME")
names("M", "None", "2")
names("C", "torch.sin", "torch.relu", "twice", "abs", weight=5)

forms(
    "N",
    "($N + $N) % 7",
    "($N - $N)",
    "($N * $N) % 9",
    "($N // 2)",
    "($N % 3)",
    "(-$N)",
    "(~$N)",
    "($N & 3)",
    "($N | 1)",
    "($N ^ 2)",
    "(1 << ($N & 3))",
    "($N % 4) ** 2",
    "abs($N)",
    "min($N, $N)",
    "max($N, *$L, 0)",
    "max([$N, $N], default=0)",
    "len($L)",
    "len($LT)",
    "len($S)",
    "len($DN)",
    "sum($L)",
    "sum(i for i in $L if i > $N_)",
    "sum([i * j for i in range(3) for j in $L])",
    "($L or [0])[0]",
    "[$N, $N, $N][$N % 3]",
    "$DN.get('a', $N)",
    "({'q': $N} | $DN)['q']",
    "dict(a=$N, **{'b': $N})['a']",
    "$T.dim()",
    "$T.numel()",
    "$T.shape[-1] if $T_.dim() else $N",
    "int($F)",
    "round($F)",
    "int($B)",
    "divmod($N, 3)[1]",
    "$S.count('a')",
    "ord(($S + 'x')[0])",
    "$O.n",
    "$O.total($N)",
    "len($O)",
    "len({*$L, $N})",
    "(lambda a, b=$N: a - b)($N)",
    "next(iter($L), $N)",
    "[*$L, $N][-1]",
    "(0 if $M is None else 1)",
    "counted($N)",
    "fib($N % 5)",
    "hash($N)",
    "(len($S) if $B else $N)",
    "operator.index($N)",
    "int.__add__($N, $N)",
    "bool($L) + $N",
)
forms("N", "($N if $B else $N)", weight=5)
forms(
    "N",
    "int($T.sum().nan_to_num().clamp(-5, 5))",
    "int($T.sum().nan_to_num().clamp(-5, 5).item())",
    "len($T.flatten().tolist())",
    "untraced($N)",
    "(print($S) or $N)",
    "len(str($T.dtype))",
    "eval('1 + 1')",
    "random.Random(3).randint(0, 4)",
    "len(json.dumps($L))",
    "(torch._dynamo.graph_break() or $N)",
    "next(TICKS)",
    "int(re.sub('[a-z]', '', 'a1b2'))",
)


@expression("N", 2, ready=lambda w: w.place.walrus)
def walrus(w: Writer, depth: int) -> str:
    found = [n for n in w.scope.assignable("N") if n.isidentifier()]
    into = w.chance.pick(found) if found else w.fresh("win")
    with w.at(walrus=False):
        return "(%s := %s)" % (into, w.expr("N", depth))


@expression("N", 2, ready=lambda w: w.place.asynchronous and not w.place.simple)
def awaited(w: Writer, depth: int) -> str:
    return "(await later(%s))" % w.expr("N", depth)


forms(
    "F",
    "($F + $F)",
    "($F * 0.5)",
    "($N / 2)",
    "float($N)",
    "math.sqrt(abs($F))",
    "math.floor($F)",
    "round($F, 1)",
    "($F if $B else $F)",
    "float($T.sum().nan_to_num().clamp(-3, 3))",
    "$T.float().mean().item() * 0.0",
    "abs($F) // 1",
)

forms(
    "B",
    "($N > $N)",
    "($N == $N)",
    "(0 <= $N < 3)",
    "($N < $N <= $N)",
    "($N != $N > 0)",
    "(not $B)",
    "($B and $B)",
    "($B or $B)",
    "($B and not $B or $B)",
    "isinstance($M, int)",
    "($M is None)",
    "($M is not None)",
    "($N in $L)",
    "('a' not in $DN)",
    "($S in 'abcd')",
    "($S == $S)",
    "$S.startswith('a')",
    "any(i > 1 for i in $L)",
    "all(t.dim() > 0 for t in $LT)",
    "any([$B, $B])",
    "bool($L)",
    "($T.dim() > 1)",
    "($T.numel() > 3)",
    "($T.shape == $T.shape)",
    "($T.dtype == torch.float32)",
    "$T.is_floating_point()",
    "torch.is_tensor($T)",
    "$T.requires_grad",
    "hasattr($O, 'extra')",
    "callable($C)",
    "($O is SHARED)",
    "bool($N % 2)",
    "($F > 0.25)",
    "(0 < $N < untraced($N) < 9)",
    "isinstance($O, (Box, str))",
    "({'a': 1}.get($S) is None)",
    "torch.is_grad_enabled()",
)
forms(
    "B",
    "($T.sum() > 0)",
    "($T.sum() > $T.sum())",
    "bool(($T > 0).any())",
    "($T > 0).all().item()",
    "(0 < $T.sum() < 5)",
    "torch.allclose($T.float(), $T.float().clone())",
    "torch.equal($T, $T)",
    "(print($S) is None)",
    "untraced($B)",
    "bool($T.any())",
    "(not $T.any())",
)

forms(
    "S",
    "($S + $S)[:6]",
    "$S.upper()",
    "$S[1:]",
    "$S[::-1]",
    "($S * 2)[:5]",
    "str($N)",
    "repr($S)",
    "str($M)",
    "type($O).__name__",
    "$C.__name__",
    "'%s-%d' % ($S, $N)",
    "'{} {:>3}'.format($S, $N)",
    "'-'.join([$S, $S])",
    "','.join(str(i) for i in $L)",
    "''.join(sorted($S))",
    "($S if $B else $S)",
    "($S or $S)",
    "str(tuple($T.shape))",
    "str($T.dtype)",
    "('a', $S)[$B]",
    "chr(97 + $N % 5)",
    "untraced($S)",
    "hex($N)",
    "$S.replace('a', $S_)",
    "str($L)",
    "format($F, '.2f')",
)


@expression("S", 8)
def joined(w: Writer, depth: int) -> str:
    """An f-string: pieces, conversions and format specs that are computed too."""
    out = ""
    for _ in range(w.chance.between(1, 3)):
        kind, ends = w.chance.pick(
            (
                ("N", ("", "!r", ":>4", ":{w}d", ":04d", " = ")),
                ("S", ("", "!r", "!s:>6", "!r:>{w}", "!a")),
                ("F", (":.2f", ":+.1f", "!r")),
                ("L", ("", "!r")),
                ("M", ("", "!s")),
                ("B", ("", "!r:>6")),
            )
        )
        piece = w.expr(kind, depth - 1)
        if '"' in piece or "\\" in piece or ":=" in piece or "lambda" in piece or "{" in piece:
            piece = w.leaf(kind)
        end = w.chance.pick(ends).replace("{w}", "{%d}" % w.chance.between(3, 7))
        out += "%s{(%s)%s}" % (w.chance.pick(("", "v=", "- ", "{{}} ")), piece, end.replace(" = ", "="))
    return 'f"%s"' % out


forms(
    "C",
    "(lambda t: t + $N)",
    "(lambda t, n=$N: t * n)",
    "(lambda t: $T + t)",
    "(lambda t: scaled(t, $N_))",
    "(lambda t: noisy(t))",
    "(lambda t: print($S) or t)",
    "functools.partial(torch.mul, $T)",
    "functools.partial(scaled, n=$N)",
    "$O.step",
    "($C if $B else $C)",
    "[$C, $C][$N % 2]",
    "adder($T)",
    "composed($C, $C)",
    weight=1,
)
forms("M", "($N if $B else None)", "$DN.get($S)", "({'a': $N}.get('b'))", "($M or $N)", "untraced($M)")
forms("P", "($T, $N)", "(*[$T], $N)", "tuple([$T, $N])", "($P if $B else $P)", "$P", weight=1)
names("P", "(WEIGHT, 1)")
