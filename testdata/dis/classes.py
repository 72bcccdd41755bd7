class A:
    """Doc."""
    x = 1
    def f(self): self.a = self.b = 1
    class B: y = x
    for i in range(3): exec(i)
    locals()
def g(T):
    class C(T):
        def m(self): return super().m() + T
    return C
