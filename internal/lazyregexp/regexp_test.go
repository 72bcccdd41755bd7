package lazyregexp_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/lazyregexp"
)

func TestFaultIsFoundInTests(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("an expression that does not compile was taken")
		}
	}()
	lazyregexp.New("(")
}

// TestNothingIsCompiledAtStart looks for what a package does before main: every start of the program pays for it.
func TestNothingIsCompiledAtStart(t *testing.T) {
	n := 0
	for _, dir := range []string{"../../cmd", "../../internal", "../../pkg"} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			fset := token.NewFileSet()
			file, err := parser.ParseFile(fset, path, nil, 0)
			if err != nil {
				return err
			}
			n++
			for _, decl := range file.Decls {
				if _, ok := decl.(*ast.GenDecl); ok {
					ast.Inspect(decl, func(node ast.Node) bool { return atStart(t, fset, node) })
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if n < 100 {
		t.Errorf("only %d files were looked at", n)
	}
}

// atStart reports the faults of a node of a declaration, and whether to look into it: a function is called later.
func atStart(t *testing.T, fset *token.FileSet, node ast.Node) bool {
	switch node := node.(type) {
	case *ast.FuncLit:
		return false
	case *ast.SelectorExpr:
		if pkg, ok := node.X.(*ast.Ident); ok && (pkg.Name == "regexp" && node.Sel.Name == "MustCompile" ||
			pkg.Name == "template" && node.Sel.Name == "Must") {
			t.Errorf("%s: %s.%s at the start of the program", fset.Position(node.Pos()), pkg.Name, node.Sel.Name)
		}
	}
	return true
}
