package decompile

import (
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/pyc"
)

// A keyword that no source can write in front of "=" stands in a dict behind two stars, in a class statement as in
// a call. No compiler passes one by name: the bytecode here is made by hand, as Dynamo makes it for calls.
func TestClassKeywordNoSourceCanWrite(t *testing.T) {
	const opLoadBuildClass, opKwNames = 71, 172
	body := module312(ends)
	body.Name, body.QualName = "B", "B"
	code := module312(append([]byte{
		opPushNull, 0, opLoadBuildClass, 0, opLoadConst, 1, opMakeFunction, 0, opLoadConst, 2,
		opLoadConst, 3, opLoadConst, 4, opKwNames, 5, opCall, 4, 0, 0, 0, 0, 0, 0, opStoreName, 0,
	}, ends...), body, pyc.Str("B"), pyc.NewInt(1), pyc.NewInt(2), pyc.Tuple{pyc.Str("x"), pyc.Str("a b")})
	code.Names = []string{"B"}
	r, err := Module(code, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if want := `class B(x=1, **{"a b": 2}):`; !strings.Contains(r.Source, want) {
		t.Errorf("no %s in\n%s", want, r.Source)
	}
}
