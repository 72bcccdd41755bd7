# From 3.15 on: lazy imports, unpacking in comprehensions.
lazy import a, b.c as d
lazy from a import b as c, d
lazy from . import e
lazy from aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa import bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb, cccccccccccccccccccccccccccccc, ddd
[*a for a in b]
{*a for a in b}
{**a for a in b}
(*a for a in b)
f(*a for a in b)
[*(a or b) for a in c]
{**(a or b) for a in c}
