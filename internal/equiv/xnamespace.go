package equiv

import (
	"errors"
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
func withOwnVariables(fa, fb *bytecode.Func) (*bytecode.Func, []string, error) {
	if fb.Code.IsFunction() {
		return fb, nil, nil
	}
	var own []string
	var known map[string]bool
	mine := map[string]bool{}
	for i := range fb.Instrs {
		x := &fb.Instrs[i]
		if x.Op != opcode.StoreName || mine[x.Name] {
			continue
		}
		if known == nil {
			known = map[string]bool{}
			if err := globalNames(fa, known); err != nil {
				return nil, nil, err
			}
		}
		if !known[x.Name] {
			own, mine[x.Name] = append(own, x.Name), true
		}
	}
	if own == nil {
		return fb, nil, nil
	}
	for _, looks := range lookers {
		if known[looks] {
			return nil, nil, errors.New("the code may look at its own variables")
		}
	}
	again := *fb
	again.Instrs = slices.Clone(fb.Instrs)
	for i := range again.Instrs {
		x := &again.Instrs[i]
		if as, is := asVariable[x.Op]; is && mine[x.Name] {
			x.Op, x.Arg, x.Flag = as, 1, false // every load checks that there is a value
		}
	}
	return &again, own, nil
}

// lookers are the functions that list a namespace.
var lookers = []string{"globals", "locals", "vars", "dir", "eval", "exec"}

var asVariable = map[opcode.Op]opcode.Op{
	opcode.LoadName: opcode.LoadFast, opcode.StoreName: opcode.StoreFast, opcode.DeleteName: opcode.DeleteFast,
}

var usesNamespace = setOf(
	opcode.LoadName, opcode.StoreName, opcode.DeleteName, opcode.LoadGlobal, opcode.StoreGlobal, opcode.DeleteGlobal, opcode.LoadFromDictOrGlobals,
)

// globalNames collects the names that code, and code inside of it, looks up in a namespace or stores there.
func globalNames(f *bytecode.Func, to map[string]bool) error {
	for i := range f.Instrs {
		if x := &f.Instrs[i]; usesNamespace[x.Op] {
			to[x.Name] = true
		}
	}
	for _, k := range f.Code.Consts {
		if c, ok := k.(*pyc.Code); ok {
			inner, err := bytecode.Decode(c)
			if err != nil {
				return err
			}
			if err := globalNames(inner, to); err != nil {
				return err
			}
		}
	}
	return nil
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
