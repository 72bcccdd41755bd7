def f(a, b):
    x = a + b - a * b / a // b % a
    x = a @ b ** a << b >> a & b | a ^ b
    a += b; a -= b; a *= b; a /= b; a //= b; a %= b
    a @= b; a **= b; a <<= b; a >>= b; a &= b; a |= b; a ^= b
    return -x, +x, ~x, not x
