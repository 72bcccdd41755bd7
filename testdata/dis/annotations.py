x: int = 1
y: "str"
class C:
    z: float = 2.0
    w: int
def f(a: int, b: "x" = 1) -> C:
    v: int = a
    u.t: int = 3
if x:
    q: int = 2
