def f(a):
    try: a()
    except* ValueError as e: print(e)
    except* (KeyError, OSError): raise
    else: b()
    finally: c()
def g(a, *b): return a[*b], a[1, *b]
