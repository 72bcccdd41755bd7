# From 3.10 on: match; walrus in subscripts and sets.
match a:
    case 1 | -1 | 1.5 | 1 + 2j | -1 - 2j | 'a' | b'b' | None | True: pass
    case a.b: pass
    case a.b.c | x.y: pass
    case _: pass
match a, b:
    case a, b: pass
    case (a,): pass
    case []: pass
    case [a, *_]: pass
    case [*a, b]: pass
    case (a | b) as c if d: pass
    case [1 as a, (2 | 3) as b]: pass
    case {}: pass
    case {'a': 1, b.c: d, -1: e, **f}: pass
    case {**a}: pass
    case A(): pass
    case a.B(c, d=e, f=1 | 2): pass
    case A([a, b], x={'c': d}) if (y := z): pass
    case (1 | (2 as a)): pass
    case ((1 as a) as b): pass
    case 'a' 'b': pass
    case str() | int(): pass
match (x := a):
    case x: pass
match *a, b:
    case x: pass
match (yield_):
    case x if (y := x): pass
match a:
    case Aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa(bbbbbbbbbbbbbbbbbbbbbb, cccccccccccccccccccccc=ddddddddddddddddddd) | Eeeeeeeeeee(): pass
    case [aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbbbbbbbbbb, cccccccccccccccccccccccc, *ddddddddddddddddddddd]: pass
    case "a long text that does not fit on one line, because it goes on and on and on and on and on and on and on and on.": pass
a[x := 1]
a[x := 1, y := 2]
{x := 1, y := 2}
{y := x for x in z}
