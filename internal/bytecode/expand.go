package bytecode

import (
	"math/big"

	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

// expand appends the instruction or instructions that raws[i] stands for.
// Targets stay byte offsets.
func (d *decoder) expand(i int) error {
	r := &d.raws[i]
	in := d.instr(r)
	if in.Op == opcode.Invalid {
		in.Arg = r.Arg
		d.emit(in)
		return nil
	}
	switch r.Info.Kind {
	case opcode.ArgNone:
		return d.plain(in)
	case opcode.ArgInt:
		in.Arg = r.Arg
		return d.plain(in)
	case opcode.ArgDrop:
		return nil
	case opcode.ArgConst, opcode.ArgReturn, opcode.ArgSmallInt, opcode.ArgCommon:
		return d.constant(r, in)
	case opcode.ArgName, opcode.ArgGlobal, opcode.ArgAttr, opcode.ArgSuper, opcode.ArgImport:
		return d.named(r, in)
	case opcode.ArgLocal:
		return d.local(in, r.Arg)
	case opcode.ArgLoadLoad, opcode.ArgStoreLoad, opcode.ArgStoreStore:
		if err := d.local(in, r.Arg>>4); err != nil {
			return err
		}
		if r.Info.Kind == opcode.ArgStoreLoad {
			in.Op = opcode.LoadFast
		}
		return d.local(in, r.Arg&15)
	case opcode.ArgDeref:
		return d.deref(in, r.Arg)
	case opcode.ArgJump:
		in.Target = r.Target
		in.Flag = in.Op == opcode.Send && !d.version.SendKeepsReceiver()
	case opcode.ArgMatchJump: // JUMP_IF_NOT_EXC_MATCH
		d.emit(in)
		in.Op, in.Target = opcode.PopJumpIfFalse, r.Target
	case opcode.ArgMonitor:
		// Not an edge: sys.monitoring wants to know which loop ends.
	case opcode.ArgCompare, opcode.ArgOldCompare:
		return d.compare(r, in)
	case opcode.ArgBinary:
		return d.binary(r, in)
	case opcode.ArgIntrinsic1, opcode.ArgIntrinsic2:
		return d.intrinsic(r, in)
	case opcode.ArgDupTwo: // a b -> a b a -> a b a b
		d.emit(in)
	case opcode.ArgMakeFunction, opcode.ArgCallEx:
		in.Arg |= r.Arg
	case opcode.ArgResume:
		in.Arg = r.Arg & d.version.ResumeMask()
		in.Flag = r.Arg > d.version.ResumeMask()
	case opcode.ArgYield:
		in.Arg = d.yieldKind(i)
	case opcode.ArgGetIter:
		if r.Arg != 0 {
			in.Op = opcode.GetYieldFromIter
		}
	default:
		return errorf(d.code, r.Offset, "%s cannot be decoded", r.Info.Name)
	}
	d.emit(in)
	return nil
}

func (d *decoder) emit(in Instr) { d.out = append(d.out, in) }

// plain emits an instruction whose operand is its Arg, after setting the Flag
// of those that mean something else in old versions.
func (d *decoder) plain(in Instr) error {
	switch in.Op {
	case opcode.MapAdd:
		in.Flag = d.version.StoresValueFirst()
	case opcode.MatchClass, opcode.MatchKeys:
		in.Flag = d.version.MatchPushesBool()
	case opcode.GetAwaitable, opcode.LoadSpecial:
		if in.Arg > opcode.SpecialAexit {
			return errorf(d.code, in.Offset, "%s with operand %d", in.Op, in.Arg)
		}
	case opcode.Copy, opcode.Swap, opcode.Rot:
		if in.Arg == 0 {
			return errorf(d.code, in.Offset, "%s with operand 0", in.Op)
		}
	case opcode.BuildSlice:
		if in.Arg != 2 && in.Arg != 3 {
			return errorf(d.code, in.Offset, "BUILD_SLICE with operand %d", in.Arg)
		}
	case opcode.Raise:
		if in.Arg > 2 {
			return errorf(d.code, in.Offset, "RAISE_VARARGS with operand %d", in.Arg)
		}
	}
	d.emit(in)
	return nil
}

// constant emits LoadConst, KwNames, LoadCommon, or LoadConst and Return.
func (d *decoder) constant(r *Raw, in Instr) error {
	switch r.Info.Kind {
	case opcode.ArgSmallInt:
		in.Const = pyc.Int{Big: big.NewInt(int64(r.Arg))}
	case opcode.ArgCommon:
		if r.Arg >= len(d.table.Commons) {
			return errorf(d.code, r.Offset, "common constant %d of %d", r.Arg, len(d.table.Commons))
		}
		if in.Arg = r.Arg; r.Arg > opcode.CommonSet {
			in.Op, in.Arg, in.Const = opcode.LoadConst, 0, commonConsts[r.Arg-opcode.CommonSet-1]
		}
	default:
		if r.Arg >= len(d.code.Consts) {
			return errorf(d.code, r.Offset, "constant %d of %d", r.Arg, len(d.code.Consts))
		}
		in.Const = d.code.Consts[r.Arg]
		if _, isTuple := in.Const.(pyc.Tuple); in.Op == opcode.KwNames && !isTuple {
			return errorf(d.code, r.Offset, "KW_NAMES of a %s", pyc.TypeName(in.Const))
		}
	}
	d.emit(in)
	if r.Info.Kind == opcode.ArgReturn {
		in.Op, in.Const = opcode.Return, nil
		d.emit(in)
	}
	return nil
}

// commonConsts are the values that LOAD_COMMON_CONSTANT has behind CommonSet
// (3.15) and that are ordinary constants; a test compares them with the table.
var commonConsts = [...]pyc.Const{
	pyc.None{}, pyc.Str(""), pyc.Bool(true), pyc.Bool(false), pyc.NewInt(-1),
}

// named emits an instruction with an index into co_names, which some versions
// shift to make room for flags.
func (d *decoder) named(r *Raw, in Instr) error {
	shift := 0
	switch r.Info.Kind {
	case opcode.ArgGlobal, opcode.ArgAttr:
		shift = 1
	case opcode.ArgSuper, opcode.ArgImport:
		shift = 2
	}
	flags := r.Arg & (1<<shift - 1)
	if r.Arg>>shift >= len(d.code.Names) {
		return errorf(d.code, r.Offset, "name %d of %d", r.Arg>>shift, len(d.code.Names))
	}
	in.Name = d.code.Names[r.Arg>>shift]
	null := Instr{Op: opcode.PushNull, Target: -1, Offset: in.Offset, Pos: in.Pos, Raw: in.Raw, RawArg: in.RawArg}
	switch r.Info.Kind {
	case opcode.ArgGlobal:
		if flags != 0 && !d.version.NullAfterCallable() {
			d.emit(null)
		}
	case opcode.ArgAttr:
		if flags != 0 {
			in.Op = opcode.LoadMethod
		}
	case opcode.ArgSuper, opcode.ArgImport:
		in.Arg = flags
	}
	d.emit(in)
	if r.Info.Kind == opcode.ArgGlobal && flags != 0 && d.version.NullAfterCallable() {
		d.emit(null)
	}
	return nil
}

// local emits an instruction on a slot. From 3.13 LOAD_FAST of a slot that
// holds a cell is LOAD_CLOSURE; Dynamo writes it in older versions too.
func (d *decoder) local(in Instr, slot int) error {
	if slot >= len(d.vars) {
		return errorf(d.code, in.Offset, "variable %d of %d", slot, len(d.vars))
	}
	in.Name = d.vars[slot]
	if d.code.LocalsPlusKinds[slot]&(pyc.KindCell|pyc.KindFree) != 0 {
		if in.Op == opcode.LoadFast {
			in.Op, in.Arg = opcode.LoadClosure, 0
		} else {
			in.Flag = d.code.SharesName(in.Name)
		}
	}
	d.emit(in)
	return nil
}

// deref emits an instruction on a cell or free variable.
func (d *decoder) deref(in Instr, arg int) error {
	slot := arg + d.firstCell
	if slot >= len(d.vars) {
		return errorf(d.code, in.Offset, "cell %d of %d", arg, len(d.vars)-d.firstCell)
	}
	in.Name = d.vars[slot]
	d.emit(in)
	return nil
}
