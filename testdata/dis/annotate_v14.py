x: int
if a:
    y: str = 1
class C[T]:
    z: T
    def f(self, q: T) -> C: pass
