def make(t, u):
    class C:
        a: t
        b: u = 1

        def f(self, x: t) -> u:
            y: t = x
            return y

    class D(C):
        c: list[t]
        d: C

    return D


class D:
    attribute: int
    other: "D" = None
    dotted.name: int = 3
    item[0]: str = 4
    (wrapped): str = 5


def result_only() -> "later":
    pass


class C:
    def method(self: "C", *, k: int = 3) -> "C":
        return self

    @staticmethod
    def inner(v: x) -> y:
        def nested(w: v) -> v:
            return w

        return nested

    async def later(self, a: b) -> c:
        yield a


def f(a: int, b: 'x' = 3, *c: list[str]) -> None: pass


def f(a: int, *b: str, c: list[int] = [], **d: {"k": 1}) -> None:
    e: int = 4
    g: str


def outer(t):
    class D:
        a: t

    def inner(b: t) -> t:
        return b

    return D, inner


class A:
    q: int
    r: str = "a"
    s: list[q]
    def m(self) -> A: pass


def f(a, i, *b):
    global g
    g += 1
    a.x += i
    a[i] += i
    a[i:] += b
    a[:i] -= b
    a[i : i + 1] += b
    a[f(i)] += f(a)
    a += b
    return a


class C:
    x = 1
    x += 1


def f2(x, y):
    a, b = ([], [f(i) for i in x])
    return (a, b)


def f4(x, y):
    a, b, c = (x.a, x and y, 5)
    return (a, b)


def f7(s, i, j):
    for k in range(3):
        s[i, k], s[j, k] = (s[j, k], s[i, k])


def f9(x, i, j):
    i, j = (x[i], x[j] if x else 0)
    while i:
        i, j = (j, i or j)


def f12(x):
    try:
        _Q, _r = ([z(q) for q in Q], z(r))
    except E:
        pass
    else:
        Q, r = (_Q, _r)


def f15(x):
    a, b = (x if x else 0, x or 3)
    (a, b), c = (f(), x and 3)
    a, *b = (x, x or 3, *x)


def f17(s, i, j):
    s[-i], s[f'{i}'], s[not i], s[i < j] = (s[j], s[i] or 2, 2, j)


def f19(s):
    for a, b in s:
        c, d = (a, b if a else 3)


def f(a, b):
    del a
    del b.c, b[0], b[0:1], b[a.x :]
    global g
    del g


class C:
    x = 1
    del x


def i(lf, cr, crlf):
    self.x |= lf and a


def k(self, lf, cr, crlf):
    self.a.b |= (lf and self._LF) | 1


def m(d, lf, cr, crlf):
    d.x[lf(1)] += lf if cr else crlf


def f(a, b):
    c = d = a
    (c, d), e = a
    a.x, b[c] = d, e
    a, b = b, a
    a, b, c = b, c, a
    x = y = z = c
    x, *y = z
    return x, y, (*a, *b), [*c, 1]


async def f(xs):
    async for x in xs:
        if x:
            break
        print(x)
    else:
        other()
    async with x as y, z() as w:
        return await y
    return w


async def items(a, b):
    async with a as x, b as y, c:
        await x(y)
    async with a:
        pass
    async with a as (x, y), b as z.w, c as d[0]:
        return x


async def loops(xs):
    async for x in xs:
        if x:
            continue
        if await x:
            break
        print(x)
    else:
        print("end")
    async for x, (y, *z) in xs:
        async for w in x:
            print(w)
    async for x.y in xs:
        pass


async def awaits(a, b):
    await a
    c = await a + await b
    d = await a(await b)[await c]
    if await a and await b:
        return await c
    while await a:
        await b
    assert await a, await b
    f"{await a!r:{await b}}"
    await (yield_ if a else b)
    return -(await a) ** 2


async def value():
    raise E(await a) from await b


def f1(a, i):
    return '{a}'.format(**{'a': a, 'i': i})


def f3(a, i):
    return (f(**{}), f(a, **{}), f(**dict(a)))


def g(a, *args, k=1, **kw):
    h(*args)
    h(a, *args, k=k)
    h(a, *args, *a, k=k, **kw)
    h(**kw)
    h(a, **kw, **a)
    h(a, k=k, **kw)
    return h(*[a, *args], **{"a": a})


class G(A, B):
    """doc"""

    __module__ = "g"


class Empty:
    pass


class Nested:
    class Inner:
        class Deepest:
            v = 1

        w = Deepest.v

    u = Inner.w


