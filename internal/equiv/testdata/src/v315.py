lazy import a
lazy from b import c


def f(s):
    return [*i for i in s], {*i for i in s}, {**i for i in s}, list(x for x in s), (*i for i in s)
