package decompile

import (
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// placeholder is what stands in a body that does nothing: `...` or `pass`. It has no
// instruction, but the return behind it bears its place, of which the width tells:
//
//	def f(a) -> int: ...        RETURN_CONST None   1:17-20
//
// It is nil where the place is that of the def (until 3.12, on the same line), or where
// there are no columns.
func (u *unit) placeholder() pyast.Stmt {
	if !u.code.Version.HasColumns() || u.opt.Dynamo {
		return nil
	}
	instrs := u.decoded()
	for i := len(instrs) - 1; i > 0; i-- {
		if instrs[i].Op != opcode.Return {
			continue
		}
		p := instrs[i].Pos
		if p.Line <= 0 || p.EndLine != p.Line || p.Col < 0 {
			return nil
		}
		switch p.EndCol - p.Col {
		case int32(len("...")):
			return pyast.ES(pyast.Const(pyc.Ellipsis{}))
		case int32(len("pass")):
			return &pyast.Pass{}
		}
		return nil
	}
	return nil
}
