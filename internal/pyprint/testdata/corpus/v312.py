# From 3.12 on: type parameters, free f-strings.
type X = int
type X[T, *Ts, **P] = dict[T, P]
type X[T: int, U: (int, str)] = T
def f[T: int, *Ts, **P](a: T, *args: *Ts, **kw: P.kwargs) -> T: pass
class C[T](a, b=c): pass
class C[T]: pass
async def f[T](): pass
type Xxxxxxxxxxxxxxxxxxxxxxxxxx[Tttttttttttttttt, Uuuuuuuuuuuuuuuuuuuuuuuuuuuu, Vvvvvvvvvvvvvvvvvvvvvvvv] = dict[Tttttttttt, Uuuuuuuuu]
def ffffffffffffffffffffffffffffffffff[Tttttttttttttttttttt, Uuuuuuuuuuuuuuuuuuuuuuuuuuuu](aaaaaaaaaaaaaaaa: Ttttttttttttt): pass
f"{a["b"]}"
f"{'\n'.join(a)}"
f'{a['b']['c'] + "d"}'
f"{f"{f"{f"{f"{f"{a}"}"}"}"}"}"
f"{a:{b:{c}}}"
f"{'\\'} {"\""} {b'\x00'}"
f"{x:\n}"
f"{a:{'\n'}>10}"
f'{x["a"]=} {x['b']=}'
f"{f'{a:{"b"}}'}"
f"{'''a\nb'''}"
f"{{{a}}}"
f'{a!r:^{width}.{precision}}'
f"{a:\x7b}"
f"{a:\"'}"
f"{'''single ' and double " '''}"
