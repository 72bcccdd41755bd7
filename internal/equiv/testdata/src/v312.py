type A[T] = list[T]


def f[T: int, *U, **P](a: T) -> T:
    return [lambda: x for x in a], [(x, y) for x in a for y in x]


class C[T]:
    v: T
    l = [i for i in range(3)]


x = [i for i in range(3)]
