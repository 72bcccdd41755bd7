from __future__ import annotations
x: int = 1
def f(a: int) -> y: pass
class C:
    z: float
