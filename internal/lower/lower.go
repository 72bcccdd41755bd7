package lower

import (
	"fmt"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// Module lowers a module's tree for one CPython version. inherited are the flags of __future__
// that hold without an import. The code objects have no bytes: their instructions are in the
// map. The error says what of the tree is not supported.
func Module(m *pyast.Module, v pyc.Version, inherited pyc.CodeFlags) (code *pyc.Code, funcs map[*pyc.Code]*bytecode.Func, err error) {
	err = attempt(func() {
		l := newLowerer(m, v, inherited)
		l.enter(l.t.module, "<module>")
		l.suite(m.Body)
		l.none()
		l.op(opcode.Return)
		code, funcs = l.leave(), l.funcs
	})
	return code, funcs, err
}

func newLowerer(m *pyast.Module, v pyc.Version, inherited pyc.CodeFlags) *lowerer {
	l := &lowerer{v: v, funcs: map[*pyc.Code]*bytecode.Func{}, made: map[origin]*pyc.Code{}}
	flags, annotations := futures(m, v)
	l.flags = flags | inherited
	l.t = newTable(m, v, annotations || (&pyc.Code{Version: v, Flags: inherited}).FutureAnnotations())
	return l
}

// attempt does what may give up.
func attempt(f func()) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case unsupported:
			err = fmt.Errorf("cannot lower %s", r.what)
		default:
			panic(r)
		}
	}()
	f()
	return nil
}

// futures are the flags that imports from __future__ give every code object of a module.
func futures(m *pyast.Module, v pyc.Version) (flags pyc.CodeFlags, annotations bool) {
	// The others have been the rule for so long that they set nothing (Python/future.c). The
	// bits moved by four in 3.9, and in a bug fix release of 3.8.
	bits := map[string]pyc.CodeFlags{"barry_as_FLUFL": 0x400000, "annotations": 0x1000000}
	for i, s := range m.Body {
		switch s := s.(type) {
		case *pyast.Comment, *pyast.Blank:
		case *pyast.ExprStmt:
			if i > 0 && len(m.Body) > 0 {
				// Only a docstring may stand before.
				if _, ok := docstringOf(m.Body); !ok {
					return flags, annotations
				}
			}
		case *pyast.ImportFrom:
			if s.Module != "__future__" {
				return flags, annotations
			}
			for _, a := range s.Names {
				f := bits[a.Name]
				if v.SharesFinallyBody() && v.HasLoopBlocks() {
					f >>= 4
				}
				flags |= f
				if a.Name == "annotations" {
					annotations = true
				}
			}
		default:
			return flags, annotations
		}
	}
	return flags, annotations
}
