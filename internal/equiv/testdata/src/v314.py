def f(a):
    t = t"{a} {a!r:>4}"
    try:
        a()
    except ValueError, TypeError:
        pass
    return all(x for x in a), any(x for x in a), tuple(x for x in a), t, a[1:2]


y: int = f(1)
