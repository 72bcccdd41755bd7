"""What programs that use torch are full of: configurations, outputs, decorators, iterators, state that changes."""

from __future__ import annotations

from .blocks import bound, loopable, shallow
from .functions import body, nestable
from .grammar import Writer, forms, indented, statement
from .statements import result, target

forms(
    "T",
    "Output($T, ($T,)).hidden",
    "Output($T, states=($T, $T)).to_tuple()[-1][0]",
    "Output(hidden=$T)[0]",
    "dataclasses.replace(Output($T), states=None).hidden",
    "Kept($T, $N).scaled()",
    "Kept($T)._asdict()['hidden']",
    "Kept(hidden=$T, n=$N)[0]",
    "(Vector($T, $T) * $N)[1]",
    "(Vector($T) + $T)[0]",
    "($N + Vector($T))[0]",
    "(Vector($T, $T) @ Vector($T, $T))",
    "sum(Vector($T, $T))",
    "max(Vector($T), Vector($T, $T)).parts[-1]",
    "Square.apply($T)",
    "Square.apply($T.float(), $N)",
    "($T * CONFIG.scale)",
    "($T * CONFIG.mode.factor)",
    "($T + CONFIG.get('width', $N))",
    "($T + CONFIG.extra.get($S, $N))",
    "($T * Level.HIGH)",
    "default_of($T)",
    "default_of($T, $M)",
    "default_of($T, shift=$M)",
    "forwarded(scaled, $T)",
    "forwarded(scaled, $T, n=$N)",
    "forwarded(lambda t, n: t * n, $T)",
    "apply_all([$C, $C], $T)",
    "apply_all((torch.sin, *[$C]), $T)",
    "functools.reduce(lambda t, f: f(t), [$C, $C], $T)",
    "layered($T, $N_ % 3)",
    "layered($T)",
    "updated($T, $N)",
    "timed(loud=False)(twice)($T)",
    "retry()($C)($T)",
    "counting($C)($T)",
    "remembered(twice)($T)",
    "Checked(scaled)($T, n=$N)",
    "Setting($N)(twice)($T)",
    "functools.partial(forwarded, scaled, n=$N)($T)",
    "functools.partialmethod(scaled, 3).func($T)",
    "operator.methodcaller('sin')($T)",
    "typing.cast(torch.Tensor, $T)",
    weight=1,
)
forms(
    "T",
    "($T * (2 if compiling() else 2))",
    "($T.reshape($T_.shape) if $T_.numel() == $T_.numel() else $T)",
    "($T.new_zeros(()) + $T)",
    "$T.view($T_.shape)",
    "$T.expand_as($T_)",
    "torch.zeros($T.shape, dtype=torch.float32)",
    "torch.ones($T.size())",
    "(torch.arange($T.numel()).sum() * $T)",
    "torch.arange($N % 4 + 1, device=$T.device).sum()",
    "torch.full($T.shape, float($N))",
    "torch.empty_like($T).fill_($N)",
    "(torch.randn_like($T.float()) * 0 + $T)",
    "(torch.tensor([$N, $N]).sum() * $T)",
    "(torch.tensor($F) + $T)",
    "(torch.as_tensor($N) * $T)",
    "torch.stack([t.sum() for t in [$T, *$LT]]).mean()",
    "torch.stack($LT or [$T_]).sum(0)",
    "torch.einsum('i,i->', $T.float().flatten(), $T_.float().flatten()[:1].expand($T_.numel()))",
    "torch.einsum('...,...->...', $T.float(), $T.float())",
    "torch.nn.functional.layer_norm($T.float().flatten(), ($T_.numel(),)).mean()",
    "torch.nn.functional.dropout($T.float(), 0.0, training=$B)",
    "torch.nn.functional.mse_loss($T.float().sum(), $T.float().sum())",
    "torch.nn.functional.linear($T.float().reshape(-1, 1), torch.ones(2, 1)).mean()",
    "torch.nn.functional.pad($T.flatten(), (1, $N_ % 3)).sum()",
    "torch.nn.functional.scaled_dot_product_attention(*[$T.float().reshape(1, -1, 1)] * 3).mean()",
    "torch.nn.functional.one_hot($T.flatten().long().abs() % 3, 3).sum()",
    "($T.flatten().tril() if $T_.dim() > 9 else $T.flatten().flip(0).sum())",
    "$T.flatten().sort().values[0]",
    "$T.flatten().topk(1)[0].squeeze()",
    "($T.flatten().argmax() * $T)",
    "($T.max(dim=-1).values.sum() if $T_.dim() else $T)",
    "[*$T.flatten().chunk(2)][0].sum()",
    "$T.flatten().split(2)[-1].mean(dtype=torch.float32)",
    "($T.transpose(0, -1).sum() if $T_.dim() > 1 else $T)",
    "torch.movedim($T.flatten(), 0, -1).sum()",
    "$T.flatten()[torch.arange(1)].sum()",
    "$T.flatten()[[0, -1]].sum()",
    "$T[*[...]]",
    "$T.flatten().index_select(0, torch.tensor([0])).sum()",
    "$T.flatten().gather(0, torch.zeros(1, dtype=torch.long)).sum()",
    "($T > 0).float().mean()",
    "(($T == $T).logical_not().any() * $T)",
    "torch.where($T.isnan(), torch.zeros(()), $T)",
    "torch.func.functional_call(torch.nn.Tanh(), {}, ($T.float(),))",
    "(torch.from_numpy(np.arange(3)).sum() * $T)",
    "($T * np.sqrt(4.0))",
    "($T * int(np.prod($T_.shape)))",
    "torch.as_tensor(np.asarray($T.detach().float()) * 2)",
    "torch.compiler.disable(twice)($T)",
    weight=1,
)
forms(
    "T",
    "timed('slow')(twice)($T)",
    "Loud.apply($T.float())",
    "(describe($T) * $T)",
    "torch.tensor(sorted($T.flatten().tolist())).sum()",
    "torch.tensor([float(v) for v in $T.flatten()]).sum()",
    "(sum(v.item() for v in $T.flatten()[:2]) * $T)",
    "$T[torch.isfinite($T)].sum()",
    "(torch.where($T > 0)[0].sum() if $T_.dim() else $T)",
    "$T.flatten().masked_select($T_.flatten() > 0).sum()",
    "torch.bincount($T.flatten().long().abs()).sum()",
    "torch.repeat_interleave($T.flatten(), 2).sum()",
    "torch.tensor($T.numpy(force=True).max())",
    "($T * float(np.float32($T.sum().item())))",
    weight=1,
)
forms(
    "N",
    "CONFIG.width",
    "CONFIG.half",
    "Level.LOW.value",
    "int(Level.HIGH)",
    "CONFIG.mode.factor",
    "len(CONFIG.names)",
    "(Option.FAST | Option.SAFE).value",
    "Meter.tick()",
    "METER.tick($N)",
    "Meter.total",
    "len(METER.values)",
    "describe($N)",
    "CONTEXT.get()",
    "collections.Counter($L).get(1, 0)",
    "collections.Counter($S).total()",
    "collections.ChainMap($DN, {'a': $N})['a']",
    "collections.defaultdict(int, $DN)['a']",
    "bisect.bisect(sorted($L), $N)",
    "heapq.nsmallest(1, [$N, $N])[0]",
    "max($L, key=lambda i: -i, default=$N)",
    "min([$N, $N], key=abs)",
    "sum(a * b for a, b in zip($L, $L))",
    "sum(map(len, [$S, $S]))",
    "sum(1 for _ in steps($N))",
    "sum(len(g) for _, g in [(k, list(v)) for k, v in itertools.groupby($L)])",
    "len(list(itertools.product($L[:2], range(2))))",
    "sum(a - b for a, b in itertools.pairwise($L))",
    "next(itertools.dropwhile(lambda i: i < $N_, [0, 1]), $N)",
    "len(list(itertools.zip_longest($L, $L, fillvalue=$N)))",
    "list(itertools.repeat($N, 2))[0]",
    "sum(itertools.starmap(pow, [(2, 1), ($N % 3, 2)]))",
    "len(tuple(itertools.chain.from_iterable([$L, $L])))",
    "math.prod($T.shape)",
    "math.ceil($F)",
    "($T.size(-1) if $T_.dim() else 1)",
    "$T.shape.numel()",
    "(len($T) if $T_.dim() else 0)",
    "($T.stride()[0] if $T_.dim() else 1)",
    "int('12'[$N % 2])",
    "$S.find('a')",
    "len($S.split('a'))",
    "len(Vector($T, $T))",
    "(isinstance($O, Chest) + $N)",
    "getattr($O, 'missing', $N)",
    "$DN.setdefault('fresh', $N)",
    "$DN.pop('a', $N)",
    "vars($O)['n']",
    "len(vars($O))",
    "(sys.maxsize % 10)",
    "int(np.int64($N))",
    weight=1,
)
forms(
    "B",
    "(CONFIG.mode is Mode.TRAIN)",
    "(CONFIG.mode == Mode.EVAL)",
    "(Mode('eval') in (Mode.EVAL,))",
    "(Level.LOW < Level.HIGH)",
    "bool(Option.FAST & (Option.FAST | Option.SAFE))",
    "($N in Vector($T, $T))",
    "(Vector($T) == Vector($T))",
    "bool(Vector())",
    "isinstance($T, (torch.Tensor, int))",
    "issubclass(Chest, Box)",
    "(type($N) is int)",
    "($T.dim() == 1 and $T.shape[0] > 2)",
    "(1 < $T.numel() <= 6)",
    "($T.shape[-1:] == (4,))",
    "($T.size() != torch.Size([4]))",
    "any(s > 3 for s in $T.shape)",
    "($T.device.type == 'cpu')",
    "($T.dtype in (torch.float32, torch.float64))",
    "$T.is_contiguous()",
    "($M == 2)",
    "(($M or 0) > 1)",
    "($S and $S[0] == 'a')",
    "(not ($L and $L[0]))",
    "hasattr(torch, 'sin')",
    "log.isEnabledFor(logging.INFO)",
    "(torch.compiler.is_compiling() is None)",
    "torch.jit.is_scripting()",
    "torch.is_autocast_enabled()",
    "torch.is_inference_mode_enabled()",
    "torch.cuda.is_available()",
    weight=1,
)
forms(
    "S",
    "CONFIG.mode.value",
    "CONFIG.mode.name",
    "CONFIG.names[$N % 2]",
    "str(Level.LOW.name)",
    "repr(Vector($T))",
    "$S.title().strip()",
    "', '.join(f'{k}={v}' for k, v in $DN.items())",
    "('%(a)s' % {'a': $S})",
    "string.Template('=${x}').substitute(x=$S)",
    "f'{($N):>{($N_) % 5}}'",
    "f'{($T).shape}'",
    "f'{tuple($T.shape)!r:>10}'",
    "f'{($F):.{abs($N_) % 3}f}'",
    "f'{($T).sum().item():.2f}'",
    "str($T.sum().nan_to_num().item())[:3]",
    "type($T).__name__",
    "$S.partition('a')[2]",
    "os.path.join($S, 'x')[-4:]",
    "''.join(map(str, $L))",
    "json.dumps({'n': $N, 's': $S}, sort_keys=True)",
    "str(Output)[:5]",
    weight=1,
)
forms(
    "L",
    "[i for i in itertools.chain($L, steps(2))]",
    "[a for a, _ in pairs(WEIGHT, $N % 3)]",
    "sorted($L, reverse=True)",
    "sorted(set($L))",
    "sorted($L, key=lambda i: (i % 2, -i))",
    "sorted($DN.values(), key=functools.cmp_to_key(lambda a, b: a - b))",
    "[*dict.fromkeys($L)]",
    "[i for pair in zip($L, $L) for i in pair]",
    "[i if i > $N_ else -i for i in $L]",
    "[(i, j)[0] for i in $L if i for j in range(i % 3)]",
    "list(collections.deque($L, maxlen=2))",
    "list(np.array([1, 2]).tolist())",
    "list(itertools.takewhile(lambda i: i != $N_, $L))",
    "list(itertools.islice(itertools.cycle([$N, 1]), 3))",
    "[*map(operator.neg, $L)]",
    "list(itertools.compress($L, [1, 0, 1]))",
    "[describe(i) for i in $L]",
    weight=1,
)
forms(
    "DN",
    "{k: v for k, v in zip('abc', $L)}",
    "({i: s for s, i in enumerate('ab')} and {'a': $N})",
    "dict(sorted($DN.items(), key=lambda kv: kv[1]))",
    "dict(collections.Counter('aab'))",
    "{**collections.ChainMap($DN, {'z': $N})}",
    "{k: v for d in [$DN, $DN] for k, v in d.items()}",
    "(dict(a=$N) | {k.upper(): v for k, v in $DN.items() if isinstance(k, str)})",
    weight=1,
)
forms(
    "C",
    "timed(loud=False)($C)",
    "counting($C)",
    "logged($C)",
    "torch.no_grad()($C)",
    "Setting($N)($C)",
    "functools.partial(forwarded, scaled)",
    "functools.partial(default_of, shift=$N)",
    "(lambda t, *, k=$N: t + k)",
    "(lambda *args: args[0] * $N_)",
    "{'relu': torch.relu, 'sin': torch.sin}.get($S, $C)",
    "Checked($C)",
    "Dense(bias=False)",
    "Square.apply",
    "getattr(torch, 'cos')",
    "torch.nn.functional.silu",
    weight=1,
)

