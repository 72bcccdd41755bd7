async def inner(xss):
    a = [[y async for y in x] for x in xss]
    b = {x: [y async for y in x] for x in xss}
    c = [z for x in [[y async for y in x] for x in xss] for z in x]
    return a, b, c


def f(*args: *Ts, k: A[*Ts]) -> tuple[*Ts]:
    return args


def formats(a, b):
    x = f"%s.%s{{" % (a, b)
    y = "%s.%d" % (a, b)
    z = "%s.%s" % (a, b)
    w = "%s %s" % (a, *b)
    v = f"%5s %-3.2r%%" % (a, b)
    u = "%s %s" % (a,)
    return "%s %s" % a


def f(m):
    match m:
        case {"a": str(), "b": str()}:
            pass
        case {"c": str()}:
            pass
        case {
            "d": list(d)
        } if all(isinstance(c, str) for c in d):
            pass
        case {
            "e": list(e)
        } if all(isinstance(c, str) for c in e):
            pass
        case _:
            raise AssertionError(m)


def several():
    try:
        a()
    except* A:
        b()
    except* (B, C) as group:
        c(group.exceptions)
    except* x.D as d:
        pass
    else:
        e()
    finally:
        f()


def nested():
    try:
        try:
            a()
        except* A as e:
            raise B from e
    except* B:
        raise
    return 1


def in_loop(xs):
    for x in xs:
        try:
            a(x)
        except* A as e:
            for y in e.exceptions:
                if y:
                    break
    return xs
