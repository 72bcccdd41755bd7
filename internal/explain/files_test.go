package explain

import "testing"

func TestFilesAreToldApartByTheirPaths(t *testing.T) {
	var f Files
	for _, p := range []string{"/p/pa/model.py", "/p/pb/model.py", "/project/long.py", "/p/toy.py", "toy.py", "/q/x/pa/deep.py", "/q/y/pa/deep.py", "/p/pb/model.py", `C:\p\win.py`} {
		f.Add(p)
	}
	for in, want := range map[string]string{
		"/p/pa/model.py": "pa/model.py", "/p/pb/model.py": "pb/model.py", "pb/model.py": "pb/model.py", "/p/toy.py": "toy.py", "toy.py": "toy.py",
		"/q/x/pa/deep.py": "x/pa/deep.py", "/never/seen.py": "seen.py", `C:\p\win.py`: "win.py", "": "",
	} {
		if got := f.Name(in); got != want {
			t.Errorf("Name(%q) = %q, want %q", in, got, want)
		}
	}
	if f.Same("/p/pa/model.py", "/p/pb/model.py") || !f.Same("toy.py", "/p/toy.py") || !f.Same("p/pa/model.py", "/p/pa/model.py") || f.Full("roject/long.py") != "/project/long.py" {
		t.Error("Same is wrong")
	}
	if got := f.Place("/p/pa/model.py", 8) + " " + f.Place("", 3) + " " + f.Place("/p/toy.py", 0); got != "pa/model.py:8 an unknown place toy.py" {
		t.Error(got)
	}
}

// What comes from a cache may name a file by the path that it had when it was compiled.
func TestFilesThatWereElsewhere(t *testing.T) {
	graph := func(id, stage, file string) *Artefact {
		return &Artefact{CompileID: id, Stage: stage, Text: "    # File: " + file + ":7 in forward, code: return x\n    sin = x.sin()\n"}
	}
	m := newModel()
	for id, event := range map[string]string{"0/0": "aotautograd_cache_hit", "1/0": "aotautograd_cache_miss"} {
		c := m.compile(id)
		c.Cache = []string{event}
	}
	p := &Program{Model: m, Files: []*Artefact{
		graph("0/0", "Forward_graph", "/old/pa/model.py"), graph("0/0", "Captured_Graph", "/new/pa/model.py"), graph("0/0", "Captured_Graph", "/new/pb/model.py"),
		graph("0/0", "Forward_graph", "/old/twice.py"), graph("0/0", "Captured_Graph", "/new/x/twice.py"), graph("0/0", "Captured_Graph", "/new/y/twice.py"),
		graph("1/0", "Forward_graph", "/other/made.py"), graph("1/0", "Captured_Graph", "/new/made.py"),
	}}
	p.linkFileNames()
	for file, want := range map[string]string{
		"/old/pa/model.py": "/new/pa/model.py", "/new/pa/model.py": "/new/pa/model.py",
		"/old/twice.py":  "/old/twice.py",  // it may be either of two
		"/other/made.py": "/other/made.py", // nothing was taken from a cache
	} {
		if got := p.Places.Full(file); got != want {
			t.Errorf("%s: %s, want %s", file, got, want)
		}
	}
	if got := p.Places.Place("/old/pa/model.py", 7); got != "pa/model.py:7" {
		t.Error(got)
	}
}

func TestUsersLine(t *testing.T) {
	user, library := Frame{File: "/home/u/site/toy.py", Line: 3}, Frame{File: "/v/lib/python3.13/site-packages/torch/nn/modules/linear.py", Line: 134}
	for _, tt := range []struct {
		stack []Frame
		want  Frame
	}{{[]Frame{user, library}, user}, {[]Frame{library}, library}, {[]Frame{{File: "<frozen runpy>"}, user}, user}, {nil, Frame{}}} {
		if got, ok := UsersLine(tt.stack); got != tt.want || ok != (len(tt.stack) > 0) {
			t.Errorf("%v: %v", tt.stack, got)
		}
	}
}

