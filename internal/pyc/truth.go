package pyc

// Truth is bool(c), for the constants of which it is plain: not for code, or a set or list, which no code holds.
func Truth(c Const) (truth, known bool) {
	switch c := c.(type) {
	case None:
		return false, true
	case Ellipsis:
		return true, true
	case Bool:
		return bool(c), true
	case Int:
		if c.Big == nil {
			return false, false
		}
		return c.Big.Sign() != 0, true
	case Float:
		return c.Bits<<1 != 0, true // both zeros are false, every NaN is true
	case Complex:
		return c.Real.Bits<<1 != 0 || c.Imag.Bits<<1 != 0, true
	case Str:
		return c != "", true
	case Bytes:
		return c != "", true
	case Tuple:
		return len(c) != 0, true
	case FrozenSet:
		return len(c) != 0, true
	}
	return false, false
}
