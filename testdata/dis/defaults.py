def f(a, b=1, *, c=2, d): pass
def g(a=[], *args: int, k: str = {}, **kw) -> None: pass
h = lambda x=f, *y, **z: x
@f
@g(1)
class C(f, metaclass=g, k=1): pass
