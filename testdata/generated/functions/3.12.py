@decorate
class A[T](B[T], C, metaclass=M, key=1):
    """doc"""

    type Alias[U] = dict[T, U]
    x: T
    y: list[T] = []

    @staticmethod
    def s[V](v: V) -> V:
        return v

    @classmethod
    async def c[V: int](cls, v: V = None) -> "A[V]":
        return cls

    class Inner[W](A[W]):
        def m(self) -> tuple[T, W]:
            return super().m()


class D[*Ts, **P](Base[*Ts], Generic[P]):
    pass


def outer(k):
    class E[T](k):
        z: T = k

        def m[U](self, u: U) -> tuple[T, U]:
            return k, u, T, U

    return E


class F[T]:
    def __init__(self, v: T) -> None:
        self.v = v

    def __class_getitem__(cls, item):
        return super().__class_getitem__(item)


def bound[T: int](a: T) -> T:
    return a


def constraints[T: (int, str), *Ts, **P](f: Callable[P, T], *args: *Ts) -> T:
    return f(*args)


def defaults[T](a: T = 1, *, b: list[T] = None) -> T:
    return a


class Box[T: "Box"]:
    value: T

    def map[U](self, f: Callable[[T], U]) -> "Box[U]":
        return Box[U](f(self.value))

    @property
    def type(self) -> T:
        return T


class Pair[A, B](Box[A], metaclass=Meta, key=B):
    """doc"""

    type Both = tuple[A, B]

    class Inner[C](Pair[A, C]):
        x: A


class Variadic[*Ts, **P](Generic[*Ts]):
    pass


@decorate(1)
async def asynchronous[T](x: T) -> T:
    return await x


def outer[T](a: T):
    type Local = list[T]

    def inner[U](b: U) -> T | U:
        return a, b, Local

    class K[V](Base[T, V]):
        x: T
        y: V = a

    return inner, K


def generator[T](xs: list[T]):
    yield from xs
