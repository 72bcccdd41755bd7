lazy import a.b, c as d
lazy from e import f
import g
def h():
    import i
    x = [*j for j in k], {*j for j in k}, {**j for j in k}
    return (*j for j in k), x, frozendict({1: 2})
