def f(a):
    assert a
    assert a, 'm'
    if a: raise
    if a: raise a
    raise a from None
