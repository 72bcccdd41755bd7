def f(a, b, c):
    if a < b <= c != a: return 1
    x = a == b, a > b, a >= b, a is b, a is not b, a in b, a not in b
    if a == b or (a != c and b) or not c: return x
    if a is None: return a
    if b is not None: return b
    return a if a > b else b
