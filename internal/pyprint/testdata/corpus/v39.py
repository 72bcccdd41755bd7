# From 3.9 on: any decorator, parenthesized with items.
@a[0].b
@(lambda f: f)
@(x := y)
@a or b
def f(): pass
with (a as b, c as d): pass
with (a, b): pass
with ((a, b)): pass
with (a): pass
with (a, b) as c: pass
with ((a, b) as c, d): pass
for x in *a, b: pass
def f():
    with (yield): pass
    x = yield *a, b
with aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa(bbbbbbbbbbbbb) as ccccccccccccccccccccc, ddddddddddddddddddddddd(eeeeee) as ffff: pass
with aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.ccccccccccccccc as d: pass
