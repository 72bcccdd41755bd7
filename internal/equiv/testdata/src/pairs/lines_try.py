def f(a):
    try:
        for x in a:
            try:
                if x: return x
            finally:
                a.b()
    except (ValueError, KeyError) as e: return e
    with a as b, b: return b
# ---
def f(a):
    try:

        for x in a:
            try:
                if x:

                    return x
            finally:

                a.b()
    except (ValueError,
            KeyError) as e:
        return e

    with a as b, b:

        return b
