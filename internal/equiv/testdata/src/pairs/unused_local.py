def f(a):
    x = 1
    return a
    y = 2
# ---
def f(a):
    x = 1
    return a
