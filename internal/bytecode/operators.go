package bytecode

import "github.com/thuml/depyf/internal/opcode"

// compare emits Compare, or what COMPARE_OP stood for besides comparisons up to
// 3.8.
func (d *decoder) compare(r *Raw, in Instr) error {
	in.Arg = r.Arg >> d.version.CompareShift()
	in.Flag = d.version.CompareShift() == 5 && r.Arg&16 != 0
	if in.Arg > opcode.Ge {
		// The operators behind >= in the order of cmp_op.
		old := [...]struct {
			op  opcode.Op
			arg int
		}{{opcode.ContainsOp, 0}, {opcode.ContainsOp, 1}, {opcode.IsOp, 0}, {opcode.IsOp, 1}, {opcode.ExcMatch, 0}}
		i := in.Arg - opcode.Ge - 1
		if r.Info.Kind != opcode.ArgOldCompare || i >= len(old) {
			return errorf(d.code, r.Offset, "comparison %d", in.Arg)
		}
		in.Op, in.Arg = old[i].op, old[i].arg
	}
	d.emit(in)
	return nil
}

// binary emits BinaryOp or, for the operator [] of 3.14, Subscr. The order of
// the operators is checked by gen.
func (d *decoder) binary(r *Raw, in Instr) error {
	const plain = opcode.Xor + 1
	switch {
	case r.Arg >= len(d.table.BinaryOps):
		return errorf(d.code, r.Offset, "operator %d of %d", r.Arg, len(d.table.BinaryOps))
	case r.Arg < plain:
		in.Arg = r.Arg
	case r.Arg < 2*plain:
		in.Arg = r.Arg - plain | opcode.InPlace
	default:
		in.Op = opcode.Subscr
	}
	d.emit(in)
	return nil
}

// intrinsics maps CPython's names of CALL_INTRINSIC_1 and _2 kinds to Ops.
var intrinsics = map[string]struct {
	op  opcode.Op
	arg int
}{
	"INTRINSIC_PRINT":                    {opcode.PrintExpr, 0},
	"INTRINSIC_IMPORT_STAR":              {opcode.ImportStar, 0},
	"INTRINSIC_STOPITERATION_ERROR":      {opcode.StopIterationError, 0},
	"INTRINSIC_ASYNC_GEN_WRAP":           {opcode.AsyncGenWrap, 0},
	"INTRINSIC_UNARY_POSITIVE":           {opcode.UnaryOp, opcode.UnaryPos},
	"INTRINSIC_LIST_TO_TUPLE":            {opcode.ListToTuple, 0},
	"INTRINSIC_TYPEVAR":                  {opcode.Intrinsic1, opcode.IntrinsicTypeVar},
	"INTRINSIC_PARAMSPEC":                {opcode.Intrinsic1, opcode.IntrinsicParamSpec},
	"INTRINSIC_TYPEVARTUPLE":             {opcode.Intrinsic1, opcode.IntrinsicTypeVarTuple},
	"INTRINSIC_SUBSCRIPT_GENERIC":        {opcode.Intrinsic1, opcode.IntrinsicSubscriptGeneric},
	"INTRINSIC_TYPEALIAS":                {opcode.Intrinsic1, opcode.IntrinsicTypeAlias},
	"INTRINSIC_PREP_RERAISE_STAR":        {opcode.PrepReraiseStar, 0},
	"INTRINSIC_TYPEVAR_WITH_BOUND":       {opcode.Intrinsic2, opcode.IntrinsicTypeVarWithBound},
	"INTRINSIC_TYPEVAR_WITH_CONSTRAINTS": {opcode.Intrinsic2, opcode.IntrinsicTypeVarWithConstraints},
	"INTRINSIC_SET_FUNCTION_TYPE_PARAMS": {opcode.Intrinsic2, opcode.IntrinsicSetFunctionTypeParams},
	"INTRINSIC_SET_TYPEPARAM_DEFAULT":    {opcode.Intrinsic2, opcode.IntrinsicSetTypeparamDefault},
}

// intrinsic emits the Op of a CALL_INTRINSIC. The two that are statements leave
// None on the stack, which their Ops of the versions before do not.
func (d *decoder) intrinsic(r *Raw, in Instr) error {
	names := d.table.Intrinsics1
	if r.Info.Kind == opcode.ArgIntrinsic2 {
		names = d.table.Intrinsics2
	}
	if r.Arg >= len(names) {
		return errorf(d.code, r.Offset, "%s %d of %d", r.Info.Name, r.Arg, len(names))
	}
	m, ok := intrinsics[names[r.Arg]]
	if !ok {
		return errorf(d.code, r.Offset, "%s %d (%s)", r.Info.Name, r.Arg, names[r.Arg])
	}
	in.Op, in.Arg = m.op, m.arg
	d.emit(in)
	if m.op == opcode.PrintExpr || m.op == opcode.ImportStar {
		in.Op, in.Const = opcode.LoadConst, commonConsts[0]
		d.emit(in)
	}
	return nil
}
