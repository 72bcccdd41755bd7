x = [lambda: i for i in y]
class C:
    a = [b for b in c]
    d = [lambda: (e, f) for e in a]
def f(a, i):
    x = [i for i in a]
    [j := k for k in a]
    return {q: [r for r in q] for q in a}, i, f"{[s for s in a]!r:{f'{a}'}}"
