package generate

import (
	"fmt"

	"github.com/thuml/depyf/internal/decompile"
	"github.com/thuml/depyf/internal/equiv"
	"github.com/thuml/depyf/internal/lower"
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// Proofs counts how the proof by lowering and that by recompilation agree.
type Proofs struct {
	Exact    int // programs whose text recompilation calls exact
	Missed   int // of these, not proven by lowering
	Rejected int // pairs of a program and another's text that recompilation calls different
	Wrong    int // of these, proven by lowering
	// What is said of the first that is missed or wrong.
	Complaint string
}

// Proofs compares both proofs of a program's text, and has both compare the program with the
// text of another one.
func (j *Judge) Proofs(p, other *Program, sum *Proofs) {
	code, tree, ok := j.tree(p)
	if !ok {
		return
	}
	complain := func(format string, a ...any) {
		if sum.Complaint == "" {
			sum.Complaint = fmt.Sprintf(format, a...)
		}
	}
	if again, text := j.recompiled(tree); again != nil && equiv.Compare(code, again, equiv.Options{}).Equal {
		sum.Exact++
		if why := notLowered(code, tree); why != "" {
			sum.Missed++
			complain("not proven by lowering: %s\n%s", why, text)
		}
	}
	_, mutant, ok := j.tree(other)
	if !ok {
		return
	}
	again, text := j.recompiled(mutant)
	if again == nil {
		return
	}
	res := equiv.Compare(code, again, equiv.Options{})
	if res.Equal {
		return
	}
	sum.Rejected++
	if notLowered(code, mutant) == "" {
		sum.Wrong++
		was, _ := p.Text(j.Version)
		complain("proven by lowering, and different: %s\n%s\nof\n%s", res.Diff.String(), text, was)
	}
}

// tree is a program's code, and the tree that it is decompiled to.
func (j *Judge) tree(p *Program) (*pyc.Code, *pyast.Module, bool) {
	text, err := p.Text(j.Version)
	if err != nil {
		return nil, nil, false
	}
	code, err := j.pools[p.Layout.Optimize].Compile(text, "generated.py")
	if err != nil {
		return nil, nil, false
	}
	var tree *pyast.Module
	r, _ := decompile.ModuleScore(code, decompile.Options{NoProof: true, Printed: func(m *pyast.Module) { tree = m }})
	return code, tree, tree != nil && len(r.Problems) == 0
}

// recompiled compiles the text of a tree, as a host does: without optimizing, which would leave assertions out.
func (j *Judge) recompiled(tree *pyast.Module) (*pyc.Code, string) {
	q := Program{Module: tree, Layout: Layout{Width: 88, Indent: printed}}
	text, err := q.Text(j.Version)
	if err != nil {
		return nil, text
	}
	code, err := j.pools[0].Compile(text, "generated.py")
	if err != nil {
		return nil, text
	}
	return code, text
}

// notLowered says why a tree is not proven by lowering; nothing if it is.
func notLowered(code *pyc.Code, tree *pyast.Module) string {
	again, funcs, err := lower.Module(tree, code.Version, 0)
	if err != nil {
		return err.Error()
	}
	res := equiv.Compare(code, again, equiv.Options{Lowered: funcs})
	if res.Equal {
		return ""
	}
	return res.Diff.String()
}
