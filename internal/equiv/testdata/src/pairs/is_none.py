def f(a):
    if not a is None:
        return a
    if None is a:
        return 1
    return 0
# ---
def f(a):
    if a is None:
        if None is a:
            return 1
        return 0
    return a
