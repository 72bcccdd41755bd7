"""A whole program: helpers, what is compiled, and the calls of it, each with arguments of its own."""

from __future__ import annotations

from . import blocks, containers, everyday, functions, models, plain, statements, tensors  # noqa: F401  (they register rules)
from .functions import Signature, arguments, body, method, signature
from .grammar import Writer, indented
from .prelude import PRELUDE
from .scope import Scope

SHAPES = ((4,), (3,), (2, 3), (5,), (1,), (), (8,), (2, 2, 2), (4, 4))


def generate(seed: int) -> str:
    """The text of the program of a seed."""
    w = Writer(seed)
    parts = [PRELUDE]
    for i in range(w.chance.below(4)):
        parts.append(_helper(w, i))
    main: "list[str]" = []
    for i in range(w.chance.weighted((1, 2, 3), (6, 3, 1))):
        text, lines = w.chance.weighted(*TARGETS)(w, i)
        parts.append(text)
        main += lines
    parts.append("\n".join(["def main(compile, call):", *indented(main), ""]))
    return "\n\n".join(parts)


def _helper(w: Writer, i: int) -> str:
    name = "helper_%d" % i
    sig = signature(w, 2)
    scope = Scope()
    sig.bind(scope)
    lines = ["def %s(%s):" % (name, sig.text()), *body(w, scope, w.chance.between(1, 4), "T")]
    if w.chance.happens(12):
        lines = [w.chance.pick(("@torch._dynamo.disable", "@logged", "@torch.no_grad()")), *lines]
    w.functions.append((name, sig))
    return "\n".join([*lines, ""])


def _size(w: Writer) -> int:
    return w.chance.pick((3, 4, 6, 8, 12, 18))


def _function(w: Writer, i: int) -> "tuple[str, list[str]]":
    name = w.chance.pick(("f", "f", "compute", "forward_pass")) + "_%d" % i
    sig = signature(w)
    scope = Scope()
    sig.bind(scope)
    lines = ["def %s(%s):" % (name, sig.text()), *body(w, scope, _size(w), "any")]
    return _text(lines), _calls(w, name, i, sig)


def _closure(w: Writer, i: int) -> "tuple[str, list[str]]":
    """One function made twice, so that two have one name and one code object but other cells."""
    maker = "make_%d" % i
    sig = signature(w)
    outer = Scope()
    outer.add("w", "T")
    outer.add("m", "N")
    before = w.scope
    w.scope = outer
    w.place.nesting += 1
    scope = outer.inner()
    sig.bind(scope)
    inner = ["def inner(%s):" % sig.text(), *body(w, scope, _size(w), "any")]
    w.place.nesting -= 1
    w.scope = before
    lines = ["def %s(w, m=2):" % maker, *indented([*inner, "return inner"])]
    main = _calls(w, "%s(WEIGHT)" % maker, i, sig)
    if w.chance.happens(50):
        main += _calls(w, "%s(torch.tensor(0.25), 3)" % maker, i + 10, sig)
    return _text(lines), main


