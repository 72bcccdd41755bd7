package listing

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/pyc"
)

// What is assembled is listed again as it was: every operand, and every row of the exception table.
func TestListedAgain(t *testing.T) {
	names, _ := filepath.Glob("../../testdata/listings/*.txt")
	if len(names) != 8 {
		t.Fatalf("%d listings", len(names))
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Read(string(text), Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if want := strings.TrimSuffix(filepath.Base(name), ".txt"); r.Code.Version.String() != want {
			t.Errorf("%s: taken for %v", name, r.Code.Version)
		}
		sections, _, err := parse(string(text))
		if err != nil {
			t.Fatal(err)
		}
		rows := 0
		for _, s := range sections {
			rows += len(s.rows)
		}
		if got := entries(t, r.Code); got != rows {
			t.Errorf("%s: %d rows of exception tables, want %d", name, got, rows)
		}
		raw, err := bytecode.Scan(r.Code)
		if err != nil {
			t.Fatal(err)
		}
		i := 0
		for _, l := range sections[0].lines {
			if l.name == "EXTENDED_ARG" {
				continue
			}
			if raw[i].Info.Name != l.name || raw[i].Arg != l.arg {
				t.Errorf("%s: %s %d, want %s %d", name, raw[i].Info.Name, raw[i].Arg, l.name, l.arg)
			}
			i++
		}
		if i != len(raw) || i < 100 {
			t.Errorf("%s: %d instructions of %d", name, i, len(raw))
		}
		lines := map[int32]bool{}
		for _, p := range bytecode.Positions(r.Code) {
			lines[p.Line] = true
		}
		for n := int32(3); n <= 17; n++ {
			// A def's body, try and finally may have no instruction of their own.
			if !lines[n] && n != 5 && n != 9 && n != 14 {
				t.Errorf("%s: no instruction of line %d", name, n)
			}
		}
	}
}

func entries(t *testing.T, c *pyc.Code) int {
	list, err := bytecode.ExceptionTable(c)
	if err != nil {
		t.Fatal(err)
	}
	n := len(list)
	for _, k := range c.Consts {
		if inner, ok := k.(*pyc.Code); ok {
			n += entries(t, inner)
		}
	}
	return n
}

// A text that claims much costs little.
func TestLargeClaims(t *testing.T) {
	for _, text := range []string{
		"1 0 LOAD_CONST 2000000000 (1)\n", "1 0 LOAD_FAST 70000 (a)\n", "1 0 EXTENDED_ARG 255\n 2 EXTENDED_ARG 65535\n 4 LOAD_CONST 16777215 (1)\n", "1 0 LOAD_FAST -1 (a)\n",
	} {
		if _, err := Read(text, Options{}); err == nil || !strings.Contains(err.Error(), "cannot have the operand") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// The code that another was made of tells parameters that the other does not use.
func TestParametersBefore(t *testing.T) {
	const old = "  3           0 LOAD_FAST                0 (x)\n              2 LOAD_FAST                1 (n)\n              4 BINARY_ADD\n              6 RETURN_VALUE\n"
	const made = "  3           0 LOAD_FAST                0 (x)\n              2 RETURN_VALUE\n"
	before, err := Read(old, Options{Name: "f", Version: pyc.V38})
	if err != nil {
		t.Fatal(err)
	}
	for name, each := range map[string]struct {
		before *pyc.Code
		text   string
		want   string
	}{
		"alone":           {nil, made, "[x] 1"},
		"with it":         {before.Code, made, "[x n] 2"},
		"other variables": {before.Code, strings.ReplaceAll(made, "(x)", "(z)"), "[z] 1"},
	} {
		r, err := Read(each.text, Options{Name: "f", Version: pyc.V38, Before: each.before})
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(r.Code.LocalsPlusNames, " ", r.Code.ArgCount); got != each.want {
			t.Errorf("%s: %s, want %s", name, got, each.want)
		}
	}
}
