"""What every program begins with: things to call, to enter, to iterate over and to change."""

PRELUDE = '''import bisect, collections, contextlib, contextvars, copy, dataclasses, enum, functools, gc, heapq
import itertools, json, logging, math, operator, os, pickle, random, re, string, sys, threading, time
import traceback, types, typing, warnings, weakref
import numpy as np
import torch
import torch.utils.checkpoint

log = logging.getLogger("fuzz")
COUNT = 1
STATE = torch.tensor(0.5)
FLAG = True
NAME = "name"
WEIGHT = torch.tensor(2.0)
NUMBERS = [1, 2, 3]
TABLE = {"a": 1, "b": 2}
TENSORS = {"w": torch.tensor(3.0)}
EVENTS = []
TICKS = itertools.count()
LOCK = threading.RLock()
Point = collections.namedtuple("Point", "x n")
CONTEXT = contextvars.ContextVar("context", default=1)


class Oops(Exception):
    pass


class Box:
    def __init__(self, t, n=1):
        self.t = t
        self.n = n
        self.items = [n, 2]

    def step(self, t, n=1):
        return t * self.t + n

    def total(self, n):
        return self.n + n

    @property
    def doubled(self):
        return self.t * 2

    @property
    def half(self):
        return self.n / 2

    @half.setter
    def half(self, value):
        self.n = value * 2

    @classmethod
    def build(cls, t):
        return cls(t, 2)

    @staticmethod
    def unit(n):
        return n % 3 + 1

    def with_n(self, n):
        self.n = n
        return self

    def shout(self, n):
        print("shout", self.n, n)

    def __call__(self, t):
        return self.t + t

    def __getitem__(self, i):
        return self.t * i

    def __setitem__(self, i, value):
        self.items.append(i)
        self.t = value

    def __len__(self):
        return len(self.items)


class Chest(Box):
    def step(self, t, n=1):
        return super().step(t, n) - 1


@dataclasses.dataclass
class Pair(Box):
    t: torch.Tensor
    n: int = 1

    def __post_init__(self):
        self.items = [self.n]


SHARED = Box(torch.tensor(1.5), 2)


class Color(enum.Enum):
    RED = 1
    BLUE = 2


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, t):
        return t * 2

    @staticmethod
    def backward(ctx, grad):
        return grad * 2


class Lazy:
    def __init__(self, t):
        self.t = t

    @functools.cached_property
    def value(self):
        return self.t + 1


class OnlySlots:
    __slots__ = ("t",)

    def __init__(self, t):
        self.t = t


class Strange:
    def __init__(self, t):
        self.t = t

    def __getattr__(self, name):
        raise AttributeError(name)

    def __add__(self, other):
        print("add", other)
        return self.t + other


class Manager:
    def __init__(self, value, swallow=False):
        self.value = value
        self.swallow = swallow

    def __enter__(self):
        print("enter", self.value)
        return 2

    def __exit__(self, kind, value, trace):
        print("exit", self.value, kind and kind.__name__)
        return self.swallow


class Quiet:
    def __init__(self, value):
        self.value = value

    def __enter__(self):
        EVENTS.append(self.value)
        return 3

    def __exit__(self, *details):
        EVENTS.append(details[0] is None)

    def close(self):
        EVENTS.append("closed")

    def apply(self, t):
        return untraced(t) * self.value


@contextlib.contextmanager
def managed(n):
    EVENTS.append(n)
    try:
        yield 1
    finally:
        print("left", n)


class AsyncManager:
    def __init__(self, n):
        self.n = n

    async def __aenter__(self):
        await Pause(self.n)
        return self.n

    async def __aexit__(self, *details):
        print("async exit", self.n)


class Pause:
    def __init__(self, n):
        self.n = n

    def __await__(self):
        got = yield self.n
        return got or 0


async def later(value):
    await Pause(1)
    return value


async def ticks(n):
    for i in range(n):
        await Pause(i)
        yield i


def drive(coroutine):
    """Run a coroutine to its end."""
    while True:
        try:
            coroutine.send(None)
        except StopIteration as e:
            return e.value


@torch._dynamo.disable
def untraced(value=0, *rest, **options):
    return value


def opaque():
    pass


opaque.twist = torch._dynamo.disable(lambda t: t + 1)


@functools.lru_cache(maxsize=None)
def cached(n):
    return n + 1


def frozen(t):
    with torch.no_grad():
        return t * 3


@torch.compile(backend="eager")
def compiled_inside(t):
    return t.cos()


def threaded(t):
    out = []
    worker = threading.Thread(target=lambda: out.append(t + 1))
    worker.start()
    worker.join()
    return out[0]


def noisy(t):
    y = t + 1
    print("noisy", tuple(t.shape))
    return y * 2


def tell(t):
    log.info("told %s", tuple(t.shape))
    return t


def breaks(n):
    torch._dynamo.graph_break()
    return n


def scaled(t, n=2, shift=0.0):
    return t * n + shift


def twice(t):
    return t * 2


def gather(first, *rest, **named):
    for t in rest:
        first = first + t
    return first * len(named)


def keywords(**named):
    return named


def counted(n):
    global COUNT
    COUNT += 1
    return n


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def fail(n):
    if n:
        raise Oops("failed", n)
    raise ValueError("zero")


def steps(n):
    for i in range(n % 4):
        yield i + 1


def tensors(t, n):
    while n > 0:
        n -= 1
        yield t + n


def adder(w):
    def add(t):
        return t + w

    return add


def composed(f, g):
    return lambda t: f(g(t))


def logged(f):
    @functools.wraps(f)
    def wrapper(*args, **named):
        EVENTS.append(f.__name__)
        return f(*args, **named)

    return wrapper


class Mode(enum.Enum):
    TRAIN = "train"
    EVAL = "eval"

    @property
    def factor(self):
        return 2 if self is Mode.TRAIN else 1


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


class Option(enum.Flag):
    FAST = enum.auto()
    SAFE = enum.auto()


@dataclasses.dataclass(frozen=True)
class Config:
    width: int = 2
    scale: float = 0.5
    mode: Mode = Mode.TRAIN
    names: tuple = ("a", "b")
    extra: dict = dataclasses.field(default_factory=dict)

    @property
    def half(self):
        return self.width // 2

    def get(self, name, default=None):
        return getattr(self, name, default)


CONFIG = Config()


@dataclasses.dataclass
class Output:
    hidden: torch.Tensor
    states: typing.Optional[tuple] = None
    extra: dict = dataclasses.field(default_factory=dict)

    def to_tuple(self):
        return tuple(v for v in (self.hidden, self.states) if v is not None)

    def __getitem__(self, i):
        return self.to_tuple()[i]


class Kept(typing.NamedTuple):
    hidden: torch.Tensor
    n: int = 1

    def scaled(self):
        return self.hidden * self.n


class Meter:
    total = 0
    registry = {}

    def __init_subclass__(cls, **options):
        super().__init_subclass__()
        Meter.registry[cls.__name__] = options

    def __init__(self):
        self.values = collections.defaultdict(list)

    @classmethod
    def tick(cls, n=1):
        cls.total += n
        return cls.total

    def update(self, **named):
        for k, v in named.items():
            self.values[k].append(v)
        return self

    def mean(self, name):
        found = self.values[name]
        return sum(found) / len(found) if found else 0.0

    def __enter__(self):
        return self

    def __exit__(self, *details):
        type(self).total -= 1


METER = Meter()


class Positive:
    """A descriptor."""

    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, obj, owner=None):
        return self if obj is None else getattr(obj, self.name, 1)

    def __set__(self, obj, value):
        if value < 0:
            raise ValueError("negative " + self.name)
        setattr(obj, self.name, value)


class Vector:
    size = Positive()

    def __init__(self, *parts):
        self.parts = list(parts)

    def __add__(self, other):
        return Vector(*(p + (other.parts[0] if isinstance(other, Vector) else other) for p in self.parts))

    __radd__ = __add__

    def __mul__(self, n):
        return type(self)(*[p * n for p in self.parts])

    def __matmul__(self, other):
        return sum(a * b for a, b in zip(self, other))

    def __iter__(self):
        return iter(self.parts)

    def __len__(self):
        return len(self.parts)

    def __contains__(self, n):
        return n < len(self.parts)

    def __getitem__(self, i):
        return self.parts[i]

    def __bool__(self):
        return len(self.parts) > 0

    def __eq__(self, other):
        return isinstance(other, Vector) and len(self) == len(other)

    def __hash__(self):
        return 1

    def __lt__(self, other):
        return len(self) < len(other)

    def __repr__(self):
        return f"{type(self).__name__}({len(self.parts)})"


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, t, n=1):
        ctx.save_for_backward(t)
        ctx.n = n
        return t * t * n

    @staticmethod
    def backward(ctx, grad):
        (t,) = ctx.saved_tensors
        return grad * 2 * t * ctx.n, None


class Loud(torch.autograd.Function):
    """It prints, which breaks a graph inside of it."""

    @staticmethod
    def forward(ctx, t):
        print("loud forward")
        return t + 1

    @staticmethod
    def backward(ctx, grad):
        return grad


class Dense(torch.nn.Module):
    """A linear layer for any shape."""

    def __init__(self, bias=True):
        super().__init__()
        self.inner = torch.nn.Linear(1, 1, bias=bias)

    def forward(self, t):
        return self.inner(t.float().unsqueeze(-1)).squeeze(-1)


class Gate(torch.nn.Module):
    def __init__(self, inner, act=torch.sigmoid):
        super().__init__()
        self.inner, self.act = inner, act

    def forward(self, t, *args, scale=1.0, **named):
        return self.act(self.inner(t, *args, **named)) * scale


class Residual(torch.nn.Sequential):
    def forward(self, t):
        return t + super().forward(t)


class Setting(contextlib.ContextDecorator):
    """It changes a global variable for a while; a decorator, too."""

    def __init__(self, n):
        self.n = n

    def __enter__(self):
        global COUNT
        self.before, COUNT = COUNT, self.n
        return self

    def __exit__(self, *details):
        global COUNT
        COUNT = self.before
        return False


@contextlib.contextmanager
def pushed(n):
    NUMBERS.append(n)
    try:
        yield NUMBERS
    finally:
        NUMBERS.pop()


@contextlib.contextmanager
def guarded(*kinds):
    try:
        yield
    except kinds as e:
        print("guarded", type(e).__name__)


@contextlib.contextmanager
def double_precision():
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    try:
        yield
    finally:
        torch.set_default_dtype(before)


def timed(label="timed", *, loud=True):
    def decorate(f):
        @functools.wraps(f)
        def wrapper(*args, **named):
            start = time.perf_counter()
            try:
                return f(*args, **named)
            finally:
                if loud:
                    print(label, f.__name__, time.perf_counter() >= start)

        return wrapper

    return decorate


def retry(times=2, on=(ValueError, Oops)):
    def decorate(f):
        @functools.wraps(f)
        def wrapper(*args, **named):
            for attempt in range(times):
                try:
                    return f(*args, **named)
                except on as e:
                    if attempt == times - 1:
                        raise
                    log.warning("attempt %d: %s", attempt, e)

        return wrapper

    return decorate


def counting(f):
    calls = 0

    def wrapper(*args, **named):
        nonlocal calls
        calls += 1
        wrapper.calls = calls
        return f(*args, **named)

    return wrapper


def remembered(f):
    found = {}

    @functools.wraps(f)
    def wrapper(t, *args):
        key = tuple(t.shape), args
        if key not in found:
            found[key] = f(t, *args)
        return found[key]

    return wrapper


class Checked:
    """A decorator that is a class."""

    def __init__(self, f):
        functools.update_wrapper(self, f)
        self.f = f

    def __call__(self, *args, **named):
        EVENTS.append(len(args))
        return self.f(*args, **named)

    def __get__(self, obj, owner=None):
        return self if obj is None else types.MethodType(self, obj)


@functools.singledispatch
def describe(value):
    return 0


@describe.register
def _(value: int):
    return value + 1


@describe.register(torch.Tensor)
def _(value):
    return value.dim()


def default_of(t, scale=None, *, shift=None):
    if scale is None:
        scale = 2
    shift = shift or 0
    return t * scale + shift


def forwarded(f, *args, **named):
    named.setdefault("n", 2)
    return f(*args, **named)


def apply_all(fns, t):
    for f in fns:
        t = f(t)
    return t


def pairs(t, n=2):
    """A generator with a clean-up and a result."""
    try:
        for i in range(n):
            got = yield i, t * i
            if got:
                return got
    finally:
        EVENTS.append("closed")
    return n


def relayed(t):
    got = yield from pairs(t)
    yield got, t


def running():
    total = 0
    while True:
        n = yield total
        if n is None:
            return total
        total += n


def layered(t, depth=2):
    return t if depth == 0 else layered(torch.sin(t), depth - 1)


@torch.no_grad()
def updated(t, by):
    t = t.detach().float().clone()
    t.mul_(0.5).add_(by)
    return t


def compiling():
    return torch.compiler.is_compiling()


def numbers(*shape, dtype=torch.float32, grad=False, sign=1):
    count = math.prod(shape)
    t = (torch.arange(count, dtype=torch.float32) * 0.75 - 1) * sign
    return t.reshape(shape).to(dtype).requires_grad_(grad)
'''
