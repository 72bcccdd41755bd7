def f(a):
    x = yield
    y = yield a
    z = yield from a
    try: yield 1
    finally: yield 2
    return (yield x, y, z)
