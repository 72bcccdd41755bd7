package pyprint

import (
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// constant emits a constant. Those without a literal form are written as the
// display or call that makes an equal object.
func (p *printer) constant(c pyc.Const, enclosed bool) {
	switch c := c.(type) {
	case pyc.None:
		p.text("None")
	case pyc.Bool:
		if c {
			p.text("True")
		} else {
			p.text("False")
		}
	case pyc.Ellipsis:
		p.text("...")
	case pyc.StopIteration:
		p.text("StopIteration")
	case pyc.Int, pyc.Float, pyc.Complex:
		s, _ := p.g.number(c)
		p.text(s)
	case pyc.Str:
		p.strConst(string(c))
	case pyc.Bytes:
		p.bytesConst(string(c))
	case pyc.Tuple:
		p.tuple(constExprs(c), enclosed)
	case pyc.List:
		p.bare(&pyast.List{Elts: constExprs(c)}, false)
	case pyc.Set:
		p.bare(&pyast.Set{Elts: constExprs(c)}, false)
	case pyc.FrozenSet:
		var args []pyast.Expr
		if len(c) > 0 {
			args = []pyast.Expr{&pyast.Set{Elts: constExprs(c)}}
		}
		p.bare(pyast.CallE(pyast.N("frozenset"), args...), false)
	case pyc.Dict:
		p.bare(constDict(c), false)
	case pyc.FrozenDict:
		p.bare(pyast.CallE(pyast.N("frozendict"), constDict(c)), false)
	case pyc.Slice:
		p.bare(sliceCall(constOrNil(c.Start), constOrNil(c.Stop), constOrNil(c.Step)), false)
	case *pyc.Opaque:
		p.text(c.Name)
	default:
		p.problem("constant of type %T has no source form", c)
		p.text("...")
	}
}

func constExprs(list []pyc.Const) []pyast.Expr {
	out := make([]pyast.Expr, len(list))
	for i, c := range list {
		out[i] = pyast.Const(c)
	}
	return out
}

func constDict(items []pyc.DictItem) *pyast.Dict {
	d := &pyast.Dict{}
	for _, it := range items {
		d.Keys = append(d.Keys, pyast.Const(it.Key))
		d.Values = append(d.Values, pyast.Const(it.Value))
	}
	return d
}

// constOrNil is the constant as an expression, or nil for None.
func constOrNil(c pyc.Const) pyast.Expr {
	if _, ok := c.(pyc.None); ok || c == nil {
		return nil
	}
	return pyast.Const(c)
}

// sliceCall is slice(lower, upper, step) for places where the syntax with
// colons is not allowed.
func sliceCall(parts ...pyast.Expr) pyast.Expr {
	if parts[2] == nil {
		parts = parts[:2]
	}
	args := make([]pyast.Expr, len(parts))
	for i, x := range parts {
		if x == nil {
			x = pyast.None()
		}
		args[i] = x
	}
	if len(args) == 2 && parts[0] == nil {
		args = args[1:] // slice(stop)
	}
	return pyast.CallE(pyast.N("slice"), args...)
}

// unfrozenIndex turns slice constants, also those inside a constant tuple,
// into slices with colons; 3.14 folds `a[1:2, 3]` into one constant.
func (p *printer) unfrozenIndex(e pyast.Expr) pyast.Expr {
	if t, ok := e.(*pyast.Tuple); ok {
		var out *pyast.Tuple
		for i, x := range t.Elts {
			if y := p.unfrozenIndex(x); y != x {
				if _, ok := y.(*pyast.Slice); !ok {
					continue // a nested tuple is not a subscript
				}
				if out == nil {
					out = &pyast.Tuple{Elts: append([]pyast.Expr(nil), t.Elts...)}
				}
				out.Elts[i] = y
			}
		}
		if out != nil {
			return out
		}
		return e
	}
	c, ok := e.(*pyast.Constant)
	if !ok {
		return e
	}
	switch v := c.Value.(type) {
	case pyc.Slice:
		return &pyast.Slice{Lower: constOrNil(v.Start), Upper: constOrNil(v.Stop), Step: constOrNil(v.Step)}
	case pyc.Tuple:
		out := &pyast.Tuple{}
		for _, x := range v {
			if s, ok := x.(pyc.Slice); ok {
				out.Elts = append(out.Elts, p.unfrozenIndex(pyast.Const(s)))
			} else {
				out.Elts = append(out.Elts, pyast.Const(x))
			}
		}
		return out
	}
	return e
}
