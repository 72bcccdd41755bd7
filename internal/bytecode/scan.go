package bytecode

import (
	"math"
	"slices"

	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

// Raw is one instruction as CPython encodes it, with its EXTENDED_ARG prefixes
// folded in and its caches skipped.
type Raw struct {
	Info   *opcode.Info
	Op     byte // opcode number
	Arg    int  // operand with the prefixes folded in; 0 when there is none
	Begin  int  // byte offset of the first EXTENDED_ARG, or Offset
	Offset int  // byte offset of the instruction itself
	Next   int  // byte offset behind its caches
	Target int  // byte offset jumped to, or -1
}

// Scan reads the instructions of c. It fails only for code that ends inside an
// instruction or has an operand of more than 31 bits.
func Scan(c *pyc.Code) ([]Raw, error) { return scan(make([]Raw, 0, len(c.Bytecode)/2), c) }

// scan appends the instructions of c.
func scan(out []Raw, c *pyc.Code) ([]Raw, error) {
	table := opcode.For(c.Version)
	if table == nil {
		return nil, errorf(c, 0, "CPython %s is not supported", c.Version)
	}
	code := c.Bytecode
	if len(code)%2 != 0 {
		return nil, errorf(c, len(code)-1, "the code has an odd number of bytes")
	}
	out = slices.Grow(out, len(code)/4) // half of it are caches
	begin, arg := 0, 0
	for at := 0; at < len(code); {
		info := &table.Ops[code[at]]
		arg = arg<<8 | int(code[at+1])
		if arg > math.MaxInt32 {
			return nil, errorf(c, at, "the operand has more than 31 bits")
		}
		if info.Kind == opcode.ArgExtend {
			at += 2
			continue
		}
		r := Raw{Info: info, Op: code[at], Arg: arg, Begin: begin, Offset: at, Target: -1}
		r.Next = at + 2 + 2*int(info.Caches)
		if r.Next > len(code) {
			return nil, errorf(c, at, "the code ends inside the caches of %s", info.Name)
		}
		r.Target = jumpTarget(c.Version, r)
		out = append(out, r)
		at, begin, arg = r.Next, r.Next, 0
	}
	if begin != len(code) {
		return nil, errorf(c, begin, "the code ends after EXTENDED_ARG")
	}
	return out, nil
}

// jumpTarget returns the byte offset that r's operand means, or -1. It may lie
// anywhere: whoever follows it has to check.
func jumpTarget(v pyc.Version, r Raw) int {
	n := r.Arg
	if v.WordJumps() {
		n *= 2
	}
	switch r.Info.Flags & opcode.Jumps {
	case opcode.JumpAbs:
		return n
	case opcode.JumpForward:
		return r.Next + n
	case opcode.JumpBackward:
		// A negative offset must not read as "no jump".
		if n > r.Next {
			return math.MaxInt
		}
		return r.Next - n
	}
	return -1
}
