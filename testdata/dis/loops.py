def f(a):
    for x in a:
        if x: continue
        if a: break
        print(x)
    else:
        print(1)
    while a:
        a -= 1
        if a == 2: break
    else:
        return 3
    while True:
        if f(): break
    for i, (j, *k) in a:
        for q in k: yield q
    for z in (1, 2): pass
