package bytecode

// maxVarint bounds what a varint may mean, so that sums of a few cannot
// overflow. It is far above any offset or line that CPython can write.
const maxVarint = 1 << 31

// varints reads the two 6-bit encodings of CPython's tables. After the end of
// the data or a number out of range, bad is set and zeros are returned.
type varints struct {
	data []byte
	pos  int
	bad  bool
}

func (r *varints) byte() byte {
	if r.pos >= len(r.data) {
		r.bad = true
		return 0
	}
	r.pos++
	return r.data[r.pos-1]
}

// little reads a varint with the lowest 6 bits first (location table).
func (r *varints) little() int {
	n := 0
	for shift := 0; ; shift += 6 {
		b := r.byte()
		if shift <= 30 {
			n |= int(b&63) << shift
		}
		if shift > 30 && b&63 != 0 || n > maxVarint {
			r.bad = true
			return 0
		}
		if b&64 == 0 {
			return n
		}
	}
}

// signed reads a varint whose lowest bit is its sign.
func (r *varints) signed() int {
	n := r.little()
	if n&1 != 0 {
		return -(n >> 1)
	}
	return n >> 1
}

// big reads a varint with the highest 6 bits first (exception table).
func (r *varints) big() int {
	n := 0
	for {
		b := r.byte()
		n = n<<6 | int(b&63)
		if n > maxVarint {
			r.bad = true
			return 0
		}
		if b&64 == 0 {
			return n
		}
	}
}
