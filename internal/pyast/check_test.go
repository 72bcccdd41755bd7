package pyast

import (
	"strings"
	"testing"
)

// TestCheck rejects what is no tree of Python's.
func TestCheck(t *testing.T) {
	for _, c := range []struct {
		name string
		list []Stmt
		want string
	}{
		{"a loop that is left", []Stmt{&While{Test: Bool(true), Body: []Stmt{&If{Test: N("a"), Body: []Stmt{&Break{}}}}}}, ""},
		{"a bare return", []Stmt{&Return{}}, ""},
		{"a yield of nothing", []Stmt{ES(&Yield{})}, ""},
		{"a function in a loop", []Stmt{&While{Test: N("a"), Body: []Stmt{&FunctionDef{Name: "f", Args: &Arguments{}, Body: []Stmt{&Return{}}}}}}, ""},
		{"a missing statement", []Stmt{nil}, "a statement is missing"},
		{"a missing statement inside", []Stmt{&If{Test: N("a"), Body: []Stmt{nil}}}, "a statement is missing"},
		{"a break in no loop", []Stmt{&If{Test: N("a"), Body: []Stmt{&Break{}}}}, "a *pyast.Break outside a loop"},
		{"a continue behind a loop", []Stmt{&While{Test: N("a"), OrElse: []Stmt{&Continue{}}}}, "a *pyast.Continue outside a loop"},
		{"a break in a handler", []Stmt{&Try{Handlers: []*ExceptHandler{{Body: []Stmt{&Break{}}}}}}, "a *pyast.Break outside a loop"},
		{"no test", []Stmt{&If{}}, "a If without Test"},
		{"no operand", []Stmt{ES(&BinOp{Left: N("a")})}, "a BinOp without Right"},
		{"no value deep inside", []Stmt{AssignS(N("a"), CallE(N("f"), &Attribute{Attr: "b"}))}, "a Attribute without Value"},
	} {
		err := Check(c.list)
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}
