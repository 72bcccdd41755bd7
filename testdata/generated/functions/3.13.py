def f[T = int](a: T) -> T:
    return a


class C[T: int = bool, *Ts = *tuple[int, str], **P = [int, str]]:
    x: T


class D[T, U = T](C[T]):
    def m[V = T](self, v: V, u: U) -> V:
        return v
