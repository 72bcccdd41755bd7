def f(a):
    x, y = a
    x, *y, z = a
    (x, (y, z)), w = a
    [q] = a
    x = y = a
    for x.y, z[0] in a: pass
