package decompile

import (
	"errors"
	"testing"

	"github.com/thuml/depyf/internal/pyc"
)

// What the compiler has against a module's own statements it says without a line where a jump leaves an except* clause.
func TestCulpritWithoutLine(t *testing.T) {
	code := &pyc.Code{Name: "<module>", Version: pyc.V314}
	u := newUnit(code, Options{})
	u.ladder = newLadder(inPieces)
	err := errors.New("SyntaxError: 'break', 'continue' and 'return' cannot appear in an except* block (a.py, line -1)")
	if c := u.culprit(err, nil); c != code {
		t.Errorf("the culprit is %v, not the module", c)
	}
	u.ladder.way[code] = asStub
	if c := u.culprit(err, nil); c != nil {
		t.Errorf("the culprit is %v, which is a stub already", c)
	}
}
