"""What is compiled in practice: hierarchies of modules, compiled methods, training and generating loops."""

from __future__ import annotations

from .blocks import shallow
from .functions import Parameter, Signature, body, signature
from .grammar import Writer, indented, statement
from .scope import Scope
from .statements import target

MODEL = "model"  # The kind of `self` in the methods of a model.


def _model(w: Writer) -> bool:
    return w.scope.kinds.get("self") == MODEL


PARTS = (
    "for layer in self.blocks:\n    {y} = layer({y})",
    "for layer in self.blocks[:1]:\n    {y} = layer({y}, $N)",
    "for i, layer in enumerate(self.blocks):\n    if i == $N:\n        continue\n    {y} = layer({y}, n=i)",
    "for i, layer in enumerate(self.blocks):\n    {y} = layer({y})\n    if {y}.sum() > $N:\n        break",
    "for i in range(len(self.blocks)):\n    {y} = self.blocks[i]({y})\n    print('block', i)",
    "for layer, gain in zip(self.blocks, self.gains):\n    {y} = layer({y}) * gain",
    "for name, head in self.heads.items():\n    {y} = {y} + head({y})",
    "for name in self.heads:\n    if name in CONFIG.names:\n        {y} = self.heads[name]({y})",
    "{y} = self.heads['a' if $B else 'b']({y})",
    "if 'a' in self.heads:\n    {y} = self.heads['a']({y})",
    "{y} = sum(head({y}) for head in self.heads.values())",
    "{y} = {{name: head({y}) for name, head in self.heads.items()}}['b']",
    "{y} = [head({y}) for head in self.heads.values()][-1]",
    "states = ()\nfor layer in self.blocks:\n    states += (layer({y}),)\n    if $B:\n        untraced()\n"
    "{y} = states[-1]",
    "{y} = self.stack({y})",
    "for part in self.stack:\n    {y} = part({y})",
    "{y} = self.stack[0]({y})",
    "{y} = self.drop({y}.float())",
    "{y} = self.gate({y}, scale=$F)",
    "{y} = self.gate(t={y})",
    "{y} = getattr(self, 'gate')({y})",
    '{y} = getattr(self, f"part{{$N % 2}}")({y})',
    "self.calls += 1",
    "self.calls = self.calls + 1\n{y} = {y} * self.calls",
    "self.seen += 1",
    "self.seen.add_({y}.detach().float().mean())",
    "self.seen = self.seen * 0.5 + {y}.detach().float().mean()",
    "with torch.no_grad():\n    self.seen.copy_({y}.float().mean())",
    "with torch.no_grad():\n    self.seen.mul_(0.5)\n    print('seen')\n    self.seen.add_(1)",
    "self.cache['last'] = {y}.detach()",
    "if 'last' not in self.cache:\n    self.cache['last'] = {y}.detach().sum()\n{y} = {y} + self.cache['last'].sum()",
    "if self.memory is None:\n    self.memory = {y}.detach().sum()\nelse:\n    {y} = {y} + self.memory",
    "self.memory = None",
    "self.history.append($N)\n{y} = {y} + len(self.history)",
    "self.history.append(tuple({y}.shape))",
    "if self.training:\n    {y} = {y} * 2",
    "if self.training and self.config.scale:\n    {y} = {y} * self.config.scale\n    print('training')",
    "{y} = {y} * (self.scale if self.training else self.scale.detach())",
    "if self.config.mode is Mode.TRAIN:\n    {y} = {y} + self.config.width",
    "if not hasattr(self, 'late'):\n    self.late = $N\n{y} = {y} + self.late",
    "{y} = {y} + sum(p.sum() for p in self.parameters())",
    "for name, p in self.named_parameters():\n    if name.endswith('scale'):\n        {y} = {y} * p",
    "for name, b in self.named_buffers():\n    {y} = {y} + b.sum()",
    "for module in self.children():\n    {y} = {y} + len(module._modules)",
    "for module in self.modules():\n    if isinstance(module, torch.nn.Tanh):\n        {y} = module({y})",
    "{y} = {y}.to(self.scale.dtype)",
    "{y} = {y} * next(self.parameters()).device.index if $B and False else {y}",
    "{y} = self.project({y})",
    "{y} = self.project({y}, *self.config.names)",
    "{y} = self.checked({y})",
    "{y} = {y} * self.factor",
    "{y} = {y} * type(self).SIZE",
    "{y} = {y} * self.SIZE",
    "type(self).SIZE += 1",
    "{y} = self.made({y}).t",
    "{y} = self.shared({y})",
    "{y} = torch.utils.checkpoint.checkpoint(self.project, {y}, use_reentrant=False)",
    "{y} = self.act({y}) if callable(self.act) else {y}",
    "def inner(v):\n    return self.gate(v) * self.scale\n{y} = inner({y})",
    "{y} = functools.partial(self.project, extra=$N)({y})",
    "{y} = [self.project(v) for v in ({y}, $T)][$N % 2]",
    "{y}, kept = self.with_cache({y}, None)\n{y}, kept = self.with_cache({y}, kept)",
    "{y} = self.embed({y}.long().abs() % 4).squeeze(-1)",
    "{y} = self.conv({y}.float().reshape(1, 1, -1)).mean()",
    "{y} = self.norm({y}.float().unsqueeze(-1)).squeeze(-1)",
    "{y} = self.attend(*[{y}.float().reshape(1, -1, 1)] * 3, need_weights=$B)[0].mean()",
    "{y} = self.rnn({y}.float().reshape(1, -1, 1))[0].mean()",
    "{y} = self({y}) if {y}.dim() > 9 else {y}",
)