# What a line or a few do to the state of the program.
CHANGES = (
    "METER.update(loss=$N)",
    "METER.update(loss=$N, rate=$F).mean('loss')",
    "METER.values[$S].append($N)",
    "Meter.total += 1",
    "METER.values.clear()",
    "METER.values.pop('loss', None)",
    "CONTEXT.set($N)",
    "TABLE.pop('c', None)",
    "TABLE |= {'d': $N}",
    "NUMBERS.sort(key=lambda i: -i)",
    "del NUMBERS[2:]",
    "SHARED.items[:] = $L",
    "SHARED.half = $N",
    "SHARED.__dict__['n'] = $N",
    "SHARED.seen = getattr(SHARED, 'seen', 0) + 1",
    "TENSORS.clear()",
    "TENSORS.update(w=torch.tensor(3.0))",
    "setattr(SHARED, $S or 'x', $N)",
    "setattr(SHARED, 'an item', getattr(SHARED, '2', $N))",
    "twice.calls = getattr(twice, 'calls', 0) + 1",
    "Box.kind = $S",
    "EVENTS.append((len(EVENTS), $N))",
    "EVENTS.append(f'{($T).shape}')",
    "os.environ['FUZZ'] = $S",
    "torch.set_grad_enabled(True)",
    "torch._check($N < 1000)",
    "torch._assert(True, $S)",
    "random.shuffle([1])",
    "log.debug(f'at {($N)} of {($S)}')",
    "log.info('%s %r', $S, $L)",
    "log.log(logging.INFO, 'shape %s', $T.shape)",
    "log.isEnabledFor(logging.DEBUG) and log.debug('fine')",
    "print(f'{($N)=}', f'{($S)!r:>5}')",
    "print($S, $DN, flush=True)",
    "print('%.2f' % $F, sep='')",
    "print(*[$S, $N], sep=', ', end='.\\n')",
    "print('loss: {:.3f}'.format($T.sum().item()))",
    "warnings.warn(f'odd {($N)}', UserWarning, stacklevel=2)",
    "next(TICKS)",
    "copy.deepcopy($DN)",
    "torch.compiler.is_compiling() or None",
    "gc.collect(0)",
    "time.perf_counter()",
    "traceback.format_exc()",
    "sys.exc_info()",
)


