package pyc

// A set of constants is made in one of two ways: BUILD_SET adds them in the order in
// which they stand, SET_UPDATE in that of a frozen set, which is what a compiler from
// 3.9 on makes of a display of three or more. The set is the same; the order in which
// it iterates may differ, for where elements share a slot of the table the first one
// takes it (Objects/setobject.c, set_add_entry).

// SetOrderFree reports whether a set of these constants iterates the same whatever the
// order in which they were added, or in an order on which no program can rely: small
// numbers have slots of their own in the smallest table, and the hashes of strings
// change from one process to the next.
func SetOrderFree(items []Const) bool {
	text, small := true, true
	for _, c := range items {
		switch c := c.(type) {
		case Str, Bytes:
			small = false
		case Int:
			text = false
			small = small && c.Big != nil && c.Big.IsInt64() && c.Big.Int64() >= 0 && c.Big.Int64() < 8
		default:
			return false
		}
	}
	return text || small
}