@statement(40, ready=lambda w: shallow(w) and _model(w))
def part_of_model(w: Writer) -> "list[str]":
    names = w.scope.assignable("T")
    y = w.chance.pick(names) if names else target(w, "T")
    head = [] if names else ["%s = %s" % (y, w.expr("T"))]
    w.scope.add(y, "T")
    text = w.chance.pick(PARTS).replace("{y}", y).replace("{{", "{").replace("}}", "}")
    return head + w.fill(text, 1).split("\n")


def _members(inner: str) -> "list[str]":
    return [
        "def __init__(self, config=CONFIG, act=None):",
        "    super().__init__()",
        "    self.config = config",
        "    self.act = act or torch.relu",
        "    self.blocks = torch.nn.ModuleList([%s for _ in range(config.width)])" % inner,
        "    self.heads = torch.nn.ModuleDict({'a': Dense(), 'b': torch.nn.Tanh()})",
        "    self.gains = torch.nn.ParameterList([torch.tensor(0.5), torch.tensor(2.0)])",
        "    self.stack = torch.nn.Sequential(Dense(), torch.nn.Tanh(), Residual(torch.nn.ReLU()))",
        "    self.gate = Gate(torch.nn.Tanh())",
        "    self.shared = self.heads['a']",
        "    for i in range(2):",
        "        setattr(self, 'part%d' % i, torch.nn.ReLU())",
        "    self.drop = torch.nn.Dropout(0.0)",
        "    self.embed = torch.nn.Embedding(4, 1)",
        "    self.conv = torch.nn.Conv1d(1, 1, 1)",
        "    self.norm = torch.nn.LayerNorm(1)",
        "    self.attend = torch.nn.MultiheadAttention(1, 1, batch_first=True)",
        "    self.rnn = torch.nn.GRU(1, 1, batch_first=True)",
        "    self.scale = torch.nn.Parameter(torch.tensor(1.25))",
        "    self.register_buffer('seen', torch.tensor(0.0), persistent=False)",
        "    self.calls = 0",
        "    self.cache = {}",
        "    self.memory = None",
        "    self.history = []",
        "",
        "@property",
        "def factor(self):",
        "    return self.scale * self.config.scale",
        "",
        "@staticmethod",
        "def made(t):",
        "    return Box(t, 2)",
        "",
        "@torch.no_grad()",
        "def checked(self, t):",
        "    if not torch.isfinite(t).all():",
        "        raise ValueError('not finite')",
        "    return t",
        "",
        "def with_cache(self, t, past=None):",
        "    if past is not None:",
        "        t = t + past[0]",
        "    return t, (t.detach().sum(), len(self.history))",
        "",
        "def project(self, t, *names, extra=0):",
        "    for name in names:",
        "        t = self.heads[name](t)",
        "    return t * self.scale + extra",
        "",
    ]


def _see(scope: Scope) -> None:
    scope.add("self", MODEL, own=False)
    for text, kind in (("self.scale", "T"), ("self.seen", "T"), ("self.calls", "N"), ("self.config.width", "N")):
        scope.add(text, kind, own=False)
    for text in ("self.gate", "self.drop", "self.stack", "self.act", "self.project"):
        scope.add(text, "C", own=False)


