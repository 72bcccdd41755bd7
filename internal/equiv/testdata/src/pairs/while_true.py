def f(a):
    while True:
        if a.x():
            break
    return 1
# ---
def f(a):
    while 1:
        if not a.x():
            continue
        break
    return 1
