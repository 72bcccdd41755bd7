def f(a, b):
    x = [i for i in a if i]
    y = {i for i in a}, {i: j for i, j in a}
    z = (i + b for i in a for j in i)
    w = [[j for j in i] for i in a]
    return all(i for i in a), any(i for i in a), tuple(i for i in a), list(i for i in a), set(i for i in a)
m = [n for n in o]
