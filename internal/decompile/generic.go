package decompile

import (
	"fmt"
	"strings"

	"github.com/thuml/depyf/internal/lift"
	"github.com/thuml/depyf/internal/pyast"
)

// Generic lifts the wrapper that makes type parameters and returns the generic
// function, class or alias in it.
func (u *unit) Generic(fn *lift.Func) (*lift.Value, error) {
	n := u.nested(fn.Code)
	v, err := n.generic(fn)
	if err == nil {
		return v, nil
	}
	n.note(err)
	if u.ladder.last == asCompiled {
		return nil, err
	}
	for c := range fn.Code.Inner() {
		if c.IsFunction() && c.Name != "" && strings.HasSuffix(fn.Code.Name, " "+c.Name+">") {
			// Its defaults and type parameters are lost, so it must not run.
			u.ladder.way[c] = asStub
			u.ladder.why[c] = err.Error()
			return lift.FuncOf(&lift.Func{Code: c, Stub: true}), nil
		}
	}
	return &lift.Value{Kind: lift.KExpr, E: n.stubExpr(err)}, nil
}

func (n *unit) generic(fn *lift.Func) (*lift.Value, error) {
	if err := n.refusal(); err != nil {
		return nil, err
	}
	if n.opt.Resist != nil {
		if err := n.opt.Resist(n.code); err != nil {
			return nil, err
		}
	}
	w := n.watch()
	g, err := n.makeGraph(w)
	if err != nil {
		return nil, err
	}
	n.inlined = g.Inlined
	job := &lift.Job{CFG: g, Options: lift.Options{Host: n, Indentation: n.opt.source.Indentation}, Wrapper: true} // annotations may branch
	if err := lift.Passes.Run(job, w); err != nil {
		return nil, fmt.Errorf("%s: %w", fn.Code.Name, err)
	}
	if lg := job.Graph; lg.Result == nil || len(lg.Blocks) != 1 || len(lg.Blocks[0].Stmts) > 0 {
		return nil, fmt.Errorf("%s: type parameters of an unknown shape", fn.Code.Name)
	}
	*n.temps = *n.temps || g.HasTemps()
	return job.Graph.Result, nil
}

// Lazy makes an expression of a function that computes a bound, a default or an alias.
func (u *unit) Lazy(fn *lift.Func) (pyast.Expr, error) {
	n := u.nested(fn.Code)
	return n.expression(n.asValue)
}

// lazyBody is body for such a function: from 3.14 on it takes a format and checks it first, as __annotate__ does.
func (u *unit) lazyBody() ([]pyast.Stmt, error) {
	if u.code.Version.AnnotationsAreLazy() && isLazyValue(u.code) {
		return u.annotateBody()
	}
	return u.body()
}
