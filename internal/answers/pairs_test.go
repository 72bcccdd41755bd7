package answers

import "testing"

// The same program in another folder is the same program.
func TestFilesOfTwoCheckouts(t *testing.T) {
	session := func(files ...string) *Session {
		s := &Session{}
		for _, f := range files {
			s.Sources = append(s.Sources, Source{File: f})
		}
		return s
	}
	same := pairFiles(
		session("/old/train.py", "/old/pa/model.py", "/old/pb/model.py", "/env/a/site-packages/x/cache.py", "/old/gone.py", `C:\old\win.py`, "/q/a/odd.py", "/q/b/odd.py"),
		session("/new/train.py", "/new/pa/model.py", "/new/pb/model.py", "/env/b/site-packages/x/cache.py", "/new/added.py", `D:\new\win.py`, "/r/odd.py"))
	for _, c := range []struct {
		before, after string
		want          bool
	}{
		{"/old/train.py", "/new/train.py", true},
		{"/old/pa/model.py", "/new/pa/model.py", true},
		{"/old/pa/model.py", "/new/pb/model.py", false},
		{"/old/pb/model.py", "/new/pb/model.py", true},
		{"/env/a/site-packages/x/cache.py", "/env/b/site-packages/x/cache.py", true},
		{`C:\old\win.py`, `D:\new\win.py`, true},
		{"/old/gone.py", "/new/added.py", false},
		{"/q/a/odd.py", "/r/odd.py", false}, // it may be either of two
	} {
		if got := same(c.before) == same(c.after); got != c.want {
			t.Errorf("%s and %s: %v", c.before, c.after, got)
		}
	}
	b := func(file string) *Session {
		return &Session{BreakLines: []BreakLine{{File: file, Line: 3, Code: "print(x)"}}, Causes: []Cause{{Kind: KindSize, File: file, Subjects: []string{"x.size(0)"}}}, Spent: []Spent{{Function: "f", File: file}}}
	}
	if d := Compare(b("/old/train.py"), b("/new/train.py")); len(d.NewBreaks)+len(d.GoneBreaks)+len(d.NewCauses)+len(d.GoneCauses) > 0 {
		t.Errorf("%+v", d)
	}
}