@statement(8, small=True)
def change_state(w: Writer) -> "list[str]":
    return [w.fill(w.chance.pick(CHANGES), w.depth)]


IDIOMS = (
    "{y} = {t}.float() * 1.0\n{y}.register_hook(lambda grad: grad * 2) if {y}.requires_grad else None",
    "{y} = {t}.detach().float().requires_grad_()\n({y} * 2).sum().backward()\n{y} = {y}.grad + {y}",
    "{y} = {t}.detach().float().requires_grad_()\n({y},) = torch.autograd.grad(({y} ** 2).sum(), [{y}])",
    "{y} = torch.zeros_like({t})\n{y} += {t}\n{y} *= $N",
    "{y} = {t}.clone()\n{y}[{y} > 0] = $N",
    "{y} = {t}.float().clone()\n{y}.flatten()[0] = $N",
    "{y} = torch.zeros(2, 2)\n{y}[0, 1], {y}[1:] = $N, $F\n{y} = {y}.sum() * {t}",
    "{y} = [{t}]\nwhile len({y}) < 3:\n    {y}.append({y}[-1] * $N)\n{y} = {y}[-1]",
    "{y} = {t}\nfor _ in range($N % 3):\n    {y} = {y} + $T if $B else {y}",
    "{y} = {t}\nwhile {y}.abs().sum() > 20:\n    {y} = {y} / 2",
    "{y} = None\nfor v in [{t}, $T]:\n    {y} = v if {y} is None else {y} + v",
    "{y}, total = {t}, 0\nfor i, s in enumerate({t}.shape):\n    total += i * s\n{y} = {y} + total",
    "states = ()\nfor f in ($C, $C):\n    states = states + (f({t}),)\n{y} = states[-1]",
    "{y}, *_ = $C({t}), $N, $S",
    "{y} = {t}\nif (size := {y}.numel()) > 3:\n    {y} = {y} * size",
    "memo = {{}}\nfor key in ('a', 'b', 'a'):\n    if key in memo:\n        print('hit', key)\n        continue\n"
    "    memo[key] = {t} * len(memo)\n{y} = memo['b']",
    "it = iter([{t}, $T])\nwhile (v := next(it, None)) is not None:\n    print(v.dim())\n{y} = {t}",
    "gen = running()\nnext(gen)\ngen.send($N)\n{y} = {t} * gen.send(2)\ngen.close()",
    "gen = pairs({t}, 3)\nnext(gen)\nprint('between')\n{y} = next(gen)[1]\ngen.close()",
    "{y} = {t}\nfor i, part in relayed({t}):\n    if i:\n        {y} = {y} + part",
    "heap = []\nfor item in (3, 1, $N):\n    heapq.heappush(heap, item)\n{y} = {t} * heapq.heappop(heap)",
    "queue = collections.deque([$N, 1], maxlen=2)\nqueue.append($N)\n{y} = {t} + queue.popleft()",
    "groups = collections.defaultdict(list)\nfor v in [{t}, $T]:\n    groups[v.dim()].append(v)\n"
    "{y} = {t} + sum(len(g) for g in groups.values())",
    "space = types.SimpleNamespace(t={t}, n=$N)\nspace.n += 1\n{y} = space.t * space.n",
    "{y} = {t}\ntry:\n    {y} = {y} + TABLE[$S]\nexcept KeyError as e:\n    log.warning('no %s', e)\n    {y} = {y} - 1",
    "for attempt in range(3):\n    try:\n        {y} = {t} / untraced(attempt) if attempt else fail(0)\n        break\n"
    "    except ValueError:\n        print('again', attempt)\nelse:\n    {y} = {t}",
    "before = torch.is_grad_enabled()\ntorch.set_grad_enabled(False)\ntry:\n    {y} = {t} * 2\n    print($S)\n"
    "finally:\n    torch.set_grad_enabled(before)",
    "with contextlib.ExitStack() as stack:\n    for level in (1, 2):\n        stack.enter_context(managed(level))\n"
    "    {y} = {t} * $N",
    "stack = contextlib.ExitStack()\nwith stack:\n    stack.callback(print, 'called back')\n    {y} = {t} + 1",
    "lock = threading.Lock()\nwith lock:\n    {y} = {t} + $N\n    print('locked')",
    "{y} = torch.empty(0)\nfor v in {t}.flatten()[:2]:\n    {y} = torch.cat([{y}, v.float().reshape(1)])\n"
    "{y} = {y}.sum()",
    "rows = [{t}.flatten()[i] for i in range(min(2, {t}.numel()))]\n{y} = torch.stack(rows).sum()",
    "best, {y} = -1.0, {t}\nfor v in [{t}, $T]:\n    if (score := v.float().sum().item()) > best:\n"
    "        best, {y} = score, v",
    "def key_of(pair):\n    return -pair[1]\n{y} = {t} * sorted([(0, 1), (1, $N)], key=key_of)[0][0]",
    "from collections import OrderedDict as Ordered\nordered = Ordered(a={t}, b=$T)\nordered.move_to_end('a')\n"
    "{y} = next(reversed(ordered.values()))",
    "try:\n    import not_there\nexcept ImportError:\n    not_there = None\n{y} = {t} if not_there is None else -{t}",
    "{y} = {t}\nif torch.compiler.is_compiling():\n    {y} = {y} + 0\nelse:\n    EVENTS.append('eager')",
    "{y} = np.add(np.ones(1, dtype=np.float32), $N)\n{y} = torch.from_numpy({y}).sum() * {t}",
    "met = set()\nfor i in $L:\n    if i in met:\n        continue\n    met.add(i)\n{y} = {t} * len(met)",
    "lines = []\nfor key, item in sorted(TABLE.items()):\n    lines.append(f'{{key}}: {{item:>3}}')\n"
    "print('; '.join(lines))\n{y} = {t} + len(lines)",
    "local = locals()\n{y} = {t} * len([k for k in ('self',) if k in local])",
    "{y} = {t}\nassert isinstance({y}, torch.Tensor), f'not {{type({y})}}'\nassert {y}.dim() < 9",
    "first, second = itertools.tee([{t}, $T])\nnext(second)\n{y} = sum(a + b for a, b in zip(first, second))",
)


