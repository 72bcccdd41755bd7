def f(a, b): return t'{a}', t'x{a!r:>{b}}y{b=}', t''
try: f()
except A, B: pass
x = y[1:2:3], y[:-1]
