def f(a, b):
    return f'{a}', f'x{a!r}y{b!s:>10}{a!a}', f'{a:{b}.{b}}', f'{{}}', '%s' % a, f''
