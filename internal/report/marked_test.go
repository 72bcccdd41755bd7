package report

import "testing"

func TestMarkdown(t *testing.T) {
	for in, want := range map[string]string{
		"what runs in place of __init__": `what runs in place of \__init_\_`,
		"a_b and a*b and `x*_y_`":        "a_b and a\\*b and `x*_y_`",
		"`` a`b `` and ` alone":          "`` a`b `` and \\` alone",
		"<script>1 < 2 [a](b) a[0] &lt;": `\<script>1 < 2 [a\](b) a[0] \&lt;`,
		"# head\nline":                   `\# head line`,
		"1. first":                       `1\. first`,
	} {
		if got := markdown(in); got != want {
			t.Errorf("markdown(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestCode(t *testing.T) {
	for in, want := range map[string]string{"x": "`x`", "a`b": "`` a`b ``", "``": "``` `` ```", " a\nb ": "`a b`"} {
		if got := code(in); got != want {
			t.Errorf("code(%q) = %q, want %q", in, got, want)
		}
		if got := string((&links{}).marked(code(in))); got != "<code>"+oneLine(in)+"</code>" {
			t.Errorf("marked(%q) = %q", code(in), got)
		}
	}
}
