"""What every program begins with: things to call, to enter, to iterate over and to change."""

PRELUDE = '''import collections, contextlib, copy, dataclasses, enum, functools, gc, itertools, json, logging, math
import operator, os, pickle, random, re, sys, threading, time, typing, warnings, weakref
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


def numbers(*shape, dtype=torch.float32, grad=False, sign=1):
    count = math.prod(shape)
    t = (torch.arange(count, dtype=torch.float32) * 0.75 - 1) * sign
    return t.reshape(shape).to(dtype).requires_grad_(grad)
'''
