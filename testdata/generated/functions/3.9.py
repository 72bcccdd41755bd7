def f(a, *b):
    return 1, *b


def g(a, *b):
    yield a, *b
    x = *a, *b
    return [*a, 1, *b], {*a, *b}, {**a, "k": 1, **b[0]}


def h(*a, **k):
    print(*a, sep="", **k)
    print(1, *a, 2, *a, end="")
    print(*a, *[x for x in a], k=1, **{"a": 1}, **k)
    f(*a)(*a)
    f(**k, x=1)
    f(x=1, **k)
    return f(*(yield_ for yield_ in a))


@buttons[0].clicked.connect
def f():
    pass


@(lambda f: f)
def g():
    pass


@(a or b)
class C:
    pass


@x if y else z
def h():
    pass


@a
@b.c
@d(1, e=2)
def f():
    pass


@a
class C:
    @property
    def x(self):
        return self._x

    @x.setter
    def x(self, value):
        self._x = value

    @staticmethod
    def s():
        pass

    @classmethod
    @cache(maxsize=None)
    def c(cls, k=1):
        return cls

    @a.b.c(1)(2)
    class Inner(B):
        pass


@register("name", *args, **kw)
@dataclass
class D(C, key=1):
    x: int = 0


def outer(d):
    @d
    @d.e
    def inner(a=1, *, b: int = 2):
        return d

    @d
    class K:
        pass

    return inner


@f
async def g():
    pass


@f
async def h():
    yield
