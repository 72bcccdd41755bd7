package pyast

// Choice returns an expression that compiles to c and is no constant to the compiler's
// folding (Python/ast_opt.c and Python/flowgraph.c of CPython): `1 if True else 1`, as what
// stood in the source chose by a constant, too. What it did not choose cannot be told.
func Choice(c *Constant) Expr {
	again := *c
	return &IfExp{Pos: c.Pos, Test: Bool(true), Body: c, OrElse: &again}
}

// Chosen returns the constant of a Choice.
func Chosen(e Expr) (*Constant, bool) {
	x, ok := e.(*IfExp)
	if !ok || !Equal(x.Test, Bool(true)) || !Equal(x.Body, x.OrElse) {
		return nil, false
	}
	c, ok := x.Body.(*Constant)
	return c, ok
}
