def make(types):
    def __annotate__(format, /):
        if format > 2:
            raise NotImplementedError
        found = {}
        for k in types:
            found[k] = types[k]
        return found

    return __annotate__


class C:
    def __annotate__(format, /):
        if format > 2:
            raise NotImplementedError
        new = {}
        new["x"] = int
        return new


async def simple(xs):
    a = [x async for x in xs]
    b = {x async for x in xs if x}
    c = {x: y async for x, y in xs if x if y}
    d = (x async for x in xs)
    return a, b, c, d


async def nested(xss):
    a = [x async for xs in xss async for x in xs]
    b = [[x async for x in xs] async for xs in xss]
    c = [x for xs in xss async for x in xs]
    d = [x async for xs in xss for x in xs if x]
    e = {x: {y async for y in x} async for x in xss}
    return a, b, c, d, e


async def awaiting(xs):
    a = [await x for x in xs]
    b = [await x async for x in xs if await x.ok()]
    c = {await x: await y for x, y in xs}
    d = (await x for x in xs)
    e = [x for x in await xs]
    f = [x async for x in await xs]
    g = await f(*[await x for x in xs], k=await a)
    h = [lambda: x async for x in xs]
    return a, b, c, d, e, f, g, h


async def generator(xs):
    yield [x async for x in xs]
    async for x in xs:
        yield x
    x = yield await xs
    yield (await x) + (yield)


def f():
    x = (y := 10)
    while chunk := read(x):
        print(chunk, y)
    return [z for w in chunk if (z := g(w)) > 0]


def function(xs, default=(s := 3)):
    while (line := xs.pop()) is not None and (word := line.strip()):
        print(word)
    if any((hit := x) for x in xs):
        return hit
    total = 0
    values = [total := total + x for x in xs]
    return [last := x for x in xs], last, values


def outer(xs):
    found = None

    def inner():
        nonlocal found
        return [found := x for x in xs]

    return inner() and found


def sel(context, result, key, value):
    for elem in result:
        if (v := elem.get(key)) is not None and v != value:
            yield elem


def f(a, *b):
    return f"{a}{b[0]}" + f"{a:{b}}"


def plain(a, b=1, *c, d, e=2, **f):
    return a


def positional_only(a, b=1, /, c=2):
    return a


def all_kinds(a, /, b, *, c, d=[], **e):
    return a


def keyword_only(*, a, b=None, c=f(1)):
    return a


def only_positional(a, b, /):
    return a


def defaults(a=(), b=(1, 2), c=[1], d={"k": 1}, e=lambda: 0, f=-1, g=x.y, h=...):
    return a


def outer(n):
    def inner(a=n, *, b=n):
        return a + b + n

    return inner, lambda x=n: x + n


def continues(xs):
    for x in xs:
        try:
            a(x)
        finally:
            continue


def continues_if(xs):
    for x in xs:
        try:
            a(x)
        finally:
            if x:
                continue
        b(x)
