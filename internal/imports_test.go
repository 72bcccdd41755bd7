// Package internal_test checks the order of the packages.
package internal_test

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"strings"
	"testing"
)

const module = "github.com/thuml/depyf/"

// order lists the packages bottom up: each may import only those before it.
var order = []string{
	"lazyregexp", "pyc", "opcode", "pass", "pyast", "bytecode", "evidence", "asm", "listing", "choice", "cfg", "pyprint", "lift", "structure", "sugar", "equiv", "lower", "pyworker",
	"decompile", "passpage", "cases", "score", "generate", "torchlog", "explain", "answers", "browser", "report", "recorded", "ask", "jsonrpc", "mcpserver", "lsp",
	"card", "live", "service",
}

// core may import the standard library and each other only.
var core = map[string]bool{
	"lazyregexp": true, "pyc": true, "opcode": true, "bytecode": true, "evidence": true, "pass": true, "choice": true, "cfg": true, "pyast": true, "pyprint": true, "lift": true,
	"structure": true, "sugar": true, "equiv": true, "lower": true, "decompile": true,
}

func TestImportsGoDown(t *testing.T) {
	rank := map[string]int{}
	for i, p := range order {
		rank[p] = i + 1
	}
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports", "./...")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	dec := json.NewDecoder(strings.NewReader(string(out)))
	n := 0
	for {
		var p struct {
			ImportPath string
			Imports    []string
		}
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		rest, ok := strings.CutPrefix(p.ImportPath, module+"internal/")
		if !ok {
			continue
		}
		name, sub, _ := strings.Cut(rest, "/")
		if rank[name] == 0 {
			t.Errorf("%s has no place in the order of packages", name)
			continue
		}
		n++
		if sub != "" {
			continue // a developer's tool below a package may use everything
		}
		for _, i := range p.Imports {
			if dep, ok := strings.CutPrefix(i, module+"internal/"); ok {
				if rank[dep] == 0 || rank[dep] >= rank[name] {
					t.Errorf("%s imports %s, which is not below it", name, dep)
				}
			} else if core[name] && strings.Contains(i, ".") {
				t.Errorf("%s imports %s: the decompiler core uses the standard library only", name, i)
			}
		}
	}
	if n < len(core)-1 {
		t.Errorf("only %d packages seen", n)
	}
}
