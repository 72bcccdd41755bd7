package generate

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// The same seed gives the same text, and another seed another one.
func TestReproducible(t *testing.T) {
	seen := map[string]bool{}
	for seed := range uint64(200) {
		first, err := New(KindGrammar, seed, pyc.V312, nil).Text(pyc.V312)
		if err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
		if again, _ := New(KindGrammar, seed, pyc.V312, nil).Text(pyc.V312); again != first {
			t.Errorf("seed %d gives two texts:\n%s\n%s", seed, first, again)
		}
		seen[first] = true
	}
	if len(seen) < 199 {
		t.Errorf("only %d texts", len(seen))
	}
}

// Every kind of node that a version has occurs.
func TestWholeGrammar(t *testing.T) {
	later := map[string]func(pyc.Version) bool{
		"NamedExpr": pyc.Version.HasWalrus, "TemplateStr": pyc.Version.HasTemplateStrings, "Interpolation": pyc.Version.HasTemplateStrings,
		"TypeAlias": pyc.Version.HasTypeParams, "TypeVar": pyc.Version.HasTypeParams, "TypeVarTuple": pyc.Version.HasTypeParams, "ParamSpec": pyc.Version.HasTypeParams,
	}
	for _, p := range []string{"Match", "MatchCase", "MatchValue", "MatchSingleton", "MatchSequence", "MatchMapping", "MatchClass", "MatchStar", "MatchAs", "MatchOr"} {
		later[p] = pyc.Version.HasMatch
	}
	never := []string{"Verbatim", "Hole", "Comment", "Blank"}
	for v := pyc.Oldest; v <= pyc.Newest; v++ {
		seen := map[string]bool{}
		for seed := range uint64(3000) {
			pyast.Inspect(New(KindGrammar, seed, v, nil).Module, func(n pyast.Node) bool {
				seen[reflect.TypeOf(n).Elem().Name()] = true
				return true
			})
		}
		for _, name := range nodeNames {
			has := later[name]
			switch {
			case slices.Contains(never, name):
			case has != nil && !has(v):
				if seen[name] {
					t.Errorf("%s has no %s", v, name)
				}
			case !seen[name]:
				t.Errorf("%s: no program has a %s", v, name)
			}
		}
	}
}

// nodeNames are the statements, expressions and patterns of pyast.
var nodeNames = []string{
	"Module", "FunctionDef", "ClassDef", "Return", "Delete", "Assign", "TypeAlias", "AugAssign", "AnnAssign", "For", "While", "If", "With", "Match",
	"Raise", "Try", "Assert", "Import", "ImportFrom", "Global", "Nonlocal", "ExprStmt", "Pass", "Break", "Continue", "ExceptHandler", "WithItem", "Alias",
	"TypeVar", "ParamSpec", "TypeVarTuple", "BoolOp", "NamedExpr", "BinOp", "UnaryOp", "Lambda", "IfExp", "Dict", "Set", "ListComp", "SetComp", "DictComp",
	"GeneratorExp", "Await", "Yield", "YieldFrom", "Compare", "Call", "FormattedValue", "JoinedStr", "Interpolation", "TemplateStr", "Constant", "Attribute",
	"Subscript", "Starred", "Name", "List", "Tuple", "Slice", "Comprehension", "Keyword", "Arguments", "Arg", "MatchCase", "MatchValue", "MatchSingleton",
	"MatchSequence", "MatchMapping", "MatchClass", "MatchStar", "MatchAs", "MatchOr",
}

// A program that fails for one construct is shrunk to that construct.
func TestShrink(t *testing.T) {
	const v = pyc.V312
	judge := func(p *Program) Outcome {
		text, err := p.Text(v)
		if err != nil {
			return Outcome{Class: Refused}
		}
		out := Outcome{Class: Exact}
		pyast.Inspect(p.Module, func(n pyast.Node) bool {
			if w, ok := n.(*pyast.While); ok && len(w.OrElse) > 0 {
				out = Outcome{Class: Differs, Reason: "a while with else", Text: text}
			}
			return true
		})
		return out
	}
	found := 0
	for seed := range uint64(400) {
		p := New(KindGrammar, seed, v, nil)
		out := judge(p)
		if !out.Class.Failed() {
			continue
		}
		found++
		small, got := Shrink(judge, p, out, 3000)
		if !got.same(out) {
			t.Errorf("seed %d: fails otherwise when shrunk: %v", seed, got)
		}
		text, _ := small.Text(v)
		if want := "while a:\n    pass\nelse:\n    pass\n"; text != want {
			t.Errorf("seed %d is shrunk to\n%s", seed, text)
		}
	}
	if found < 10 {
		t.Errorf("only %d programs to shrink", found)
	}
}

// What is written down otherwise is the same program.
func TestLayout(t *testing.T) {
	const text = "if a:\n    b\nelse:\n    while c:\n        d\n        e\n    f = [\n        1,\n    ]\n"
	l := Layout{Indent: "\t", OneLine: true}
	if got, want := l.apply(text), "if a: b\nelse:\n\twhile c:\n\t\td\n\t\te\n\tf = [\n\t\t1,\n\t]\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Groups hold what has one shape, whatever the names.
func TestGroups(t *testing.T) {
	failure := func(seed uint64, m *pyast.Module) Failure {
		return Failure{Version: pyc.V38, Program: &Program{Seed: seed, Module: m}, Outcome: Outcome{Class: Differs, Reason: "Pop against Return"}, Shrunk: true}
	}
	loop := func(name string) *pyast.Module {
		return &pyast.Module{Body: []pyast.Stmt{&pyast.While{Test: pyast.N(name), Body: []pyast.Stmt{&pyast.Break{}}}}}
	}
	groups := Groups([]Failure{
		failure(1, &pyast.Module{Body: []pyast.Stmt{&pyast.Break{}}}), failure(2, loop("a")), failure(3, loop("b")),
	})
	if len(groups) != 2 || len(groups[0].Failures) != 2 || !strings.Contains(groups[0].Key, "While(Break)") {
		t.Errorf("got %d groups, the first %q with %d", len(groups), groups[0].Key, len(groups[0].Failures))
	}
}