@statement(9, ready=shallow)
def idiom(w: Writer) -> "list[str]":
    """A few lines that go together, which leave a tensor."""
    text = w.chance.pick(IDIOMS)
    t = w.leaf("T")
    name = target(w, "T")
    filled = w.fill(text.replace("{y}", name).replace("{t}", t).replace("{{", "{").replace("}}", "}"), 1)
    w.scope.add(name, "T")
    return filled.split("\n")


CHOICES = (
    ("CONFIG.mode", ("Mode.TRAIN", "Mode.EVAL", "Mode()")),
    ("Level($N % 2 + 1)", ("Level.LOW", "Level.HIGH", "1 | 2")),
    ("Kept($T, $N)", ("Kept(n=0)", "Kept({t}, {a}) if {a} > 1", "({t}, 1)")),
    ("Output($T, $M)", ("Output(states=None)", "Output(hidden={t})", "Output({t}, int())")),
    ("$T.shape", ("()", "({a},)", "({a}, {b})", "[4, *_]", "[*_, 3]")),
    ("$T.dtype", ("torch.float32", "torch.float64 | torch.int64")),
    ("{{'kind': $S, 'n': $N}}", ("{{'kind': 'ab'}}", "{{'kind': str(), 'n': int({a})}}", "{{'n': {a}, **{r}}}")),
)


