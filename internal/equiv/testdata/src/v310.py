def m(a):
    match a:
        case 1 | 2:
            return 1
        case [x, *rest] if x:
            return rest
        case {"k": v, **kw}:
            return v, kw
        case C(x=1, y=z) as q:
            return z, q
        case None | True:
            return 3
        case a.b:
            pass
        case _:
            return 4


with (open("a") as f, open("b") as g):
    f.x = g