def _same_names(w: Writer, i: int) -> "tuple[str, list[str]]":
    """Two different functions of one name."""
    lines: "list[str]" = []
    main: "list[str]" = []
    for k in range(2):
        sig = signature(w, 1)
        scope = Scope()
        sig.bind(scope)
        inner = ["def run(%s):" % sig.text(), *body(w, scope, _size(w) // 2 + 1, "any")]
        lines += ["def pick_%d_%d():" % (i, k), *indented([*inner, "return run"]), "", ""]
        main += _calls(w, "pick_%d_%d()" % (i, k), 100 * i + k, sig)
    return _text(lines), main


def _module(w: Writer, i: int) -> "tuple[str, list[str]]":
    name = "Net%d" % i
    sig = signature(w, 2)
    scope = Scope()
    sig.bind(scope)
    for text, kind in (("self.scale", "T"), ("self.t", "T"), ("self.n", "N"), ("self.items", "L")):
        scope.add(text, kind, own=text in ("self.t", "self.n") and w.chance.happens(60))
    lines = [
        "class %s(torch.nn.Module):" % name,
        "    def __init__(self):",
        "        super().__init__()",
        "        self.scale = torch.nn.Parameter(torch.tensor(1.25))",
        '        self.register_buffer("t", torch.tensor(0.5))',
        "        self.n = 2",
        "        self.items = [1, 2]",
        "        self.act = torch.nn.ReLU()",
        "        self.layers = torch.nn.ModuleList([torch.nn.Tanh(), torch.nn.ReLU()])",
        "",
        "    def step(self, t, n=1):",
        "        for layer in self.layers:",
        "            t = layer(t) + n",
        "        return t * self.scale",
        "",
    ]
    scope.add("self.step", "C", own=False)
    scope.add("self.act", "C", own=False)
    lines += indented(["def forward(self, %s):" % sig.text(), *body(w, scope, _size(w), "any")])
    main = []
    made = "net_%d" % i
    main.append("%s = %s()%s" % (made, name, w.chance.pick(("", "", ".eval()"))))
    if w.chance.happens(15):
        main.append("%s.register_forward_hook(lambda module, args, out: EVENTS.append('hook'))" % made)
    what = w.chance.weighted((made, made + ".forward"), (4, 1))
    return _text(lines), main + _calls(w, what, i, sig)


def _nested(w: Writer, i: int) -> "tuple[str, list[str]]":
    """A module that calls another one, both with bodies of their own."""
    lines = []
    sig = Signature([functions.Parameter("x", "T"), functions.Parameter("n", "N", "1")], [])
    for name, inner in (("Leaf%d" % i, "torch.nn.ReLU"), ("Tree%d" % i, "Leaf%d" % i)):
        scope = Scope()
        sig.bind(scope)
        scope.add("self.t", "T")
        scope.add("self.n", "N")
        scope.add("self.child", "C", own=False)
        lines += [
            "class %s(torch.nn.Module):" % name,
            "    def __init__(self):",
            "        super().__init__()",
            "        self.child = %s()" % inner,
            '        self.register_buffer("t", torch.tensor(1.5))',
            "        self.n = 1",
            "",
            *indented(["def forward(self, x, n=1):", *body(w, scope, _size(w) // 2 + 1, "T")]),
            "",
            "",
        ]
    chain = w.chance.pick(("Tree%d()", "torch.nn.Sequential(Tree%d(), torch.nn.Tanh())"))
    if "Sequential" in chain:
        sig = Signature(sig.plain[:1], [])
    return _text(lines), _calls(w, chain % i, i, sig)


def _decorated(w: Writer, i: int) -> "tuple[str, list[str]]":
    """A function under a decorator, or a partial one, or a class's own."""
    name = "task_%d" % i
    sig = signature(w, 2)
    scope = Scope()
    sig.bind(scope)
    lines = ["def %s(%s):" % (name, sig.text()), *body(w, scope, _size(w), "any")]
    how = w.chance.below(6)
    if how < 4:
        lines = [("@logged", "@torch.no_grad()", "@managed(7)", "@functools.lru_cache(None)")[how], *lines]
        return _text(lines), _calls(w, name, i, sig)
    if how == 4:
        return _text(lines), _calls(w, "functools.partial(%s)" % name, i, sig)
    lines = ["class Holder%d:" % i, "    @staticmethod", *indented(lines)]
    return _text(lines), _calls(w, "Holder%d.%s" % (i, name), i, sig)


def _training(w: Writer, i: int) -> "tuple[str, list[str]]":
    """A training step that closes over a model and its optimizer."""
    scope = Scope()
    for name, kind in (("x", "T"), ("n", "N")):
        scope.add(name, kind)
    scope.add("model", "C", own=False)
    before = w.scope
    w.scope = Scope()
    w.scope.add("model", "C", own=False)
    w.place.nesting += 1
    first = [
        "opt.zero_grad()",
        "y = model(x.float().reshape(-1)[:1])",
        w.chance.pick(("print('loss')", "untraced()", "pass")),
    ]
    scope.add("y", "T")
    inner = body(w, scope, w.chance.between(1, 4), "", first)
    w.place.nesting -= 1
    w.scope = before
    inner += indented(["loss = (y.sum() - 1) ** 2", "loss.backward()", "opt.step()", "return loss.detach(), n"])
    lines = [
        "def trainer_%d():" % i,
        "    torch.manual_seed(0)",
        "    model = torch.nn.Sequential(torch.nn.Linear(1, 2), torch.nn.Tanh())",
    ]
    lines.append("    opt = torch.optim.%s(model.parameters(), lr=0.1)" % w.chance.pick(("SGD", "Adam", "AdamW")))
    lines += indented(["", "def train(x, n=1):", *inner, "", "return train"])
    sig = Signature([functions.Parameter("x", "T"), functions.Parameter("n", "N", "1")], [])
    return _text(lines), _calls(w, "trainer_%d()" % i, i, sig)


def _method(w: Writer, i: int) -> "tuple[str, list[str]]":
    name = "Part%d" % i
    lines = ["class %s(Box):" % name, *method(w, "step", Scope(), name)]
    sig = Signature([functions.Parameter("t", "T"), functions.Parameter("n", "N", "1")], [])
    main = ["part_%d = %s(torch.tensor(0.5), 3)" % (i, name)]
    return _text(lines), main + _calls(w, "part_%d.step" % i, i, sig)


def _hierarchy(w: Writer, i: int) -> "tuple[str, list[str]]":
    text, made, sig, main = models.hierarchy(w, i)
    what = w.chance.weighted((made, made + ".forward"), (8, 1))
    return text, main + _calls(w, what, i, sig, between=[line.format(made) for line in models.BETWEEN])


def _service(w: Writer, i: int) -> "tuple[str, list[str]]":
    """Methods that are compiled in their class, of two objects."""
    text, main, sig = models.methods(w, i)
    for k, made in enumerate(("Service%d(WEIGHT, 2)", "Service%d(torch.tensor(0.5), 3)")):
        main.append("it_%d_%d = %s" % (i, k, made % i))
        main += _called(w, "it_%d_%d.%s" % (i, k, w.chance.pick(("step", "run", "run"))), sig)
    return text, main


def _loop(w: Writer, i: int) -> "tuple[str, list[str]]":
    text, sig = models.training_loop(w, i)
    return text, _calls(w, "loop_%d()" % i, i, sig)


def _generate(w: Writer, i: int) -> "tuple[str, list[str]]":
    text, sig = models.generating_loop(w, i)
    return text, _calls(w, "generate_%d" % i, i, sig)


def _lambda(w: Writer, i: int) -> "tuple[str, list[str]]":
    scope = Scope()
    sig = signature(w, 2)
    sig.bind(scope)
    with w.function(scope, 0, simple=True):
        text = "g_%d = lambda %s: (%s, %s)" % (i, sig.text(), w.expr("T", 3), w.expr("N", 2))
    return text + "\n", _calls(w, "g_%d" % i, i, sig)


def _coroutine(w: Writer, i: int) -> "tuple[str, list[str]]":
    name = "job_%d" % i
    sig = signature(w, 2)
    scope = Scope()
    sig.bind(scope)
    lines = ["async def %s(%s):" % (name, sig.text()), *body(w, scope, _size(w), "any", asynchronous=True)]
    if w.chance.happens(50):
        return _text(lines), _calls(w, name, i, sig, "drive(%s)")
    # The driver is compiled too.
    driver = "run_%d" % i
    lines += ["", "", "def %s(*args, **named):" % driver, "    return drive(%s(*args, **named))" % name]
    return _text(lines), _calls(w, driver, i, sig)


def _generator(w: Writer, i: int) -> "tuple[str, list[str]]":
    name = "walk_%d" % i
    sig = signature(w, 2)
    scope = Scope()
    sig.bind(scope)
    lines = [
        "def %s(%s):" % (name, sig.text()),
        *body(w, scope, _size(w), "", generator=True),
        "    yield %s" % sig.plain[0].name,
    ]
    if w.chance.happens(40):
        return _text(lines), _calls(w, name, i, sig, "list(%s)")
    user = "use_%d" % i
    lines += ["", "", "def %s(*args, **named):" % user]
    lines += indented(["out = 0", "for part in %s(*args, **named):" % name, "    out = out + part", "return out"])
    return _text(lines), _calls(w, user, i, sig)


TARGETS = (
    (
        _function,
        _closure,
        _same_names,
        _module,
        _nested,
        _method,
        _decorated,
        _training,
        _lambda,
        _coroutine,
        _generator,
        _hierarchy,
        _service,
        _loop,
        _generate,
    ),
    (12, 4, 2, 3, 2, 2, 2, 1, 1, 2, 1, 6, 2, 2, 1),
)
# What happens to the program's own state from one call to the next, and under what a call is made.
BETWEEN = (
    "SHARED.n = 5",
    "SHARED.t = torch.tensor(2.5)",
    "NUMBERS.append(4)",
    "NUMBERS[:] = [2]",
    "TABLE['a'] = 7",
    "TABLE.pop('b', None)",
    "TENSORS['w'] = torch.ones(1)",
    "globals()['COUNT'] = 3",
    "globals()['FLAG'] = False",
    "globals()['NAME'] = 'other'",
    "globals()['CONFIG'] = Config(3, 0.25, Mode.EVAL, extra={'a': 2})",
    "METER.values.clear()",
    "Meter.total = 7",
    "CONTEXT.set(4)",
)
AROUND = (
    "torch.no_grad()",
    "torch.inference_mode()",
    "torch.autocast('cpu', dtype=torch.bfloat16)",
    "torch.enable_grad()",
    "Setting(6)",
    "managed(9)",
    "contextlib.suppress(Oops)",
)


def _text(lines: "list[str]") -> str:
    return "\n".join([*lines, ""])


def _calls(
    w: Writer, what: str, i: int, sig: Signature, around: str = "", between: "list[str] | None" = None
) -> "list[str]":
    """Compile something and call it with several sets of arguments."""
    name = "compiled_%d" % i
    options = w.chance.weighted(("", ", dynamic=True", ", dynamic=False"), (10, 1, 1))
    lines = ["%s = compile(%s%s)" % (name, what, options)]
    if around:
        lines.append("call_%d = lambda *args, **named: %s" % (i, around % ("%s(*args, **named)" % name)))
        name = "call_%d" % i
    return lines + _called(w, name, sig, between)


def _called(w: Writer, name: str, sig: Signature, between: "list[str] | None" = None) -> "list[str]":
    """Calls of something, and what happens from one to the next."""
    lines: "list[str]" = []
    shape = w.chance.pick(SHAPES)
    kind = "float32"
    for k in range(w.chance.weighted((1, 2, 3, 4, 6), (1, 4, 4, 2, 1))):
        if k and w.chance.happens(40):
            shape = w.chance.pick(SHAPES)
        if w.chance.happens(15):
            kind = w.chance.pick(("float32", "float64", "int64"))
        given = arguments(w, sig, lambda kind_of: _value(w, kind_of, shape, kind), odd=False)  # noqa: B023
        if k and w.chance.happens(4):
            lines.append("torch._dynamo.reset()")
        if k and w.chance.happens(12):
            lines.append(w.chance.pick(BETWEEN))
        if k and between and w.chance.happens(30):
            lines.append(w.chance.pick(between))
        made = "call(%s%s)" % (name, ", " + given if given else "")
        lines += ["with %s:" % w.chance.pick(AROUND), "    " + made] if w.chance.happens(6) else [made]
    return lines


def _value(w: Writer, kind: str, shape: "tuple[int, ...]", dtype: str) -> str:
    """An argument of a kind, as text."""
    pick = w.chance.pick
    if kind == "T":
        more = "" if dtype == "float32" else ", dtype=torch.%s" % dtype
        if not more and w.chance.happens(15):
            more = ", grad=True"
        if w.chance.happens(35):
            more += ", sign=-1"
        return "numbers(%s)" % (", ".join(map(str, shape)) + more if shape else more[2:])
    if kind == "LT":
        return pick(("[%s, %s]", "[%s]", "[]")).replace("%s", _value(w, "T", shape, dtype))
    if kind == "DT":
        return pick(("{'a': %s}", "{'a': %s, 'k': WEIGHT}", "{}")).replace("%s", _value(w, "T", shape, dtype))
    if kind == "O":
        return pick(("Box(%s, 1)", "Chest(%s, 2)", "Pair(%s, 3)", "SHARED")).replace("%s", _value(w, "T", shape, dtype))
    if kind == "N" and w.chance.happens(5):
        return pick(("True", "2.0", "torch.tensor(2)"))
    return pick(
        {
            "N": ("0", "1", "2", "3", "5", "-1"),
            "F": ("0.5", "-2.0", "3.25", "0.0", "1"),
            "B": ("True", "False"),
            "S": ("'ab'", "'k'", "''", "'long text'"),
            "L": ("[1, 2, 3]", "[]", "[4]", "[2, 0]"),
            "DN": ("{'a': 1}", "{}", "{'b': 2, 'a': 3}"),
            "C": (
                "torch.sin",
                "twice",
                "torch.cos",
                "noisy",
                "lambda t: t + 1",
                "adder(WEIGHT)",
                "torch.nn.Tanh()",
                "compile(twice)",
            ),
            "M": ("None", "1", "4"),
            "P": ("(WEIGHT, 1)",),
        }[kind]
    )
