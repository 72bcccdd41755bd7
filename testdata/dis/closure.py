def f(a, *args, k=1, **kw):
    b = a
    def g():
        nonlocal b
        b = a + k
        c = b
        class C:
            x = c
            def m(self): return __class__, c
        return lambda: (b, c, C)
    h = g
    del b
    return g, [lambda: i for i in args]
class D:
    y = 1
    z = [q + w for q in [1] for w in [q]]
    def __init__(self): super().__init__()
    def m(self): return super(D, self).m, super().a.b