def local():
    x = 1

    class C:
        x = x
        y = x

    class D:
        nonlocal x
        x = 2

    return C, D


class Slots:
    __slots__ = ("a", "b")

    def __init__(self, a, b):
        self.a, self.b = a, b


class Starred(*bases):
    pass


def k(s):
    if all(i for i in s) and any(x.a for x in s):
        return tuple(i for i in s if i)
    return list(i for i in s), set(x for x in s)


def g(s):
    return [lambda: i for i in s], [[j for j in i] for i in s]


def e(module):
    try:
        return list(module.__all__)
    except AttributeError:
        return [n for n in dir(module) if n[0] != "_"]


def g(a, x, y):
    return (
        {**{**a}, "c": y},
        {**{"d": x, **a}, "e": y},
        {**{"d": x}, **a},
        {**{**a, **x}},
        {"q": 1, **{**a, "c": x}},
        {"q": a, **{"z": a}},
        {**{}, "c": y},
        {**{**{**a}}},
    )


def f(a):
    return [
        a,
        a + 1,
        a + 2,
        a + 3,
        a + 4,
        a + 5,
        a + 6,
        a + 7,
        a + 8,
        a + 9,
        a + 10,
        a + 11,
        a + 12,
        a + 13,
        a + 14,
        a + 15,
        a + 16,
        a + 17,
        a + 18,
        a + 19,
        a + 20,
        a + 21,
        a + 22,
        a + 23,
        a + 24,
        a + 25,
        a + 26,
        a + 27,
        a + 28,
        a + 29,
        a + 30,
        a + 31,
        a + 32,
    ]


def g(x):
    print("a" if x else "b")


def f(n):
    if n < 2:
        return "low"
    elif 2 < n <= 3:
        return "mid"
    elif n == 4 != f:
        return "four"
    else:
        return "high"


class Sides:

    def __init__(self, low, high):
        self.low = low
        self.one_allowed = self.low <= 1 <= high


def f3(a, b, c):
    print(a < b < c < 5)


def f5(a, b, c):
    return not a < b < c


def f7(a, b, c):
    if a < b < c:
        return a
    x[a < b is c] = 2


def f9(a, b, c):
    with a:
        return f(a < b < c)


def f(a, b, c, d):
    if a >= E and (1 <= b <= 12) and (1 <= c <= 31) and (0 <= d <= 24):
        return g(a)
    else:
        return None


def g(a, b, c):
    if (a if b else c):
        return 1
    assert a if b else c, a if c else b
    return a if b else c


def i(a):
    return [x if x else -x for x in a if (x if a else not x)], {k: v if v else 0 for k, v in a}


def h(a, b, c):
    x = a if b < 2 < c else b if c else (c, a)
    return f(a if a < b < c else b, c), x


def f(s, v):
    if s and not h(v):
        return 0
    else:
        return g()


def mixtures(a, b, c):
    if not a and b:
        one()
    if not a or b:
        two()
    if not (a and b):
        three()
    if a is None or b is not None:
        four()
    if a and (b or c) and not (a or c):
        five()
    while (a or b) and c:
        six()
    return (a and b) or (c and not a)


def f(a):
    if __debug__ and a:
        return 1
    while 1:
        if a:
            break
        a = g(a)
    return a
    print("dead")


def h(a):
    raise E
    a()


def j(a):
    if not __debug__:
        a()
    assert 0
    assert False, "never"


def f(x, y, z, info):
    a = 5 if x and (y or z) else (lambda: 3)
    b = info.func(*info.args, **(info.kwargs or {}))
    x += quote(y or "/", z)
    a[x], a[y - x] = a[y], a[x]
    flds = [g for g in z if (g.a if g.b is None else g.c)]
    return a, (b if flds else None)


def h():
    x = 1_000_000
    y = 0b11, 0o17, 0xFF
    return x, y, __name__, __file__


def f(g, outputs):
    g.output(outputs[0] if len(outputs) == 1 else tuple(outputs))
    return g


def f3(a, b):
    c = X.get(a) if a else ''
    d = S.s(c='t', true=b, false='') if a else ''
    return P.s(set_op_name=f(a), add=g(a) + c)


def f5(_temp_1):
    _temp_2 = 3
    print(_temp_2 if a else _temp_1)
    return g(a, _temp_2 and 2)


def f7(a):
    d = {f'flop/s': 1, f'gflop/s': 1000000000.0}


def f1(self, d):
    return f'cached_{d}, {(d.index if d.index else 0)}'


def f3(self, d):
    g(d, x=d or 4)


