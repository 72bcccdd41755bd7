package score

import "testing"

// TestRead counts what it says it counts.
func TestRead(t *testing.T) {
	got := Read(`# a comment
def f(a):
    # x = a
    x = a
    y = None
    z = 1  # x = a
    _temp_1 = a.b
    w = _temp_1
    []
    {"k": 1}
    g(
        [a],
        {"k": value_2},
    )

    return [a]
`)
	want := Reading{Lines: 13, Aliases: 2, Numbered: 3, Displays: 2, Poor: 4}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
