# From 3.8 on: walrus, positional-only parameters, f"{x=}", unpacking in return.
if (x := f()): pass
while (x := f()) is not None: pass
elif_ = (x := 1)
(x := 1)
x = (y := 1)
f(x := 1)
f(x := 1, y := 2)
f((x := a for a in b))
f(a=(x := 1))
[x := 1, (y := 2)]
(x := 1, 2)
{(x := 1)}
{(x := 1): (y := 2)}
[(y := f(x)) for x in z if (y := x) if not (w := x)]
{(y := x) for x in z}
a[(x := 1)]
a[(x := 1):2]
lambda: (x := 1)
(x := 1) if (y := 2) else (z := 3)
(x := 1) and (y := 2)
not (x := 1)
(x := 1).a
assert (x := 1)
with (x := f()): pass
with (x := f()) as y: pass
f'{(x := 1)}'
f'{x=}'
f'{x = }'
f'{x.y[0]=!s}'
f'{x=:>10}'
f'{x=!r:>10}'
f'a x={x!r}'
f'max={x!r}'
f'{x}={y!r}'
f'{x["a"]=}'
def f(a, /, b, *, c): pass
def f(a, b=1, /): pass
def f(a, /, *b, c=1, **d): pass
lambda a, /: a
def f():
    return *a, b
def f():
    yield *a, b
    x: tuple = 1, 2
    x: int = yield
def f():
    return (yield)
for x in (*a, b): pass
x += (*a, b)
