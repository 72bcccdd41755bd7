def f(a):
    for x in a:
        try:
            if x: continue
            if a: break
            return x
        finally:
            print(1)
    try:
        try: a()
        except E: b()
    finally:
        c()
        try: d()
        finally: e()
def g():
    try: return 1
    finally: return 2
