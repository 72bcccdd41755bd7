package equiv

import (
	"slices"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

// What a module or a class body stores is there for everybody to see, so each store of a name is an
// effect. A text may need variables that the original has not, to say which block of a
// dispatch loop is next. Such a name, which nothing in the original has, is executed
// as a local variable. It has to be gone when the code returns. Two things are not compared: what
// somebody sees who lists the namespace while the code runs, and what an exception
// that leaves the code leaves there.

// withOwnVariables returns the second code of a module or class with its own names as
// local variables, and these names.
func withOwnVariables(fa, fb *bytecode.Func) (*bytecode.Func, []string) {
	if fb.Code.IsFunction() {
		return fb, nil
	}
	var own []string
	for i := range fb.Instrs {
		if x := &fb.Instrs[i]; x.Op == opcode.StoreName && !slices.Contains(own, x.Name) && !names(fa.Code, x.Name) {
			own = append(own, x.Name)
		}
	}
	if own == nil {
		return fb, nil
	}
	again := *fb
	again.Instrs = slices.Clone(fb.Instrs)
	for i := range again.Instrs {
		x := &again.Instrs[i]
		if as, is := asVariable[x.Op]; is && slices.Contains(own, x.Name) {
			x.Op, x.Arg, x.Flag = as, 1, false // every load checks that there is a value
		}
	}
	return &again, own
}

// lookers are the functions that list a namespace.
var lookers = []string{"globals", "locals", "vars", "dir", "eval", "exec"}

var asVariable = map[opcode.Op]opcode.Op{
	opcode.LoadName: opcode.LoadFast, opcode.StoreName: opcode.StoreFast, opcode.DeleteName: opcode.DeleteFast,
}

// names reports whether code, or code inside of it, has a name for anything.
func names(c *pyc.Code, name string) bool {
	return slices.Contains(c.Names, name) || slices.Contains(c.LocalsPlusNames, name) ||
		slices.ContainsFunc(c.Consts, func(k pyc.Const) bool {
			inner, ok := k.(*pyc.Code)
			return ok && names(inner, name)
		})
}

// leavesOwn fails where the code returns with a variable of its own in the namespace.
func (r *stepper) leavesOwn() bool {
	for _, name := range r.s.own {
		if r.s.locals[name] != nil {
			r.failf("%s stays in the namespace", name)
			return true
		}
	}
	return false
}
