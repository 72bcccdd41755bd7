# From 3.11 on: except*, unpacking in subscripts.
try: a
except* b: c
except* (d, e) as f: g
else: h
finally: i
a[*b]
a[*b, c]
a[*b, 1:2]
a[(*b,)]
a[b, *c] = d
def f(*args: *Ts): pass
def f(*args: *tuple[int, *Ts]): pass
x: tuple[*Ts]
