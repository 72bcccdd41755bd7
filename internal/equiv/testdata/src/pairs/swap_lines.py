def f(a, b, c):
    a, b = b, a
    a, b, c = c, b, a
    x, y, z = a.x, b.x, c.x
    return a, b, c, x, y, z
# ---
def f(a, b, c):
    (a,
     b) = (b,
           a)
    (a,
     b,
     c) = (c,
           b,
           a)
    (x,
     y,
     z) = (a.x,
           b.x,
           c.x)
    return (a,
            b, c, x,
            y, z)