HOOKS = (
    "{0}.register_forward_hook(lambda module, args, out: EVENTS.append('hook'))",
    "{0}.register_forward_hook(lambda module, args, out: out)",
    "{0}.blocks[0].register_forward_hook(lambda module, args, out: out * 2)",
    "{0}.blocks[0].register_forward_hook(lambda module, args, out: print('block', len(args)))",
    "{0}.register_forward_pre_hook(lambda module, args: None)",
    "{0}.gate.register_forward_pre_hook(lambda module, args: (args[0] + 1, *args[1:]))",
    "{0}.gate.register_forward_hook(lambda module, args, named, out: out + len(named), with_kwargs=True)",
    "{0}.stack.register_full_backward_hook(lambda module, grads, outs: EVENTS.append('back'))",
    "{0}.scale.register_hook(lambda grad: grad * 2)",
    "{0}.requires_grad_(False)",
    "{0}.eval()",
    "{0}.double().float()",
    "{0}.heads['c'] = Dense(bias=False)",
    "{0}.blocks.append(torch.nn.Tanh())",
    "torch.nn.utils.parametrizations.weight_norm({0}.heads['a'].inner)",
)
# What happens to a model from one call to the next.
BETWEEN = (
    "{0}.eval()",
    "{0}.train()",
    "{0}.calls = 5",
    "{0}.memory = None",
    "{0}.cache.clear()",
    "{0}.zero_grad()",
    "{0}.config = Config(width=1, mode=Mode.EVAL)",
    "{0}.scale.data.mul_(2)",
    "{0}.load_state_dict({0}.state_dict())",
    "{0}.act = torch.sin",
    "{0}.history = [1, 2, 3]",
)


