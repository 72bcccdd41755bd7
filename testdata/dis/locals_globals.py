g = 1
def f(a):
    global g
    g = a
    b = g
    del g
    del b
    a, c = c0, a
    a, c = c, a
    a, c, d = d0, a, c
    del a[0], a.x
    return len(a)
del g