func TestOriginOf(t *testing.T) {
	for in, want := range map[string]Frame{
		"        # File: /p/toy.py:7 in f, code: y = x":                           {"/p/toy.py", 7, "f", "y = x"},
		"        # Backward of forward node: File: toy.py:24 in forward, code: z": {"toy.py", 24, "forward", "z"},
		"        # File: /p/toy.py:7 in f":                                        {"/p/toy.py", 7, "f", ""},
		"        # No stacktrace found for following nodes":                       {},
	} {
		if got, ok := OriginOf(in); got != want || ok != (want.File != "") {
			t.Errorf("%q: %+v", in, got)
		}
	}
}

func TestVariation(t *testing.T) {
	c := &Compile{SizeGuards: []SizeGuard{
		{Expr: "s77 <= 128", At: Frame{File: "a.py", Line: 4}}, {Expr: "s77 > 3"}, {Expr: "Eq(s27, 8)"}, {Expr: "Ne(s5, 7)"}, {Expr: "2*s5 < s77"}, {Expr: "s77 < 1000"},
	}}
	v := c.Variation(Symbol{Name: "s77", Bounds: "[2, int_oo]"})
	if v.Range != "4 to 128" || len(v.Narrow) != 2 || v.Narrow[0].At.Line != 4 || len(v.Others) != 1 || v.Fixed != nil {
		t.Errorf("%+v", v)
	}
	if v = c.Variation(Symbol{Name: "s27", Bounds: "[2, int_oo]"}); v.Fixed == nil || v.Fixed.Expr != "Eq(s27, 8)" {
		t.Errorf("%+v", v)
	}
	if v = c.Variation(Symbol{Name: "s5", Bounds: "[2, int_oo]"}); v.Range != "2 or more" || len(v.Others) != 2 {
		t.Errorf("%+v", v)
	}
}

// The guards say what follows from several conditions: of what lines ask one by one, it cannot be seen.
func TestVariationInGuards(t *testing.T) {
	c := &Compile{Guards: PartsOfTree("TREE_GUARD_MANAGER:\n"+
		"+- LAMBDA_GUARD: 3 <= L['x'].size()[0]  # return x  # a.py:3 in f\n"+
		"+- LAMBDA_GUARD: L['x'].size()[0] <= 64  # return x  # a.py:3 in f\n"+
		"+- LAMBDA_GUARD: 2 <= L['y'].size()[0] < 16  # return x  # a.py:3 in f\n"+
		"+- LAMBDA_GUARD: 5 <= L['z'].size()[0] + 2  # return x  # a.py:3 in f\n", newModel().keep)}
	for source, want := range map[string]string{
		"L['x'].size()[0]": "3 to 64", "L['y'].size()[0]": "2 to 15", "L['z'].size()[0]": "2 or more",
	} {
		if got := c.Variation(Symbol{Name: "s0", Source: source, Bounds: "[2, int_oo]"}).Range; got != want {
			t.Errorf("%s: %q, want %q", source, got, want)
		}
	}
}

// torch leaves out what a path has in common with its own directory.
func TestFilesOfInstalledPackages(t *testing.T) {
	var f Files
	for _, p := range []string{"/v/site-packages/transformers/generation/utils.py", "/v/site-packages/twice/a.py", "/w/site-packages/twice/a.py", "/home/user/mine/model.py"} {
		f.Add(p)
	}
	for file, want := range map[string]string{
		"transformers/masking_utils.py": "/v/site-packages/transformers/masking_utils.py",
		"twice/b.py":                    "twice/b.py",    // in which of both?
		"mine/other.py":                 "mine/other.py", // not installed: any directory may be meant
		"unknown/c.py":                  "unknown/c.py", "d.py": "d.py",
	} {
		if got := f.Full(file); got != want {
			t.Errorf("%s: %s, want %s", file, got, want)
		}
	}
}