@statement(3, ready=shallow)
def choose(w: Writer) -> "list[str]":
    """A match over what programs are configured by."""
    subject, patterns = w.chance.pick(CHOICES)
    lines = ["match %s:" % w.fill(subject.replace("{{", "{").replace("}}", "}"), 1)]
    ways = []
    for pattern in w.chance.shuffled(patterns)[: w.chance.between(1, 3)]:
        scope = w.scope.copy()
        names = {}
        for key, stem, kind in (("a", "got", "N"), ("b", "also", "N"), ("r", "rest", ""), ("t", "seen", "T")):
            if "{%s}" % key in pattern:
                names[key] = w.fresh(stem)
                if kind:
                    scope.add(names[key], kind)
        with w.scoped(scope):
            made, after, dead = w.block(2)
        lines += ["    case %s:" % pattern.format(**names), *indented(made)]
        ways.append((after, dead))
    made, after, dead = w.block(2)
    bound(w, [*ways, (after, dead)])
    return [*lines, "    case _:", *indented(made)]


ENTERED = (
    "Setting($N)",
    "pushed($N)",
    "guarded(ValueError, KeyError)",
    "guarded(Exception)",
    "METER",
    "Meter()",
    "double_precision()",
    "torch.device('cpu')",
    "torch.set_grad_enabled(not torch.is_grad_enabled())",
    "torch.inference_mode()",
    "torch.autograd.graph.save_on_cpu()",
    "torch.autograd.profiler.profile(enabled=False)",
    "torch.random.fork_rng(devices=[])",
    "contextlib.suppress(Exception)",
    "contextlib.nullcontext()",
    "(torch.no_grad() if $B else contextlib.nullcontext())",
    "(pushed if $B else managed)($N)",
    "LOCK",
    "torch.utils._python_dispatch._disable_current_modes()",
    "torch._C.DisableTorchFunctionSubclass()",
    "torch.backends.mkldnn.flags(enabled=False)",
)


