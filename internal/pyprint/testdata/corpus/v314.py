# From 3.14 on: t-strings, except without parentheses.
t''
t'abc'
t'{a}'
t'{ a }'
t'{a!r:>{b}} {{c}}'
t'{a=}'
t'{a = :>10}'
t"{a['b']} {c["d"]}"
t'{ {a: b} }'
t"{'\n'.join(a)}"
t'{f"{a}"}' t'{t"{b}"}'
t'{lambda_} {(lambda: a)}'
t"{
    a +
    b
}"
t"a long text with {aaaaaaaaaaaaaaaaa} that does not fit on one line, because it goes on and on and {bbbbbbbbbb!r:>{cc}} {d}."
t"a long text that does not fit on one line, because it goes on and on and on and on and on and on and on and on and on."
t"it's \"quoted\" {a}"
t"{a:\x7b}"
try: a
except b, c: d
