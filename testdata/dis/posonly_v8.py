def f(a, b=1, /, c=2, *, d=3): return (e := a) + e
while (n := f()): print(f'{n=}')
def g():
    for x in y:
        try: a()
        finally: continue
