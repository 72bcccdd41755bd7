def f(a, b, /, c, *, d):
    if (n := a) > 1 and (m := b):
        return n, m
    while x := a.read():
        print(f"{x=}")
    return c, d
