def literals(x):
    match x:
        case 1 | -2 | 3.5 | 1 + 2j | -1 - 1j:
            return "number"
        case "a" | b"b" | "c" "d":
            return "text"
        case None | True | False:
            return "constant"
        case a.b | a.b.c:
            return "value"
        case _:
            return "any"


def sequences(x):
    match x:
        case []:
            return 0
        case [a]:
            return a
        case [a, b]:
            return b
        case [a, *rest] if rest:
            return rest
        case [*_, last]:
            return last
        case [first, *middle, last]:
            return middle
        case (1, [2, [3, *c]], *_):
            return c
        case [_, _, *_]:
            return None


def mappings(x):
    match x:
        case {}:
            return 0
        case {"a": 1}:
            return 1
        case {"a": a, "b": [b, *_], **rest}:
            return a, b, rest
        case {a.k: v, 2: _}:
            return v
        case {"x": {"y": {"z": z}}}:
            return z


def classes(x):
    match x:
        case int():
            return 0
        case str(s) if s:
            return s
        case Point(x=0, y=0):
            return 1
        case Point(a, y=b):
            return a, b
        case a.b.Line(Point(x1, y1), Point(x2, y2)):
            return x1
        case int(n) | float(n):
            return n


def names(x):
    match x:
        case [a, b] as c if a > b:
            return c
        case (1 | 2) as d:
            return d
        case [(A() | B()) as e, {"k": (f)}]:
            return e, f
        case [[a, b] | (a, b, _)]:
            return a
        case other if other.ok and other.fine:
            return other
        case rest:
            return rest


def subjects(a, b):
    match a, b:
        case 1, 2:
            return 1
        case x, y if x == y:
            return 2
    match (a):
        case 1:
            pass
    match f(a), *b:
        case [1, *_]:
            print(1)
    match a.b[0]:
        case 1:
            a()
        case 2:
            b()
    return a


def in_loop(xs):
    for x in xs:
        match x:
            case 1:
                continue
            case 2:
                break
            case [y, *_] if y:
                print(y)
            case _:
                print("any")
        print("after")
    else:
        print("end")


def nested(x, y):
    match x:
        case [a]:
            match y:
                case 1:
                    return a
                case _:
                    pass
        case {"k": b}:
            with b:
                return b
    return None


def f(x, n):
    if (k := len(x)) > 1:
        x = x + k
    match (n, x):
        case f.a:
            return {0: x}
        case {"a": b}:
            x = b
    return x, k


def g(x, n):
    if (k := x.shape) is None or (j := n) > k:
        x = j
    match x:
        case k if k > 1:
            return k
        case [j, *_] if (i := j) > 2:
            return i
        case _ if n:
            x = None
    return x
