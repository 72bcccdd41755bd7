package bytecode

import (
	"strings"

	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

// ArgRepr returns what dis shows in parentheses behind r's operand: the name,
// constant or operator that it stands for, or "". Jumps show byte offsets, as
// dis did before it had labels.
func ArgRepr(c *pyc.Code, r *Raw) string {
	t := opcode.For(c.Version)
	v := c.Version
	switch r.Info.Kind {
	case opcode.ArgConst, opcode.ArgReturn:
		if r.Arg < len(c.Consts) {
			return pyc.Repr(c.Consts[r.Arg])
		}
	case opcode.ArgCommon:
		s := pick(t.Commons, r.Arg)
		if name, ok := strings.CutPrefix(s, "<class '"); ok {
			return strings.TrimSuffix(name, "'>")
		}
		return s
	case opcode.ArgName:
		return pick(c.Names, r.Arg)
	case opcode.ArgGlobal:
		return withFlag(v, pick(c.Names, r.Arg>>1), "NULL", r.Arg&1 != 0)
	case opcode.ArgAttr:
		return withFlag(v, pick(c.Names, r.Arg>>1), "NULL|self", r.Arg&1 != 0)
	case opcode.ArgSuper:
		return withFlag(v, pick(c.Names, r.Arg>>2), "NULL|self", r.Arg&1 != 0)
	case opcode.ArgImport:
		return pick(c.Names, r.Arg>>2) + [...]string{"", " + lazy", " + eager", " + lazy"}[r.Arg&3]
	case opcode.ArgLocal:
		return pick(c.LocalsPlusNames, r.Arg)
	case opcode.ArgLoadLoad, opcode.ArgStoreLoad, opcode.ArgStoreStore:
		return pick(c.LocalsPlusNames, r.Arg>>4) + ", " + pick(c.LocalsPlusNames, r.Arg&15)
	case opcode.ArgDeref:
		if v.HasLocalsPlus() {
			return pick(c.LocalsPlusNames, r.Arg)
		}
		return pick(append(c.CellVars(), c.FreeVars()...), r.Arg)
	case opcode.ArgJump, opcode.ArgMatchJump:
		return "to " + offset(r.Target)
	case opcode.ArgMonitor:
		return "from " + offset(r.Target)
	case opcode.ArgCompare, opcode.ArgOldCompare:
		s := pick(t.CmpOps, r.Arg>>v.CompareShift())
		if v.CompareShift() == 5 && r.Arg&16 != 0 {
			return "bool(" + s + ")"
		}
		return s
	case opcode.ArgBinary:
		return pick(t.BinaryOps, r.Arg)
	case opcode.ArgIntrinsic1:
		return pick(t.Intrinsics1, r.Arg)
	case opcode.ArgIntrinsic2:
		return pick(t.Intrinsics2, r.Arg)
	case opcode.ArgMakeFunction:
		return bitNames(t.FunctionAttrs, r.Arg)
	case opcode.ArgInt:
		return intRepr(t, r)
	}
	return ""
}

// intRepr covers the operands that are numbers with names.
func intRepr(t *opcode.Table, r *Raw) string {
	conversions := []string{"", "str", "repr", "ascii"}
	switch r.Info.Op {
	case opcode.SetFunctionAttribute:
		return bitNames(t.FunctionAttrs, r.Arg)
	case opcode.ConvertValue:
		return pick(conversions, r.Arg)
	case opcode.FormatValue:
		s := conversions[r.Arg&3]
		if r.Arg&4 != 0 {
			if s != "" {
				s += ", "
			}
			s += "with format"
		}
		return s
	case opcode.LoadSpecial:
		return pick(t.Specials, r.Arg)
	case opcode.IsOp:
		return pick([]string{"is", "is not"}, r.Arg)
	case opcode.ContainsOp:
		return pick([]string{"in", "not in"}, r.Arg)
	}
	return ""
}

// pick returns list[i], or "?" for an operand out of range.
func pick(list []string, i int) string {
	if i < len(list) {
		return list[i]
	}
	return "?"
}

// withFlag adds what else is pushed, in the order of the stack.
func withFlag(v pyc.Version, name, extra string, set bool) string {
	switch {
	case !set:
		return name
	case v.NullAfterCallable():
		return name + " + " + extra
	}
	return extra + " + " + name
}

func bitNames(names []string, bits int) string {
	var out []string
	for i, s := range names {
		if bits&(1<<i) != 0 {
			out = append(out, s)
		}
	}
	return strings.Join(out, ", ")
}
