package lift

import (
	"strings"

	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
	"github.com/thuml/depyf/internal/pyprint"
)

// stepName executes what loads, stores and deletes constants and variables.
func (m *machine) stepName() bool {
	in := m.in
	switch in.Op {
	case opcode.LoadConst:
		m.loadConst()
	case opcode.LoadFast:
		if hiddenName(in.Name) {
			m.loadHidden(in.Name)
			break
		}
		if strings.HasPrefix(in.Name, ".") {
			m.push(&Value{Kind: KIter, E: pyast.N(in.Name)})
			break
		}
		m.pushE(pyast.N(in.Name))
	case opcode.LoadName, opcode.LoadGlobal, opcode.LoadDeref, opcode.LoadClassDeref:
		if in.Op == opcode.LoadGlobal && AssertsByName(m.code, in.Name) {
			m.pushE(&pyast.Verbatim{Text: in.Name, Prec: pyast.VerbatimAtom})
			break
		}
		if hiddenName(in.Name) {
			m.loadHidden(in.Name)
			break
		}
		m.pushE(pyast.N(in.Name))
	case opcode.LoadFromDictOrDeref, opcode.LoadFromDictOrGlobals:
		m.pop()
		m.pushE(pyast.N(in.Name))
	case opcode.LoadLocals:
		m.pushE(pyast.CallE(pyast.N("locals")))
	case opcode.LoadClosure:
		m.push(&Value{Kind: KClosure, E: pyast.N(in.Name)})
	case opcode.StoreFast, opcode.StoreName, opcode.StoreGlobal, opcode.StoreDeref:
		if hiddenName(in.Name) {
			m.storeHidden(in.Name, m.pop())
			break
		}
		m.store(pyast.N(in.Name))
	case opcode.DeleteFast, opcode.DeleteName, opcode.DeleteGlobal, opcode.DeleteDeref:
		m.emit(&pyast.Delete{Targets: []pyast.Expr{pyast.N(in.Name)}})
	case opcode.LoadBuildClass:
		m.push(&Value{Kind: KBuild})
	case opcode.LoadCommon:
		if in.Arg == opcode.CommonAssertionError {
			// Only an assert statement loads it this way; sugar looks for it.
			m.pushE(&pyast.Verbatim{Text: commonNames[in.Arg], Prec: pyast.VerbatimAtom})
			break
		}
		m.pushE(pyast.N(commonNames[in.Arg]))
	default:
		return false
	}
	return true
}

// loadConst pushes a constant, or the code of a function.
func (m *machine) loadConst() {
	in := m.in
	if c, ok := in.Const.(*pyc.Code); ok {
		m.push(&Value{Kind: KCode, Line: int(in.Pos.Line), special: &special{code: c}})
		return
	}
	m.pushE(m.constant(in.Const))
	if top := m.peek(1); m.g.CFG.Waiting[in.Offset] {
		top.E = m.noLiteral(top.E)
		return
	}
	if _, ok := in.Const.(pyc.Tuple); ok {
		m.peek(1).Attr = tupleBuilt
	}
}

// stepMember executes what loads, stores and deletes attributes and items.
func (m *machine) stepMember() bool {
	in := m.in
	switch in.Op {
	case opcode.LoadAttr:
		v := m.pop()
		if v.Kind == KImport {
			m.fail("attribute of an unstored import")
		}
		e := m.expr(v)
		m.pushE(m.attribute(e))
		if m.spelt() {
			top := m.peek(1)
			top.Obj, top.Attr = v, in.Name
		}
	case opcode.LoadMethod:
		e := m.popE()
		m.pushE(m.attribute(e))
		m.push(&Value{Kind: KSelf})
	case opcode.LoadSuperAttr:
		args := m.popN(3)
		var call pyast.Expr = pyast.CallE(args[0])
		if in.Arg&2 != 0 {
			call = pyast.CallE(args[0], args[1], args[2])
		}
		m.pushE(pyast.Attr(call, in.Name))
		if in.Arg&1 != 0 {
			m.push(&Value{Kind: KSelf})
		}
	case opcode.StoreAttr:
		obj := m.pop()
		if !m.spelt() {
			value := m.kept(m.pop())
			m.emit(&pyast.ExprStmt{Value: pyast.CallE(m.builtin("setattr"), m.expr(obj), m.nameConst(), value)})
			break
		}
		if m.storesBack(Value{Obj: obj, Attr: in.Name}) {
			break
		}
		m.store(pyast.Attr(m.expr(obj), in.Name))
	case opcode.DeleteAttr:
		if !m.spelt() {
			m.emit(&pyast.ExprStmt{Value: pyast.CallE(m.builtin("delattr"), m.popE(), m.nameConst())})
			break
		}
		m.emit(&pyast.Delete{Targets: []pyast.Expr{pyast.Attr(m.popE(), in.Name)}})
	case opcode.StoreSubscr:
		idx, obj := m.pop(), m.pop()
		if m.storesBack(Value{Obj: obj, compound: &compound{idx: idx}}) {
			break
		}
		o := m.expr(obj)
		m.store(pyast.Index(o, m.index(idx)))
	case opcode.StoreSlice:
		hi, lo, obj := m.pop(), m.pop(), m.pop()
		if m.storesBack(Value{Obj: obj, compound: &compound{idx: lo, idx2: hi}}) {
			break
		}
		o := m.expr(obj)
		l := m.expr(lo)
		m.store(pyast.Index(o, m.slice(l, m.expr(hi), nil)))
	case opcode.DeleteSubscr:
		idx := m.pop()
		o := m.popE()
		m.emit(&pyast.Delete{Targets: []pyast.Expr{pyast.Index(o, m.index(idx))}})
	default:
		return false
	}
	return true
}

// spelt reports whether the source can write the name of an attribute behind a dot. Dynamo turns
// setattr(o, "a b", 1) into a STORE_ATTR, whatever the name is; no compiler does.
func (m *machine) spelt() bool {
	return !m.b.Src.Handmade && !m.g.dynamo || pyprint.ValidName(m.in.Name)
}

// attribute is the attribute of obj that the instruction names.
func (m *machine) attribute(obj pyast.Expr) pyast.Expr {
	if m.spelt() {
		return pyast.Attr(obj, m.in.Name)
	}
	return pyast.CallE(m.builtin("getattr"), obj, m.nameConst())
}

func (m *machine) nameConst() pyast.Expr { return pyast.Const(pyc.Str(m.in.Name)) }

// kept is the popped value v for a later use, in a temporary unless it is the same at any time.
func (m *machine) kept(v *Value) pyast.Expr {
	e := m.expr(v)
	if Simple(e) {
		return e
	}
	t := pyast.N(m.g.NewTemp())
	m.emit(pyast.AssignS(t, e))
	*v = Value{Kind: KExpr, E: t, Line: v.Line, seq: v.seq}
	return pyast.Clone[pyast.Expr](t)
}

// storesBack emits the value on top as an augmented assignment if it is the result of one to that attribute
// or item.
func (m *machine) storesBack(to Value) bool {
	v := m.peek(1)
	if v.Aug() == nil {
		return false
	}
	if t := v.Aug().Target; t.Obj != to.Obj || t.Attr != to.Attr || t.Idx() != to.Idx() || t.Idx2() != to.Idx2() {
		return false
	}
	m.pop()
	m.emitAug(v)
	return true
}
