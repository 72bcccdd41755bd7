"""Expressions that make tensors. Every one fits the call's shape or has none, so that all of them go together."""

from __future__ import annotations

from .grammar import Writer, expression, forms


@expression("T", 12, leaf=True)
def name(w: Writer, depth: int) -> str:
    names = w.scope.of("T")
    return w.chance.pick(names) if names else "torch.tensor(1.5)"


@expression("T", 2, leaf=True)
def of_global(w: Writer, depth: int) -> str:
    return w.chance.pick(("WEIGHT", "SHARED.t", "TENSORS['w']"))


@expression("T", 4, leaf=True, ready=lambda w: bool(w.scope.of("O")))
def of_object(w: Writer, depth: int) -> str:
    return "%s.t" % w.chance.pick(w.scope.of("O"))


forms(
    "T",
    "$T.sin()",
    "$T.cos().abs()",
    "$T.relu()",
    "torch.tanh($T)",
    "torch.sigmoid(input=$T)",
    "(-$T)",
    "(+$T)",
    "$T.clone()",
    "$T.detach()",
    "$T.clamp(-3, 3)",
    "$T.clamp(min=-$N_ % 5, max=5)",
    "torch.zeros_like($T)",
    "torch.full_like($T, 2)",
    "$T.to(torch.float64)",
    "$T.float()",
    "$T.unsqueeze(0).squeeze(0)",
    "$T.softmax(-1)",
    "torch.nn.functional.gelu($T.float())",
    weight=2,
)
forms("T", "$T.sum()", "$T.float().mean()", "$T.max()", "torch.norm($T.float())", weight=1)
forms(
    "T",
    "($T + $T)",
    "($T - $T)",
    "($T * $T)",
    "($T / ($T.abs() + 1))",
    "($T + $N)",
    "($T * $F)",
    "($N - $T)",
    "($T + $B)",
    "torch.add($T, $T)",
    "torch.add($T, $T, alpha=$N_)",
    "torch.maximum($T.float(), $T.float())",
    "torch.where($T > 0, $T.float(), $T.float())",
    "torch.mul(input=$T, other=$T)",
    "torch.lerp($T.float(), $T.float(), 0.5)",
    weight=3,
)
forms(
    "T",
    "torch.cat([$T.flatten(), $T.flatten()]).sum()",
    "torch.stack([$T.sum(), $T.sum()]).max()",
    "($T.float().reshape(-1, 1) @ $T.float().sum().reshape(1, 1)).mean()",
    "sum([$T, $T, $T])",
    "sum(($T_ * i for i in range($N % 3)), $T)",
    "sum([t + $N_ for t in $LT], $T_)",
    "functools.reduce(torch.add, [$T, *$LT])",
    "functools.reduce(lambda a, b: a + b * $N_, $LT, $T)",
    "($LT or [$T_])[0]",
    "($LT + [$T])[-1]",
    "[$T, $T][$N % 2]",
    "($T, $T)[$B]",
    "{'a': $T, 'b': $T}['b']",
    "$DT.get('a', $T_)",
    "({**$DT, 'z': $T})['z']",
    "max([$T.sum(), $T.sum()], key=lambda t: t.dim())",
    "list(map($C, [$T, $T]))[0]",
    "next(iter([$T]))",
    "next((t for t in $LT if t.dim() > $N_), $T)",
    "[t for t in [$T, $T] if t.dim() >= 0][-1]",
    "[$T for _ in range(2)][0]",
    "{k: $T for k in 'ab'}['a']",
    "getattr($O, 't')",
    "operator.mul($T, $T)",
    "copy.copy($T)",
    weight=1,
)
forms(
    "T",
    "$C($T)",
    "scaled($T, $N)",
    "scaled($T, n=$N)",
    "scaled(*[$T, $N])",
    "scaled(*($T,), **{'n': $N, 'shift': $F})",
    "gather($T, $T, $T, extra=$T)",
    "gather(*$LT, $T, **$DT)",
    "gather($T, *$LT, *[$T], **$DT, z=$T)",
    "$O.step($T)",
    "$O.step($T, n=$N)",
    "type($O).step($O, $T)",
    "$O($T)",
    "$O[$N]",
    "Box.build($T).t",
    "Box($T, $N).doubled",
    "Box.unit($N) * $T",
    "(lambda t, k=$N: t * k)($T)",
    "(lambda *ts, **kw: ts[0] + len(ts) + len(kw))($T, $T, a=$N)",
    "functools.partial(scaled, n=$N)($T)",
    "torch.nn.functional.relu($T)",
    weight=2,
)
forms("T", "($T if $B else $T)", "($T if not $B else $T)", weight=3)


