import m


def f(a):
    m.g(a, k=1)
    with m.h(a):
        return m.i([m.j(x) for x in a], m.k(a) if a else m.l)
# ---
def f(a):
    m.g(a, k=1)
    with m.h(a):
        return m.i([m.j(x) for x in a], m.k(a) if a else m.l)
