def f(a, b):
    if a and b:
        return 1
    return 2
# ---
def f(a, b):
    if a:
        if b:
            return 1
    return 2