@expression("T", 2, ready=lambda w: w.place.walrus)
def walrus(w: Writer, depth: int) -> str:
    names = [n for n in w.scope.assignable("T") if n.isidentifier()]
    into = w.chance.pick(names) if names else w.fresh("wal")
    with w.at(walrus=False):
        return "(%s := %s)" % (into, w.expr("T", depth))


@expression("T", 2, ready=lambda w: w.place.asynchronous and not w.place.simple)
def awaited(w: Writer, depth: int) -> str:
    return "(await later(%s))" % w.expr("T", depth)


@expression("T", 1, ready=lambda w: w.place.generator and not w.place.simple)
def sent(w: Writer, depth: int) -> str:
    return "((yield %s) or %s)" % (w.expr("T", depth), w.leaf("T"))


@expression("T", 10, ready=lambda w: w.chance.happens(w.breaks * 4))
def breaking(w: Writer, depth: int) -> str:
    return w.fill(w.chance.pick(BREAKING), depth)


forms(
    "T",
    "$T[..., None].squeeze(-1)",
    "$T[None][0]",
    "$T.flatten()[::2].sum()",
    "$T.flatten()[$N % 2 :].sum()",
    "$T.flatten()[-1]",
    "$T.flatten()[:2, None].mean()",
    "$T.masked_fill($T > 1, 0.5)",
    "torch.cumsum($T.flatten(), 0)[-1]",
    "torch.einsum('i->', $T.float().flatten())",
    "torch.func.grad(lambda t: (t * t).sum())($T.float())",
    "torch.func.vmap(lambda t: t * $N)($T.flatten()).sum()",
    "torch.cond($T.dim() > 1, lambda t: t + 1, lambda t: t - 1, ($T,))",
    "$T.type($T_.dtype)",
    "torch.zeros(3, dtype=$T.dtype).sum()",
    "($T.sum(dim=-1, keepdim=True) if $T_.dim() else $T)",
    "operator.attrgetter('t')($O)",
    "operator.itemgetter(0)([$T])",
    "collections.OrderedDict(a=$T)['a']",
    "collections.deque([$T, $T]).pop()",
    "Point($T, $N).x",
    "Point(*$P)._replace(n=$N).x",
    "Double.apply($T)",
    "Color.RED.value * $T",
    "(Color($N % 2 + 1) is Color.RED) * $T",
    "cached($N) * $T",
    "Lazy($T).value",
    "OnlySlots($T).t",
    "frozen($T)",
    "compiled_inside($T)",
    weight=1,
)


# What Dynamo does not trace, or not without the values.
BREAKING = (
    "untraced($T)",
    "untraced($T, $N, key=$S)",
    "untraced($T, *$L)",
    "noisy($T)",
    "noisy(noisy($T) + $T)",
    "(print($S), $T)[1]",
    "(print($N, end=' ') or $T)",
    "tell($T)",
    "$T[$T > 0].sum()",
    "torch.nonzero($T).sum()",
    "torch.unique($T.flatten()).sum()",
    "torch.tensor($T.tolist()).sum()",
    "torch.from_numpy($T.detach().numpy() + 1)",
    "torch.full_like($T, $T.sum().item())",
    "($T * float($T.sum()))",
    "pickle.loads(pickle.dumps($T))",
    "copy.deepcopy($T)",
    "torch.jit.annotate(torch.Tensor, $T)",
    "Quiet(2).apply($T)",
    "opaque.twist($T)",
    "eval('a + 1', {'a': $T})",
    "weakref.ref(SHARED)().t * $T",
    "torch.compiler.disable(lambda t: t + 1)($T)",
    "(open(__file__).close() or $T)",
    "($T * (time.perf_counter() > 0))",
    "($T * len(os.environ.get('NOT_THERE', 'x')))",
    "threaded($T)",
    "(print($S, file=sys.stderr) or $T)",
    "(Strange($T) + 1)",
    "torch.utils.checkpoint.checkpoint(twice, $T, use_reentrant=False)",
)
forms("T", *BREAKING[:9], weight=1)
