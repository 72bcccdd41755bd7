def f(a, b):
    if not a:
        return b
    return a
# ---
def f(a, b):
    if a:
        return a
    return b
