def f(a, b):
    if not a in b:
        return 1
    while not (a is b):
        a = b.n
    return 2 if not (a in b) else 3
# ---
def f(a, b):
    if a not in b:
        return 1
    while a is not b:
        a = b.n
    return 3 if a in b else 2
