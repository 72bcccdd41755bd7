# Constructs of every supported version, chosen to be awkward to print.
from __future__ import annotations

import a.b.c as d, e
from . import f
from .. import g as h
from ...pkg.mod import (aaaaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbbbb as cccccccccc, dddddddddddddd)
from x import *

a or b or (c or d) and not e
(a or b) or c
not (a == b)
(not a) == b
-x ** 2
(-x) ** 2
2 ** -x
(a ** b) ** c
a ** b ** c
a - (b - c) - d
a / b * c % d // e @ f
a | b ^ c & d << e >> f
(a, b)
()
(a,)
x = a, b
x = (a,)
a, b = b, a
a, = b
(a, b), c = d
[a, b] = c
*a, b = c
x = y = z, w
x = *a, b
f(*a or b, **c or d)
f(a for a in b)
f((a for a in b), c)
f(a, *b, c=1, **d)
f(lambda: (yield), lambda *a, b=1, **c: a)
(lambda: x)()
(await_)(1)
a if b else c if d else e
(a if b else c) if d else e
a if (b if c else d) else e
a if (lambda: b) else (lambda: c)
lambda: a if b else c
lambda x=lambda y: y: x
[a for b in c if d if e for f in g if h]
[a for b in (c if d else e) if (f if g else h)]
[lambda: a for a in b]
{a: b for c, d in e}
{a for (a,) in b}
{**a, 'b': c, **d}
{*a, b}
{*()}
[*a, *b]
{}
(yield_)
1 .real
1.5.real
1j.imag
(-1).real
0xff .bit_length()
-1 .real
- - 1
+ ~ - not_
not not a
1e400
-1e400
1e-7
1e16
123456789012345678901234567890
1_000.000_1
0.1 + 2j
b'abc' b'def'
b"\x00\xff\n'\""
b'\\d'
'it''s'
"it's"
'say "hi"'
'both \' and "'
'\\d+'
'trailing \\'
'\n\t\r\x00\x7f\x85\xa0\u2028\ud800\U0001f600\ufeff'
'\udce2\ud83d\ude00'
"é ü 漢字"
...
None is True is not False
a < b <= c != d
a in b not in c is d is not e
(a < b) < c
a < (b < c)
a[b]
a[b, c]
a[b,]
a[()]
a[(b, c)]
a[:]
a[::]
a[1:]
a[:1]
a[::1]
a[1:2, ::3]
a[1:2,]
a[-1:-2]
a[b.c:d]
a[b + 1:]
a[:b + 1]
a[b():c():d()]
a[lambda: b]
a[b if c else d:e]
a[b][c].d(e)[f]
a.b.c
(a + b).c
(a, b)[0]
[a][0]
{a: b}[c]
"abc".join(d)
f"{a}" f'{b}'
f''
f'abc'
f'{a!r:>{b}}'
f"{a:{b}{c}}"
f'{{}}{a}{{'
f"{ {a: b} }"
f"{ {a for a in b} }"
f'{(lambda: a)}'
f'{a["b"]}'
f'''{a["b"]} {c['d']}'''
f"it's {a['b']}"
f'{a!s}{b!a}'
f'{a:%H:%M}'
f'{"a" if b else "c"}'
f'{a, b}'
f'\n{a}\\'
f"{f'{a}'}"
f'''{f"{f'{a}'}"}'''
f'{a if b else (lambda: c)}'
f'{a != b} {a == b} {a <= b}'
f'{a[1:2]} {a:{"b"}}'
f'{-1} {a.b()} {a[b]} {not a}'
f'a "quoted" {b}'
f'\'"{a}'
f'{a:\x7b\x7d}' if a else f'{a:}'
f'{"#"}{":"}{"!"}{"{"}{"}"}'
f'\ud800{a}\x00\t\x85'
f'{a:"}' f"{b:'}"
f'{a:\'"}'
f'{a:{b!r}{c:}}'
f'{a}{{}}{b}}}'
f'{a:\n\\}'
f'{a.b["c"][d:e]!r:{f.g["h"]}}'
f'{b"bytes"}{1.5}{None}{...}{[]}{()}{f()}'
f'{a}' 'b' f'{c}'
f"""{a}
"{b}" and '{c}'
"""
'%s' % (a,)
del a, b[c], d.e, (f, g)
assert a, (b, c)
assert (a, b)
raise a from b
raise
global_ = 1
a += b, c
a //= 1
a **= b
a @= c
x: int
x: int = 1
(x): int = 1
x.y: int
x[y]: int = (1, 2)
x = (yield_)

if a: pass
elif b: pass
else:
    if c: pass
    else: pass
if a: pass
else:
    if c: pass
    d
while a: break
else: c
for a, b in c: continue
else: d
for (a,) in b, c: pass
for [a, b] in c: pass
for a.b in c: pass
for a[b], *c in d: pass
with a: pass
with a as b, c as (d, e): pass
with (a, b) as c: pass
with (yield_): pass
with a() as b.c, d as e[f]: pass
try: a
except: b
try: a
except (b, c): d
except e as f: g
else: h
finally: i
try: a
finally: b


