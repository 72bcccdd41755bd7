def f(a):
    with a: pass
    with a as b, b.c as d.e:
        return b
    for x in a:
        with x:
            if x: break
            continue
