def f(a):
    "doc"
    return ("a", a)
# ---
def f(a):
    """doc"""
    return "a", a
