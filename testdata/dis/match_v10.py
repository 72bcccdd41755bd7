def f(a):
    match a:
        case 1 | 2: return 1
        case 'x' | None | True: return 2
        case [x, y, *z] if x: return z
        case {'k': v, **rest}: return rest
        case {'a': 1, 'b': _}: pass
        case C(1, y=2) as q: return q
        case (a, b): pass
        case D.e: pass
        case _: return 3
