package explain

import "testing"

func TestCompileIDs(t *testing.T) {
	for _, id := range []string{"0/0", "3/1", "0/0@2", "!1/0/0", ""} {
		if got := JoinCompileID(SplitCompileID(id)); got != id {
			t.Errorf("%q became %q", id, got)
		}
	}
}
