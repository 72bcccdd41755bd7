def f(a, b, c, d):
    x = a and b or c and d
    y = (a or b) and (c or d)
    if (a and b or c) and (d or a):
        return x
    z = a if b and (c or d) else (d and c)
    return y, z
# ---
def f(a, b, c, d):
    x = (a
         and b
         or c
         and d)
    y = (a
         or b) and (
         c
         or d)
    if (a
            and b
            or c) and (
            d
            or a):
        return x
    z = (a
         if b
         and (c
              or d)
         else (d
               and c))
    return y, z
