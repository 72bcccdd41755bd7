package bytecode

import "github.com/thuml/depyf/internal/opcode"

// yieldKind returns 1 when the YIELD_VALUE raws[i] belongs to an await or a
// yield from. From 3.13 its operand says so; in 3.11 and 3.12 the RESUME behind
// it does; before, such a yield is a YIELD_FROM.
func (d *decoder) yieldKind(i int) int {
	if !d.version.HasSend() {
		return 0
	}
	if d.version.YieldSaysKind() {
		return min(d.raws[i].Arg, 1)
	}
	if i+1 < len(d.raws) && d.raws[i+1].Info.Kind == opcode.ArgResume && d.raws[i+1].Arg&3 >= 2 {
		return 1
	}
	return 0
}
