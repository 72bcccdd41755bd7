package explain

import (
	"slices"
	"testing"
)

func TestResumedName(t *testing.T) {
	for in, want := range map[string]string{
		"forward": "forward", "look_at_me": "look_at_me", "torch_dynamo_resume_in_look_at_me_at_12": "look_at_me",
		"torch_dynamo_resume_in_forward_at_17": "forward", "<resume in forward>": "forward", "resume_in_f": "f", "<lambda>": "<lambda>",
		"torch_dynamo_resume_in_torch_dynamo_resume_in_f_at_3_at_7": "f", "torch_dynamo_resume_in_<lambda>_at_3": "<lambda>",
	} {
		if got := resumedName(in); got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}

// A break in a library is the user's to mend at the nearest line of theirs.
func TestCaller(t *testing.T) {
	const library = "/usr/lib/python3.12/logging/__init__.py"
	head := "Graph break in user code at " + library + ":1550\nReason: no\nUser code traceback:\n"
	inner := "  File \"" + library + "\", line 1550, in warning\n    if self.isEnabledFor(WARNING):\n"
	outer := []Frame{{File: "/p/run.py", Line: 35, Name: "main"}, {File: "/p/net.py", Line: 17, Name: "torch_dynamo_resume_in_forward_at_17"}, {File: library, Line: 1541, Name: "warning"}}
	for _, c := range []struct {
		name, text string
		outer      []Frame
		want       Frame
	}{
		{
			"the text has it", head + "  File \"/p/net.py\", line 21, in torch_dynamo_resume_in_forward_at_19\n    stats(h)\n  File \"/p/helpers.py\", line 8, in stats\n    log.warning(m)\n" + inner, outer,
			Frame{File: "/p/helpers.py", Line: 8, Name: "stats", Code: "log.warning(m)"},
		},
		{"only the stack has it", head + inner, outer, Frame{File: "/p/net.py", Name: "forward"}},
		{"nothing has it", head + inner, nil, Frame{}},
		{"the user's own", "Graph break in user code at /p/net.py:3\nReason: no\nUser code traceback:\n  File \"/p/net.py\", line 3, in f\n    print(x)\n", outer, Frame{}},
		{"a traceback of torch's is not the user's stack", head + inner + "Traceback (most recent call last):\n  File \"/p/odd.py\", line 1, in g\n    x\n", nil, Frame{}},
	} {
		got := ParseBreak(c.text).caller(c.outer)
		if got == nil {
			got = &Frame{}
		}
		if *got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, *got, c.want)
		}
	}
}

// Calls that lead to a break are those within the function that is compiled.
func TestThrough(t *testing.T) {
	main, net := Frame{File: "/p/run.py", Name: "main"}, Frame{File: "/p/net.py", Name: "forward"}
	resumed, stats, show := Frame{File: "/p/net.py", Name: "torch_dynamo_resume_in_forward_at_17"}, Frame{File: "/p/helpers.py", Name: "stats"}, Frame{File: "/p/helpers.py", Name: "show"}
	const inner = "  File \"/p/net.py\", line 21, in forward\n    self.block(h)\n  File \"/p/net.py\", line 7, in forward\n    stats(h)\n" +
		"  File \"/p/helpers.py\", line 4, in stats\n    show(m)\n  File \"/p/helpers.py\", line 8, in show\n    print(m)\n"
	const whole = "  File \"/p/run.py\", line 35, in main\n    net(x)\n" + inner
	for _, c := range []struct {
		name, stack string
		outer       []Frame
		want        []string
	}{
		{"the outer module", whole, []Frame{main, net}, []string{"self.block(h)", "stats(h)", "show(m)"}},
		{"behind a break in it", whole, []Frame{main, net, resumed}, []string{"self.block(h)", "stats(h)", "show(m)"}},
		{"the inner module", whole, []Frame{main, net, net}, []string{"stats(h)", "show(m)"}},
		{"behind breaks in both", whole, []Frame{main, net, resumed, net, resumed}, []string{"stats(h)", "show(m)"}},
		{"a function", whole, []Frame{main, net, net, stats}, []string{"show(m)"}},
		{"that which breaks", whole, []Frame{main, net, net, stats, show}, nil},
		{"torch before 2.9", inner, []Frame{main, net}, []string{"self.block(h)", "stats(h)", "show(m)"}},
		{"one that is not there", whole, []Frame{main, {File: "/p/other.py", Name: "forward"}}, nil},
		{"no stack", whole, nil, nil},
	} {
		var got []string
		b := ParseBreak("Graph break in user code at /p/helpers.py:8\nReason: no\nUser code traceback:\n" + c.stack)
		for _, fr := range b.through(c.outer) {
			got = append(got, fr.Code)
		}
		if !slices.Equal(got, c.want) || b.Func != "show" {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
