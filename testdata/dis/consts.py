"""Doc."""
a = (1, -1, 256, 10**30, 1.5, -0.0, 1e300*1e10, 2j, True, None, ..., b'x\xff', 'a\'b"\n\x00\x7f\u20ac\U0001f600\xad', "it's", '\ud800', ())
b = 5; c = 300; d = -1; e = ''; f = 'x' * 10
g = x in {1}, x in (1, 2)
def h(): """Only doc."""