def hierarchy(w: Writer, i: int) -> "tuple[str, str, Signature, list[str]]":
    """A model of blocks that are models too: its text, its name, how it is called, and what is done to it first."""
    lines: "list[str]" = []
    small = Signature([Parameter("x", "T"), Parameter("n", "N", "1")], [])
    size = w.chance.pick((2, 3, 5, 8))
    scope = Scope()
    small.bind(scope)
    _see(scope)
    block = "Block%d" % i
    lines += ["class %s(torch.nn.Module):" % block, "    SIZE = 2", ""]
    lines += indented(_members("torch.nn.Tanh()"))
    lines += [*indented(["def forward(self, x, n=1):", *body(w, scope, size // 2 + 1, "T")]), "", ""]
    sig = signature(w, 2)
    scope = Scope()
    sig.bind(scope)
    _see(scope)
    name = "Model%d" % i
    inner = "%s(config)" % block if w.chance.happens(70) else "torch.nn.Tanh()"
    parent = "torch.nn.Module"
    if w.chance.happens(25):
        # What is overridden is called by way of super().
        parent = block
        first = ["%s = super().forward(%s)" % (sig.plain[0].name, sig.plain[0].name)]
    else:
        first = []
    lines += ["class %s(%s):" % (name, parent), "    SIZE = 3", ""]
    lines += indented(_members(inner))
    lines += indented(["def forward(self, %s):" % sig.text(), *body(w, scope, size, "any", first)])
    made = "model_%d" % i
    main = ["%s = %s(%s)" % (made, name, w.chance.pick(("", "", "act=torch.tanh", "Config(1, 0.25, Mode.EVAL)")))]
    while w.chance.happens(35):
        main.append(w.chance.pick(HOOKS).format(made))
    return "\n".join([*lines, ""]), made, sig, main


def methods(w: Writer, i: int) -> "tuple[str, list[str], Signature]":
    """A class whose methods are compiled where they are defined: every object calls the one compiled function."""
    name = "Service%d" % i
    sig = Signature([Parameter("t", "T"), Parameter("n", "N", "1")], [])
    lines = ["def service_%d(compile):" % i, "    class %s(Box):" % name]
    for method, above in (("step", ""), ("run", w.chance.pick(("", "@timed('run')", "@torch.no_grad()", "@Checked")))):
        scope = Scope()
        sig.bind(scope)
        for text, kind in (("self.t", "T"), ("self.n", "N"), ("self.items", "L")):
            scope.add(text, kind, own=text == "self.n")
        if method == "run":
            scope.add("self.step", "C", own=False)
        made = body(w, scope, w.chance.pick((2, 4, 6)), "T" if method == "step" else "any")
        text = ["@compile", *([above] if above else []), "def %s(self, t, n=1):" % method, *made, ""]
        lines += indented(indented(text))
    return "\n".join([*lines, "    return %s" % name, ""]), ["%s = service_%d(compile)" % (name, i)], sig


def training_loop(w: Writer, i: int) -> "tuple[str, Signature]":
    """A step with what people put around one: clipping, accumulation, a scheduler, autocast, logging."""
    pick = w.chance.pick
    scope = Scope({"x": "T", "n": "N", "y": "T", "loss": "T"}, ["y"])
    scope.add("model", "C", own=False)
    before = w.scope
    w.scope = Scope({"model": "C"})
    w.place.nesting += 1
    between = body(w, scope, w.chance.between(1, 3), "", [pick(("print('loss')", "METER.update(loss=1)", "pass"))])
    w.place.nesting -= 1
    w.scope = before
    step = [
        "def train(x, n=1):",
        "    model.train()",
        "    opt.zero_grad(%s)" % pick(("", "set_to_none=True", "set_to_none=False")),
        "    with %s:" % pick(("torch.autocast('cpu', enabled=False)", "contextlib.nullcontext()", "Meter()")),
        "        y = model(x.float().reshape(-1, 1))",
        "        loss = torch.nn.functional.mse_loss(y, torch.ones_like(y))",
        *between,
        "    %s" % pick(("(loss / 2).backward()", "loss.backward()", "scaler.scale(loss).backward()")),
        "    %s"
        % pick(
            (
                "norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)",
                "norm = sum(p.grad.norm() for p in model.parameters() if p.grad is not None)",
                "norm = max(float(p.grad.abs().max()) for p in model.parameters())",
            )
        ),
        "    log.info('norm %.1f', float(norm) * 0)" if w.chance.happens(50) else "    pass",
        "    %s" % pick(("opt.step()", "opt.step(lambda: loss)")),
        "    %s" % pick(("scheduler.step()", "pass", "EVENTS.append(scheduler.get_last_lr())")),
        "    return loss.detach(), float(norm), scheduler.get_last_lr()",
    ]
    name = pick(("SGD", "SGD", "Adam", "AdamW", "RMSprop"))
    lines = [
        "def loop_%d():" % i,
        "    torch.manual_seed(0)",
        "    model = torch.nn.Sequential(torch.nn.Linear(1, 2), torch.nn.%s, torch.nn.Linear(2, 1))"
        % pick(("ReLU()", "Dropout(0.0)", "LayerNorm(2)", "GELU()")),
        "    opt = torch.optim.%s(model.parameters(), lr=0.1%s)" % (name, ", momentum=0.9" if name == "SGD" else ""),
        "    scheduler = torch.optim.lr_scheduler.StepLR(opt, 1, 0.5)",
        "    scaler = torch.amp.GradScaler('cpu', enabled=False)",
        "",
        *indented(step),
        "",
        "    return train",
        "",
    ]
    return "\n".join(lines), Signature([Parameter("x", "T"), Parameter("n", "N", "1")], [])


def generating_loop(w: Writer, i: int) -> "tuple[str, Signature]":
    """Tokens one after another, until one ends it; what is looked at between them is random."""
    scope = Scope({"x": "T", "n": "N", "step": "N", "token": "T"})
    with w.at(depth=2):
        made = body(w, scope, w.chance.between(1, 3), "", in_loop=True, loops=1)
    lines = [
        "def generate_%d(x, n=1, stop=%s):" % (i, w.chance.pick(("None", "(3, 5)", "7"))),
        "    tokens = x.long().abs().flatten()[:3] %% %d" % w.chance.pick((5, 7)),
        "    past = None",
        "    for step in range(%s):" % w.chance.pick(("2", "3", "min(n + 2, 4)")),
        "        scores = torch.nn.functional.one_hot(tokens[-1:] * 3 % 8, 8).float()",
        "        if past is not None:",
        "            scores = scores + past * 0.5",
        "        past = scores",
        "        token = scores.argmax(-1)",
        *indented(made),
        "        tokens = torch.cat([tokens, token])",
        "        if %s:"
        % w.chance.pick(
            (
                "token.item() == 6",
                "stop is not None and bool((tokens == 6).any())",
                "isinstance(stop, int) and int(token) == stop",
                "isinstance(stop, tuple) and token.item() in stop",
            )
        ),
        "            break",
        *(["    else:", "        print('no end')"] if w.chance.happens(40) else []),
        "    return tokens, past",
        "",
    ]
    return "\n".join(lines), Signature([Parameter("x", "T"), Parameter("n", "N", "1")], [])
