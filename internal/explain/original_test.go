package explain

import (
	"fmt"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/decompile"
	"github.com/thuml/depyf/internal/pyc"
)

// Each resume function holds the rest of the function, so that of forty the texts would be
// twenty times as long as the function: only as much as four times the first is decompiled.
func TestTextOfManyResumeFunctions(t *testing.T) {
	var decompiled []string
	s := open(t, start(t.TempDir()), false)
	s.decompile = func(c *pyc.Code, name string, _ map[string][]string, _ decompile.Origin) (DecompileResult, error) {
		decompiled = append(decompiled, c.Name)
		return DecompileResult{Source: "def " + name + "():\n    pass\n", Verdict: "proved", Proven: true, Name: name}, nil
	}
	const breaks = 40
	for i := range breaks {
		name := fmt.Sprintf("torch_dynamo_resume_in_f_at_%d", i+1)
		old := code(name)
		old.FirstLine, old.Bytecode = i+1, make([]byte, 100*(breaks-i))
		for version := range 2 {
			e := bytecode(fmt.Sprintf("k%d", 2*i+version), fmt.Sprintf("c%d", i), old)
			e["source"] = nil
			event(t, s, "bytecode", e)
		}
	}
	m := s.Model()
	written, size := 0, 0
	for i := range breaks {
		r := m.Original(fmt.Sprintf("c%d", i))
		switch {
		case r.Source != "":
			written, size = written+1, size+100*(breaks-i)
		case r.Verdict != leftOut || !strings.Contains(r.Detail, fmt.Sprintf("those of f from line %d on", i+1)):
			t.Errorf("resume function %d has no text, and is said to be %q: %q", i, r.Verdict, r.Detail)
		}
	}
	if most := 4 * 100 * breaks; size > most || size < most*9/10 {
		t.Errorf("%d bytes of code are written out, want nearly %d", size, most)
	}
	if want := 2*breaks + written; len(decompiled) != want {
		t.Errorf("%d code objects were decompiled, want %d: each version's, and %d originals", len(decompiled), want, written)
	}

	// A function of the same name in the same file that is longer has a share of its own.
	other := code("torch_dynamo_resume_in_f_at_90")
	other.Bytecode = make([]byte, 8000)
	e := bytecode("k99", "c99", other)
	e["source"] = nil
	event(t, s, "bytecode", e)
	if r := s.Model().Original("c99"); r.Source == "" {
		t.Errorf("the rest of another function: %q: %q", r.Verdict, r.Detail)
	}
}
