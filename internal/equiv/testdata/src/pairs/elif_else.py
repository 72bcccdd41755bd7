def f(a):
    if a.x:
        a = 1
    elif a.y:
        a = 2
    else:
        a = 3
    return a
# ---
def f(a):
    if a.x:
        a = 1
    else:
        if a.y:
            a = 2
        else:
            a = 3
    return a