def f5(self, d):
    raise E(f"{d} is {('not' if d else '')}")


def f7(self, d):
    with self:
        if d:
            return d
        return 3


def f9(self, d):
    with self:
        f(d, d if self else None)


def f11(self, d):
    for x in d:
        with x:
            if x:
                return
            return d


def f13(self, d):
    return {'a': 3, 'b': d if d else 0}


def f16(self, d):
    return f(d)(self if d else 3)[0]


def f19(self, d):
    return f(g(d) if d else g(self))


def f21(self, d):
    x.y = f(d, 3 if d else 4)


def f23(self, d):
    return f(a=1 if d else 2, b=3 if self else 4, c=5)


def f25(self, d):
    return f(*d, a=1, b=self and d or 3, **d or self)


async def f27(self, d):
    await f(a, b if d else 4)


def f29(self, d):
    self.x[self](d if d else 0).y += 4


def f31(self, d):
    return self < (d if d else 0) < 5


def f33(self, d):
    del self[d if d else 0]


def g(x):
    if x.a and (y or not z) or w:
        p()


def r(msg):
    raise ValueError("closed" if msg is None else msg)


def f15(self, d):
    return -(self if d else 3)


def redundant(xs):
    for x in xs:
        if x:
            f(x)
            continue
        else:
            g(x)
    for x in xs:
        if x == 1:
            f(x)
        elif x == 2:
            pass
        else:
            g(x)


def clauses(xs):
    for x in xs:
        try:
            y = x()
        except KeyError:
            pass
        else:
            f(y)
    for x in xs:
        try:
            y = x()
        except KeyError:
            continue
        f(y)


def with_else(a):
    if a:
        return 1
    else:
        return 2


def chain(a):
    if a == 1:
        return "one"
    elif a == 2:
        return "two"
    else:
        raise ValueError(a)


def mixed(a):
    if a == 1:
        return "one"
    elif a == 2:
        a = f(a)
    print(a)
    if not a:
        raise ValueError(a)
    else:
        a = g(a)
        print(a)
    return a


def f1(self):
    if self.a.b and 0 < self.m < float('inf'):
        raise E(1)


def f3(a, d):
    try:
        s = d / a
    except Z:
        s = 0.0
    try:
        t = a / d
    except Z:
        t = 0.0
    msg = f(a, d)
    try:
        if not (g(d) and g(a)):
            if h(d) or h(a):
                if not (h(d) and h(a)):
                    raise E(msg)
            elif not d == a:
                raise E(msg)
            return
    except (T, N):
        pass
    if abs(s - t) >= 5:
        raise E(msg)


def f5(l, a, b):

    def g(x):
        return a
    return [g(x) for x in l if (lambda z=x: z + b)()]


class A:
    z = [lambda: y for y in x]


class Sides:
    def __init__(self, low, high):
        self.low = low
        self.one_allowed = self.low <= 1 <= high


def f3(a):
    if a:
        try:
            a()
        except E:
            b()
            c()
    del a


def f6(a):
    for x in a:
        try:
            a()
        except E:
            if x:
                continue
            break
        else:
            break
    a.b = 1


class A:
    try:
        import inspect
    except:
        inspect = 3
    del inspect


def nested(a, b):
    if a:
        if b:
            f()
            g()


def aligned(a, b):
    if (a and
        b):
        f()
        g()


def f(a, b):
    import c, d.e as g
    import h
    del a, b.c, b[0]
    del c
    return d, g, h


def bare(a):
    f(a)
    return


def mixed(a):
    if a:
        return
    return f(a)


def nothing(a):
    pass


def forever(a):
    while True:
        b = a()
        if not b:
            return 1
        if b == 2:
            b = a(b)
            if b:
                return b


def behind(a):
    try:
        b = f(a)
    except KeyError:
        return None
    print(b)
    return b


def one():
    """One line."""


def not_doc():
    x = 1
    return "text"


class C:
    """Class."""

    x = 1

    def m(self):
        "method"
        pass

    async def a(self):
        """Coroutine."""
        await x


def empty():
    """"""


def loop(xs):
    for x in xs:
        try:
            yield x
        except GeneratorExit:
            return
        finally:
            yield None


def managed(m):
    with m as x:
        got = yield x
        yield got


def closures(n, xs):
    return (x + n for x in xs), [lambda: x + n for x in xs]


def u(v):
    w = lambda x=v: x + v
    return lambda: w(v), lambda *, z=v: z