def f(a, b: int = 1, *args: int, c, d: str = 'e', **kw: dict) -> None:
    nonlocal_ = 1
    def g():
        nonlocal nonlocal_
        global h, i
        yield
        yield a
        yield a, b
        yield (a,)
        x = yield
        x = yield y
        x = yield from z
        x += yield
        (yield).a
        f((yield))
        f((yield a), b)
        [(yield_)]
        return (yield)
    def h(*, a): return
    def i(*a, b=1): return a, b
    def j(): return (a,)
    def p(): ...
    def q(): f'{a}'
    def r(): b'bytes'
    return lambda: (yield)


async def f():
    await a
    await a.b(c) ** 2
    -await a
    (await a).b
    await (await a)
    await (a ** b)
    await a if b else c
    return [await a async for b in c if await d]


async def g():
    async for a, b in c: await d
    else: e
    async with a as b, c: pass
    yield {a: b async for a, b in c}
    f(x async for x in y)
    yield


@a
@a.b.c
@a.b(c, d=e)
class C(a, *b, metaclass=c, **d):
    '''Doc.'''
    x = 1
    def f(self): pass
    y = 2
    class D: pass
    class E: ...


@a
async def f(): pass
f(a)(b)(c)
aaaaaaaaaaaaaaaaaaaaaaaa.bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb(cccccccccccccccc).dddddddddddddddddd(eeeeeeeeeeeee).ffffffffffff()
xxxxxxxxxxxxxxxxx = aaaaaaaaaaaaaaaaaaaaaaaa.bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb(cccccccccccccccc).dddddddddddddddddd(eeeeeeeeeeeee)
xxxxxxxxxxxxxxxxx = aaaaaaaaaaaaaaaaaaaaaaaa + bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb * cccccccccccccccc - dddddddddddddddddd(eeeeeeeeeeeee)
xxxxxxxxxxxxxxxxx = aaaaaaaaaaaaaaaaaaaaaaaa and bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb or cccccccccccccccc and not dddddddddddddddddd(eeeeeeeeeeeee)
xxxxxxxxxxxxxxxxx = aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa if bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb else ccccccccccccccccccccccccccccccc
xxxxxxxxxxxxxxxxx = ["aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb", {"ccccccccc": dddddddd, "eeeeeee": fffff}]
xxxxxxxxxxxxxxxxx = [aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa(bbbbbbbbbbbbbbbbbbbbbbbb) for cccccccccccccccccccccc, ddddddddddd in eeeeeeeeeeeee if ffff]
xxxxxxxxxxxxxxxxx = "a long text that does not fit on one line, because it goes on and on and on.\nAnd on and on.\nAnd on.\n"
xxxxxxxxxxxxxxxxx = "a long text with %s that does not fit on one line, because it goes on and on and on and %s." % (aaaaaaaa, bbbbbb)
xxxxxxxxxxxxxxxxx = f"a long text with {aaaaaaaaaaaaaaaaa} that does not fit on one line, because it goes on and on and {bbbbbbbb!r:>{cc}}."
f(a, "a long text that does not fit on one line, because it goes on and on and on and on and on and on and on and on.", b)
f(b"0123456789abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrstuvwxyz")
f(aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa for aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa in bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb)
f(*aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, *bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb, **cccccccccccccccccccccccccccccccccc)
aaaaaaaaaaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb, cccccccccccccccccccccccccccc = ddddddddddddddddddddd
aaaaaaaaaaaaaaaaaaaa[bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb, ccccccccccccccccccccccccccccc:ddddddddddddddddddddddddddddddddddddddddddddddddd]
aaaaaaaaaaaaaaaaaaaa[bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbccccccccccccccccccccccccccccc:ddddddddddddddddddddddddddddddddddddddddddddddddd]
assert aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, "a long text that does not fit on one line, because it goes on and on"
del aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb, cccccccccccccccccccccccccccc
for aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb in cccccccccccccccccccccccccccccc(ddddd): pass
if aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa and bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb and cccccccccccccccccccccccccccccc(ddddd): pass
while aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa in (bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb, cccccccccccccccccccccccccccccc, ddddd): pass
try: pass
except (aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb, ccccccccccccccccccccccccc) as dddd: pass
def ffffffffffffffffffffffff(aaaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbb=1, *cccccccccccccccccccccc, dddddddddddddddd, **eeeeeeeeeeeee) -> gggg: pass
def ffffffffffffffffffffffff(aaaaaaaaaaaaaaaaaaaaa=lambda xxxxxxxxxxxxxxxxxxxxxx, yyyyyyyyyyyyyyyyyyyyyyyyyyy: zzzzzzzzzzzzzzzzzzzzzzzz): pass
def ffffffffffffffffffffffffffffffffffffffffffffffffffffffffff() -> gggggggggggggggggggggg[hhhhhhhhhhhhhhhhhhhhh, iiiiiiiiii]: pass
class Cccccccccccccccccccccccccccccccccccc(Dddddddddddddddddddddddddddddddddd, Eeeeeeeeeeeeeeeeeeee, metaclass=Ffffffffffff): pass
return_ = not aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.ccccccccccccccccccccccccccccccc
