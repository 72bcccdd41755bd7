def f(a, b):
    for x in a:
        if x:
            return b
        else:
            b.y()
    return None
# ---
def f(a, b):
    for x in a:
        if x:
            return b
        b.y()
