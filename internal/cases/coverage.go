package cases

import (
	"math/bits"
	"sort"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

// Coverage says which instructions of a version the cases contain. An
// instruction is an opcode's name and, where the operand chooses between
// meanings, that meaning: "BINARY_OP +", "CALL_INTRINSIC_1 INTRINSIC_TYPEVAR".
type Coverage struct {
	Version pyc.Version
	Seen    map[string]string // instruction -> a case that has it
	Missing []string          // instructions that no case has, sorted
	Never   map[string]string // instructions that no compiler writes -> why
	Stale   []string          // those of Never that a case has all the same
}

// Cover reads the compiled cases of v.
func Cover(dir string, v pyc.Version) (*Coverage, error) {
	codes, err := Compiled(dir, v)
	if err != nil {
		return nil, err
	}
	c := &Coverage{Version: v, Seen: map[string]string{}, Never: map[string]string{}}
	var names []string
	for n := range codes {
		names = append(names, n)
	}
	sort.Strings(names)
	for _, n := range names {
		if err := c.add(n, codes[n]); err != nil {
			return nil, err
		}
	}
	c.finish()
	return c, nil
}

// finish sorts the instructions that no case has by why that is.
func (c *Coverage) finish() {
	for _, in := range all(c.Version) {
		why := neverCompiled(in, c.Version)
		_, seen := c.Seen[in]
		switch {
		case why != "" && seen:
			c.Stale = append(c.Stale, in)
		case why != "":
			c.Never[in] = why
		case !seen:
			c.Missing = append(c.Missing, in)
		}
	}
}

func (c *Coverage) add(name string, code *pyc.Code) error {
	raws, err := bytecode.Scan(code)
	if err != nil {
		return err
	}
	see := func(in string) {
		if _, ok := c.Seen[in]; !ok {
			c.Seen[in] = name
		}
	}
	for _, r := range raws {
		if r.Begin != r.Offset {
			see("EXTENDED_ARG")
		}
		see(r.Info.Name)
		for _, m := range meanings(code.Version, r.Info, r.Arg) {
			see(r.Info.Name + " " + m)
		}
	}
	for _, k := range code.Consts {
		if inner, ok := k.(*pyc.Code); ok {
			if err := c.add(name, inner); err != nil {
				return err
			}
		}
	}
	return nil
}

// all lists the instructions of v, sorted. Specialised and instrumented forms
// are left out: only the interpreter writes them, into code that runs.
func all(v pyc.Version) []string {
	table := opcode.For(v)
	set := map[string]bool{}
	for i := range table.Ops {
		info := &table.Ops[i]
		if info.Name == "" || info.Flags&(opcode.Specialized|opcode.Instrumented) != 0 {
			continue
		}
		set[info.Name] = true
		for _, m := range kinds(table, info) {
			set[info.Name+" "+m] = true
		}
	}
	var out []string
	for in := range set {
		out = append(out, in)
	}
	sort.Strings(out)
	return out
}

// kinds lists the meanings that the operand of an opcode chooses between, in
// the order of the operand's values, or nil.
func kinds(t *opcode.Table, info *opcode.Info) []string {
	switch info.Kind {
	case opcode.ArgCompare, opcode.ArgOldCompare:
		return t.CmpOps
	case opcode.ArgBinary:
		return t.BinaryOps
	case opcode.ArgIntrinsic1:
		return t.Intrinsics1
	case opcode.ArgIntrinsic2:
		return t.Intrinsics2
	case opcode.ArgCommon:
		return t.Commons
	case opcode.ArgMakeFunction:
		return t.FunctionAttrs
	}
	switch info.Op {
	case opcode.LoadSpecial:
		return t.Specials
	case opcode.SetFunctionAttribute:
		return t.FunctionAttrs
	}
	return nil
}

// meanings lists those that one operand has.
func meanings(v pyc.Version, info *opcode.Info, arg int) []string {
	all := kinds(opcode.For(v), info)
	if info.Op == opcode.SetFunctionAttribute || info.Kind == opcode.ArgMakeFunction {
		var out []string
		for ; arg != 0; arg &= arg - 1 {
			if k := bits.TrailingZeros(uint(arg)); k < len(all) {
				out = append(out, all[k])
			}
		}
		return out
	}
	if info.Kind == opcode.ArgCompare {
		arg >>= v.CompareShift()
	}
	if arg < len(all) {
		return all[arg : arg+1]
	}
	return nil
}

// Total counts the instructions that a compiler of the version writes.
func (c *Coverage) Total() int { return len(all(c.Version)) - len(c.Never) }

// Lines tells of every instruction where it is shown, or why it is not.
func (c *Coverage) Lines() []string {
	var out []string
	for _, in := range all(c.Version) {
		switch {
		case c.Seen[in] != "":
			out = append(out, in+": "+c.Seen[in])
		case c.Never[in] != "":
			out = append(out, in+": not counted: "+c.Never[in])
		default:
			out = append(out, in+": MISSING")
		}
	}
	return out
}
