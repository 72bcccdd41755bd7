def f(a, b, i):
    a[i] = b[i]; a[i] += 1; a[1:2] = b; a[i:] = b; del a[i:], a[i]
    a.x = b.y; a.x += 1; a.x.y[i] = 3
    x = a[i:b][::2]
    return x
