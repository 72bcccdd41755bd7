"""Module docstring."""
import os
import os.path as osp
from sys import argv, path as p
from math import *

X = 1
Y, *Z = 1.0, True, -0.0


def doc(a, b=2, *args, c, d=(1, 1.0, True), **kw):
    "docstring"
    return a + b * c - d[0] // a ** b, args, kw


def names(a):
    global G
    G = a
    del a
    return G


def loops(n, it):
    r = []
    for i in it:
        if i == n:
            continue
        elif i > 10 and n or i is not None:
            break
        r.append(i)
    else:
        r = None
    while n:
        n -= 1
        if n in (1, 2, 3):
            break
        if n not in it:
            r += [n]
    while True:
        n = n + 1
        if n > 5:
            return r
    return n


def logic(a, b, c):
    x = a and b or c
    y = not a
    z = a if b else c
    w = a < b <= c
    v = a is b, a is not b, a in b, a not in b
    if not (a or b) and c:
        return x
    assert a, b
    return y, z, w, v, -a, ~a, +a


def ops(a, b):
    a += b
    a -= b
    a @= b
    a.x = b
    a[b] = 1
    a[1:b] = a[::2]
    a.x += 1
    a[b] *= 2
    del a.x, a[b]
    (a, b), *c = b, a
    a, b = b, a
    a, b, c = c, b, a
    x = a[1], a[b:], a[-1], a % b, a | b, a & b, a ^ b, a << b, a >> b, a / b
    return [a, *b], {a, b}, {a: b, **c}, (a, *b, c), {"k": a, "l": b}, x


def tries(a):
    try:
        a.b()
    except ValueError as e:
        return e
    except (KeyError, TypeError):
        a = 1
    else:
        a = 2
    finally:
        a.c()
    try:
        return a
    finally:
        a.d()


def tries2(a):
    for x in a:
        try:
            x()
            if x.y:
                continue
            if x.z:
                break
        except:
            raise
        finally:
            x.close()
    try:
        a()
    except OSError:
        raise KeyError from a
    raise a


def withs(a, b):
    with a as x, b:
        x()
        if x:
            return x
    with a:
        pass
    return b


def calls(f, a, b, k):
    f()
    f(a, b)
    f(a, k=b, l=a)
    f(*a, **k)
    f(a, *b, k=1)
    a.m(b)
    a.m(b, k=1)
    a.m(*b)
    return f(f(a), f(b=b))


def fmt(a, b):
    return f"{a}{b!r:>{a}}x{a!s}" + f"{a:x}" + "%s" % a + f"{a}"


def gen(a):
    x = yield a
    yield from x
    try:
        yield
    finally:
        a.close()
    return x


def clos(a):
    b = 1

    def inner(c, d=b):
        nonlocal b
        b = a + c
        return lambda q: (q, a, b)
    return inner, [x + a for x in b if x], {x: y for x, y in b}, {x for x in b}, (x for x in a for y in x)


@clos
@gen(1)
class C(object, metaclass=type):
    "class doc"
    z = X
    y: int = 1

    def __init__(self, v: int, *, w: str = "") -> None:
        super().__init__()
        self.v = v
        self.w = __class__

    @property
    def prop(self):
        return self.__private

    async def co(self, a):
        async with a as b, self:
            await b
        async for x in a:
            yield x
            if x:
                break
        else:
            await a
        r = [y async for y in a if await y]
        return


async def co2(a):
    x = await a
    return {i: await i for i in a}, x


def consts():
    return (1, 1.0, True, None, ..., -1, 2 ** 70, 1j, "s", b"b", -0.0, 1e309, frozenset, (1, (2, "x")), ())


def dele(a, b):
    if a:
        del b
    return b


def unbound(a):
    if a:
        x = 1
    return x


if __name__ == "__main__":
    import a.b.c as q
    from . import z
    from ..k import (w, v)
    print(doc(1, 2, c=3))
