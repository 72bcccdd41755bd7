import a, a.b.c, d.e as f, d.e.g as h
from a import b, c as d
from . import q
from ..x.y import z
from m import *
def f():
    import a.b
    from c import d
