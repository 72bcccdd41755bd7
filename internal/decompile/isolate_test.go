package decompile

import (
	"fmt"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/cases"
	"github.com/thuml/depyf/internal/pyc"
)

// caseCode is the compiled module of a case.
func caseCode(t *testing.T, v pyc.Version, name string) *pyc.Code {
	t.Helper()
	codes, err := cases.Compiled(casesDir, v)
	if err != nil {
		t.Fatal(err)
	}
	if codes[name] == nil {
		t.Fatalf("%v: no case %s", v, name)
	}
	return codes[name]
}

// TestIsolated lets a compiler refuse one function: it becomes a stub, and
// nothing else does.
func TestIsolated(t *testing.T) {
	for v := pyc.Oldest; v <= pyc.Newest; v++ {
		code := caseCode(t, v, "try/behind_clause")
		calls := 0
		res, err := Module(code, Options{Compile: func(text, _ string, _ pyc.CodeFlags) (*pyc.Code, error) {
			calls++
			for i, line := range strings.Split(text, "\n") {
				if strings.Contains(line, `f = self.d[tag]`) {
					return nil, fmt.Errorf("SyntaxError: refused (x.py, line %d)", i+1)
				}
			}
			return code, nil
		}})
		if err != nil {
			t.Fatal(err)
		}
		if calls < 2 || calls > 1+int(asStub) {
			t.Errorf("%v: compiled %d times: as it reads best, in each other way that there is for the function, as a stub", v, calls)
		}
		for _, o := range res.Objects {
			if bad := o.Verdict == Partial; bad != (o.QualName == "k") {
				t.Errorf("%v: %s is %s: %s", v, o.QualName, o.Verdict, o.Detail)
			}
		}
		if !strings.Contains(res.Source, "refused") || !strings.Contains(res.Source, "return self[k]") {
			t.Errorf("%v: got\n%s", v, res.Source)
		}
	}
}

// TestNothingThatIsRefusedIsLeft is for a compiler that refuses every text but a stub, of a module
// and of a function: a stub is what comes out.
func TestNothingThatIsRefusedIsLeft(t *testing.T) {
	calls := 0
	compile := func(text, _ string, _ pyc.CodeFlags) (*pyc.Code, error) {
		calls++
		for line := range strings.SplitSeq(text, "\n") {
			switch s := strings.TrimSpace(line); {
			case s == "", strings.HasPrefix(s, "#"), strings.HasPrefix(s, "def "), strings.HasPrefix(s, "raise NotImplementedError("):
			default:
				return nil, fmt.Errorf("SyntaxError: refused (x.py, line 1)")
			}
		}
		return &pyc.Code{Version: pyc.V313, Name: "<module>"}, nil
	}
	code := caseCode(t, pyc.V313, "try/behind_clause")
	res, err := Module(code, Options{Compile: compile})
	if err != nil || res.Verdict != Partial || !strings.Contains(res.Source, "raise NotImplementedError(") {
		t.Errorf("the module is %s: %s, %v\n%s", res.Verdict, res.Detail, err, res.Source)
	}
	if calls > maxRetries+2 {
		t.Errorf("a module is compiled %d times", calls)
	}
	res, err = Func(firstFunction(code), Options{Compile: compile})
	if err != nil || res.Verdict != Partial || !strings.Contains(res.Source, "raise NotImplementedError(") {
		t.Errorf("the function is %s: %s, %v\n%s", res.Verdict, res.Detail, err, res.Source)
	}
}

// TestIsolatedGivesUp is for a compiler that refuses everything.
func TestIsolatedGivesUp(t *testing.T) {
	code := caseCode(t, pyc.V313, "try/behind_clause")
	res, err := Module(code, Options{Compile: func(string, string, pyc.CodeFlags) (*pyc.Code, error) {
		return nil, fmt.Errorf("SyntaxError: refused (x.py, line 2)")
	}})
	if err != nil || res.Verdict != Differs || !strings.Contains(res.Detail, "does not compile") {
		t.Fatalf("%v %v", res, err)
	}
}
