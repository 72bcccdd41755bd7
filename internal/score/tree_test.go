package score

import (
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/pyc"
	"github.com/thuml/depyf/internal/pyworker"
)

// TestTrees: what counts as the same tree, and what does not.
func TestTrees(t *testing.T) {
	var trees *Trees
	for v := pyc.Newest; v >= pyc.Oldest && trees == nil; v-- {
		if pool, err := pyworker.NewPool(v, pyworker.Options{Workers: 1}); err == nil {
			path := pool.Path()
			pool.Close()
			if trees, err = NewTrees(path); err != nil {
				t.Fatal(err)
			}
			defer trees.Close()
		}
	}
	if trees == nil {
		t.Skip("NOT RUN: no CPython at hand")
	}
	for _, c := range []struct {
		name, a, b string
		same       bool
	}{
		{"quotes and folding", "x = 'a' 'b' * 2\n y = -1, 2", "x = \"abab\"\n y = (-1, 2)", true},
		{"docstring layout", "'''a\n    b'''\n return 1", "\"\"\"a\n b\"\"\"\n return 1", true},
		{"dead code", "return 1\n print()", "return 1", true},
		{"constant tests", "if 0:\n  a\n while 1:\n  b", "while True:\n  b", true},
		{"local annotations", "x: int = 1\n y: str", "x = 1", true},
		{"global", "a()\n global x\n x = 1", "global x\n a()\n x = 1", true},
		{"not in", "return not a in b", "return a not in b", true},
		{"else", "if a:\n  return 1\n else:\n  return 2", "if a:\n  return 1\n return 2", false},
		{"negation", "if not (a or b):\n  c", "if not a and not b:\n  c", false},
		{"None", "return None", "return", false},
		{"order", "a(b)", "b(a)", false},
		{"percent", "return '%s' % (a,)", "return f'{a!s}'", false},
		{"constants", "return 1", "return True", false},
		{"zeros", "return 0.0", "return -0.0", false},
	} {
		src := func(body string) string { return "class C:\n  def f(a, b):\n" + indent("def g():\n "+body) + "\n" }
		n, diff, err := trees.Compare([]byte(src(c.a)), src(c.b))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if n != 2 || (len(diff) == 0) != c.same {
			t.Errorf("%s: %d functions, %v differ", c.name, n, diff)
		}
	}
	n, diff, err := trees.Compare([]byte("def f(): pass\ndef f(): pass\n"), "def f(): pass\n")
	if err != nil || n != 2 || len(diff) != 1 || diff[0].Kind != "function missing" {
		t.Errorf("a missing function: %d, %v, %v", n, diff, err)
	}
	if _, diff, err = trees.Compare([]byte("def f(): pass\n"), "def"); err != nil || len(diff) != 1 {
		t.Errorf("text that does not parse: %v, %v", diff, err)
	}
}

// TestUntold: differences that the code and its tables tell, and others.
func TestUntold(t *testing.T) {
	for v := pyc.Oldest; v <= pyc.Newest; v++ {
		pool, err := pyworker.NewPool(v, pyworker.Options{Workers: 1})
		if err != nil {
			continue // TestTrees says that there is none at all
		}
		path := pool.Path()
		pool.Close()
		trees, err := NewTrees(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			name, a, b string
			untold     bool
		}{
			{"else", "if a:\n  return a\n else:\n  return b", "if a:\n  return a\n return b", v == pyc.V310}, // before, a dead `return` is left
			{"no room for else", "if a:\n  return a\n return b", "if a:\n  return a\n else:\n  return b", v == pyc.V310},
			{"negation", "if not (a or b):\n  c()", "if not a and not b:\n  c()", !v.HasColumns()},
			{"negation by columns", "if not a and not b:\n  c()", "if not (a or b):\n  c()", !v.HasColumns()},
			{"arms", "return a if b else c", "return c if not b else a", false},
			{"another name", "return a", "return b", false},
		} {
			src := func(body string) string { return "def g(a, b, c):\n " + body + "\n" }
			_, diff, err := trees.Compare([]byte(src(c.a)), src(c.b))
			if err != nil || len(diff) != 1 {
				t.Errorf("%s: %s: %v, %v", v, c.name, diff, err)
				continue
			}
			if diff[0].Untold != c.untold {
				t.Errorf("%s: %s: untold is %v", v, c.name, diff[0].Untold)
			}
		}
		trees.Close()
	}
}

func indent(s string) string {
	return "    " + strings.ReplaceAll(s, "\n", "\n    ")
}