def deep(a):
    b = a

    def first():
        c = b

        def second():
            nonlocal b, c
            global d
            b = c = d = a

            def third():
                nonlocal c
                c += a
                return b, c, d

            return third

        return second

    return first


def loops(xs):
    fs = []
    for x in xs:

        def f():
            return x

        fs.append(f)
    return fs


def arguments(a, *b, c, **d):
    return lambda: (a, b, c, d)


def with_cell(m):
    with m as (a, b):
        return [lambda: a, lambda: b]


def f():
    import a.b
    import a.b.c as d
    from j import k, l as m
    from . import q
    return a, d, k, m, q


def g():
    global h, i
    import h
    from j import i


def all_ways(xs):
    for x in xs:
        while x:
            try:
                if a(x):
                    break
                elif b(x):
                    continue
                elif c(x):
                    return x
            except E:
                raise
            x = d(x)
        else:
            return None


def forever(size, read, find):
    while size > 0:
        while True:
            start, stop = read()
            if start <= size < stop:
                break
            find(start)
        length = min(size, stop)
        size -= length
    return size


def empty(bases, read):
    for base in bases:
        if read(base) is not None:
            print("found")
            break
    return []


def returned(xs):
    for x in xs:
        if x.a:
            return x, 1
        if x.b:
            return 1
        if x.c:
            break
    else:
        print(2)
    return (
        1
    )


def g(xss):
    while True:
        for xs in xss:
            if xs:
                return xs
        xss = h(xss)


def endless():
    while True:
        pass


def breaks(items, out):
    while True:
        prefix = None
        for item in items:
            if not item:
                break
            if prefix is None:
                prefix = item[0]
            elif item[0] != prefix:
                break
        else:
            for item in items:
                del item[0]
            out(prefix)
            continue
        break
    out(items)


def in_try(q, put, run):
    for taskseq in q:
        task = None
        try:
            for task in taskseq:
                if run:
                    debug(1)
                    break
                put(task)
            else:
                if task:
                    debug(2)
                continue
            break
        finally:
            task = None
    else:
        debug(3)
    debug(4)


def g(xs):
    for x in xs:
        if x > 3:
            break
        print(x)
    return x


def f(xs):
    for x in xs:
        try:
            a(x)
        except E:
            return
        finally:
            b()
    c()


def f(n):
    while n < 5:
        n += 1
        if n > 3:
            continue
        else:
            break
    return n


def until(x):
    while x is None:
        x = f()
    return x


def f(xs):
    for x in xs:
        if x == 3:
            break
        print(x)
    print("end")


def h(d):
    return 1 if 1 else __file__


def g(x):
    try:
        h = x.h
    except AttributeError:
        pass
    else:
        return h()
    return x.i


def m(x):
    try:
        y = a(x)
    except ValueError as e:
        log(e)
        return None
    try:
        y = b(y)
    except KeyError:
        if y:
            return 1
        return None
    return y


def inside_with(self):
    with W:
        if p:
            q()
        try:
            test()
        finally:
            if s:
                s()
        x()
    y()


def f(mapping, values):
    for obj in values:
        mapping = False
        try:
            obj.items
        except AttributeError:
            pass
        else:
            mapping = True
            print(obj)
        if not mapping:
            print(obj)


def end(self, tag, data):
    try:
        f = self.dispatch[tag]
    except KeyError:
        if ":" not in tag:
            return
        try:
            f = self.dispatch[data]
        except KeyError:
            return
    return f(self, data)


def g():
    try:
        pass
    except ValueError:
        pass
    try:
        a()
    finally:
        pass


def raising(x):
    try:
        raise A
    except A as e:
        raise B("text") from e
    except C:
        raise D from None
    except x.y[0]:
        raise


def returns(x):
    try:
        return a()
    except A:
        return b()
    finally:
        c()


def context():
    with a:
        try:
            b()
        except B:
            return 1
        with c as d, e as (f, g):
            return d


def g(x):
    try:
        return h(x)
    finally:
        try:
            close(x)
        except OSError:
            pass


def g(self, b):
    try:
        if b:
            b.close()
    finally:
        f = self.f
        self.f = None
        try:
            if f:
                f.close()
        finally:
            n = self.n
            if n and not self.keep:
                try:
                    unlink(n)
                except OSError:
                    pass
            self.n = None


def f(x):
    try:
        try:
            return a(x)
        finally:
            del x
    finally:
        y = 1
        del y


def f():
    try:
        return a()
    finally:
        try:
            b()
        finally:
            c()