@statement(7, ready=shallow)
def entered(w: Writer) -> "list[str]":
    """A with statement of the kinds that models and training loops have, an early return in it perhaps."""
    text = w.fill(w.chance.pick(ENTERED), 1)
    made, _, _ = w.block(3)
    return ["with %s:" % text, *made]


DECORATORS = ("timed(loud=False)", "timed('inner')", "retry(2)", "counting", "remembered", "Checked", "torch.no_grad()")


@statement(4, ready=nestable)
def wrapped_function(w: Writer) -> "list[str]":
    """A function of its own decorator, with state that both change."""
    name, x = w.fresh("wrapped"), w.fresh("t")
    calls = target(w, "N")
    if calls in w.place.foreign or not calls.isidentifier():
        calls = w.fresh("calls")
    w.scope.add(calls, "N")
    inside = w.scope.inner()
    inside.add(x, "T")
    lines = ["%s = %s" % (calls, w.leaf("N"))]
    if w.chance.happens(50):
        decorate = w.fresh("decorate")
        lines += [
            "def %s(f):" % decorate,
            "    @functools.wraps(f)",
            "    def wrapper(*args, **named):",
            "        nonlocal %s" % calls,
            "        %s += 1" % calls,
            "        %s" % w.chance.pick(("print(f.__name__)", "EVENTS.append(%s)" % calls, "pass")),
            "        return f(*args, **named)",
            "    return wrapper",
            "",
            "@" + decorate,
        ]
    else:
        lines.append("@" + w.chance.pick(DECORATORS))
    lines += ["def %s(%s):" % (name, x), *body(w, inside, w.chance.between(1, 3), "T")]
    w.scope.add(name, "C", own=False)
    return lines


