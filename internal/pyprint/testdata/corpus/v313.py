# From 3.13 on: defaults of type parameters.
type X[T = int, *Ts = *tuple[int], **P = [int, str]] = T
def f[T: int = str](): pass
class C[T = None, **P = ...](a): pass
