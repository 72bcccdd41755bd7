def f(a, b, c):
    x = a and b or c
    y = not a
    while a and (b or not c):
        a = a or b
    return x and y