def h():
    try:
        a()
    finally:
        try:
            b()
        finally:
            c()


def r(p):
    try:
        with T(p) as t, A(p):
            return run(t).copy()
    finally:
        try:
            p.remove(1)
        except ValueError:
            pass


def returns_over(x):
    try:
        return a()
    except A:
        return b()
    finally:
        if x:
            return 2


def breaks_if(xs):
    while xs:
        try:
            a(xs)
        finally:
            if xs.done:
                break
        b(xs)


def serve(self):
    self.start()
    try:
        self.wait()
    except E:
        try:
            self.close()
            self.wait_closed()
        finally:
            raise
    finally:
        self.waiter = None


def in_try(name, q):
    try:
        f = open(name)
        try:
            if f.read(1) in q:
                return "dbm.dumb"
        finally:
            f.close()
    except OSError:
        print(name)
    foo()
    return 5


def at_end(f, q):
    try:
        if f.read(1) in q:
            return
        a()
    finally:
        f.close()


def last(f):
    try:
        f()
        return True
    finally:
        f.close()


def f(self):
    while True:
        try:
            data = self.recv()
            if not data:
                break
            self.take(data)
        except InterruptedError:
            continue
        except BlockingIOError:
            break


def h(path):
    names = []
    while True:
        try:
            st = stat(path)
        except (OSError, ValueError):
            head, tail = split(path)
            if head == path:
                raise E(path)
            path = head
            names.append(tail)
        else:
            if not st:
                raise E(path)
            break
    return path, names


def f(self):
    self.lock()
    try:
        now = time()
        for c in self:
            if c.old(now):
                self.drop(c)
    finally:
        self.unlock()


def nested():
    try:
        try:
            a()
        except A:
            try:
                b()
            except B:
                c()
            else:
                d()
        finally:
            e()
    except C as err:
        print(err)
    return 1


def decorator(fn):
    def wrapper(*args):
        try:
            try:
                r = fn(*args)
                return r
            except A:
                return None
            finally:
                done()
        except B:
            return 1
        finally:
            close()

    return wrapper


def f(a):
    try:
        try:
            x = a()
            return x
        finally:
            del a
    finally:
        b()


def g1(tokenizer):
    if tokenizer.check('VARIABLE'):
        return p(tokenizer.read())
    elif tokenizer.check('S'):
        return q(tokenizer.read())
    else:
        tokenizer.error('x')


def g3(self, value):
    rs = []
    try:
        for r in value:
            rs.append(R(r))
    except E as exc:
        raise self.x(f'{value}') from exc
    else:
        return rs


def f(s, v):
    try:
        return s.format(**v)
    except KeyError as var:
        try:
            return s.format(**os.environ)
        except KeyError:
            raise AttributeError(f"{var}") from None


def k(p):
    with p as q:
        try:
            return q.wait()
        except:
            q.kill()
            raise


def retry(fn):
    def inner(*args):
        try:
            try:
                return fn(*args)
            except ValueError:
                log()
                return None
        finally:
            done()

    return inner


def forever(a):
    if a:
        while True:
            if b():
                return 1
    else:
        while True:
            c()


def g(x):
    try:
        try:
            a(x)
        except:
            b(x)
            raise
    except ValueError as a1:
        c(a1)
        return 1
    except (TypeError, KeyError) as a2:
        try:
            d(a2)
        except:
            return 2
        return 3
    return 4


def more(lock, q):
    while True:
        with lock:
            if not q:
                break
            a()
        foo()
    bar()


def two(lock, q):
    while q:
        with lock:
            with q:
                if not q:
                    break
            a()
        foo()
    return 3


def leaving(xs):
    with a as b:
        return b
    for x in xs:
        with a:
            if x:
                continue
            if b:
                break
            c()
        d()
    while xs:
        with a as b, c as d:
            if b:
                return d
            xs.pop()


def f(xs):
    for x in xs:
        with x as y:
            if y:
                continue
            if y is None:
                break
            return y
    with a(), b() as c:
        c()
    with suppress(KeyError):
        return xs[0]
    xs.append(1)
    return xs


def copied(src, dst, fsrc):
    try:
        with open(dst) as fdst:
            if A:
                try:
                    copy(fsrc, fdst)
                    return dst
                except G:
                    pass
            elif B:
                copy2()
                return dst
            copyfileobj(fsrc, fdst)
    except I as e:
        raise F from e
    return dst


def g(xs):
    with suppress(KeyError):
        return xs[0]
    xs.append(1)
    return xs
