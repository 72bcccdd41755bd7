def f(a, b):
    if a: del b
    print(b)
    try: x = 1
    except E: del x
    return x