@statement(5, ready=loopable)
def numbered_loop(w: Writer) -> "list[str]":
    """A loop over what comes in pairs, the everyday ones, with a break or a continue in it perhaps."""
    heads = (
        ("pairs($T, 2)", "i", "v"),
        ("enumerate($LT[:2])", "i", "v"),
        ("zip($L[:2], itertools.repeat($T))", "i", "v"),
        ("enumerate(Vector($T, $T), start=1)", "i", "v"),
        ("sorted(TABLE.items())", "s", "i"),
        ("itertools.product([1, 2], [$N])", "i", "i"),
        ("itertools.zip_longest([1], [2, 3], fillvalue=$N)", "i", "i"),
        ("dict(a=$T).items()", "s", "v"),
        ("zip(('a', 'b'), map($C, [$T, $T]))", "s", "v"),
        ("itertools.pairwise([$T, $T, $T])", "v", "v"),
    )
    head, *stems = w.chance.pick(heads)
    kinds = {"i": "N", "v": "T", "s": "S"}
    names = [w.fresh(stem) for stem in stems]
    lines = ["for %s in %s:" % (", ".join(names), w.fill(head, 1))]
    inside = w.scope.copy()
    for name, stem in zip(names, stems):
        inside.add(name, kinds[stem], own=False)
    with w.scoped(inside):
        if w.chance.happens(30):
            way = w.chance.pick(("break", "continue"))
            with w.at(depth=w.place.depth + 1):
                lines += ["    if %s:" % w.expr("B", 1), "        " + way]
        made, _, _ = w.block(3, in_loop=True, loops=w.place.loops + 1)
    return lines + made


@statement(3, ready=lambda w: shallow(w) and w.place.returns != "" and not w.place.generator)
def return_early(w: Writer) -> "list[str]":
    test = w.chance.pick(("$T.numel() == 0", "$T.dim() > 2", "$M is None", "$N > 2", "not $L", "$T.sum() > 3", "$B"))
    lines = ["if %s:" % w.fill(test, 1)]
    if w.chance.happens(30):
        lines.append("    print('early')")
    with w.at(depth=w.place.depth + 1):
        return [*lines, "    " + result(w)]
