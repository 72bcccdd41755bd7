type X[T] = list[T]
type Y = int
def f[T: int, *Ts, **P](a: T, b=1) -> T: return a
class C[T: (int, str)](B, k=1):
    x: T
    def m[U](self, y: U): return T, U
