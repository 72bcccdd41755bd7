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
	const text = "Graph break in user code at /p/helpers.py:8\nReason: no\nUser code traceback:\n" +
		"  File \"/p/run.py\", line 35, in main\n    net(x)\n" +
		"  File \"/p/net.py\", line 17, in forward\n    h = h + 1\n" +
		"  File \"/p/net.py\", line 21, in torch_dynamo_resume_in_forward_at_17\n    stats(h)\n" +
		"  File \"/p/helpers.py\", line 4, in stats\n    show(m)\n  File \"/p/helpers.py\", line 8, in show\n    print(m)\n"
	for _, c := range []struct {
		function, file string
		want           []string
	}{
		{"torch_dynamo_resume_in_forward_at_17", "/p/net.py", []string{"stats(h)", "show(m)"}},
		{"forward", "", []string{"h = h + 1", "stats(h)", "show(m)"}},
		{"show", "/p/helpers.py", nil},
		{"forward", "/p/other.py", nil},
	} {
		var got []string
		for _, fr := range ParseBreak(text).through(c.function, c.file) {
			got = append(got, fr.Code)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.function, got, c.want)
		}
	}
}
