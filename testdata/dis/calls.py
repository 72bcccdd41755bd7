def f(a, b, *c, **d):
    a(); a(1, b); a(b, k=1); a.m(); a.m(1, x=b)
    a(*c); a(**d); a(1, *c, k=2, **d); a(*c, *b, **d, **b)
    print(a, b)
    return a.b.c(d)(e)
