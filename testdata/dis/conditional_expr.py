def f(a, b, c):
    x = a if b else c
    y = (a if b else c) if c else a
    return g(a and b, c or a, x if y else None)
if __name__ == '__main__': f(1, 2, 3)
elif x: pass
else: y
