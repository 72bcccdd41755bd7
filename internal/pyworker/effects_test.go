package pyworker

import (
	"encoding/json"
	"os/exec"
	"testing"

	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

// effects asks an interpreter what each of its instructions does to the depth of the
// stack, with the operand 0, on the way to the next one.
const effects = `
import dis, json
out = {}
for name, op in dis.opmap.items():
    try:
        arg = 0 if op >= dis.HAVE_ARGUMENT else None
        try:
            out[name] = dis.stack_effect(op, arg, jump=False)
        except TypeError:  # 3.7
            out[name] = dis.stack_effect(op, arg)
    except ValueError:
        pass
print(json.dumps(out))
`

// ownWay are the instructions that decoding does not leave as they are: an operand or
// a place decides what becomes of them.
var ownWay = map[opcode.ArgKind]bool{
	opcode.ArgDrop: true, opcode.ArgExtend: true, opcode.ArgReturn: true, opcode.ArgLoadLoad: true, opcode.ArgStoreLoad: true,
	opcode.ArgStoreStore: true, opcode.ArgMatchJump: true, opcode.ArgDupTwo: true, opcode.ArgGetIter: true,
}

// countsElsewhere are the instructions with a value that CPython counts in another
// place: 3.11 and 3.12 leave out the generator that RETURN_GENERATOR leaves for the
// POP_TOP behind it; 3.14 counts what RETURN_VALUE leaves to the caller; 3.7 counts what
// the handler of SETUP_WITH finds.
var countsElsewhere = map[string]bool{"RETURN_GENERATOR": true, "RETURN_VALUE": true, "SETUP_WITH": true}

// TestEffects compares the table of effects with what each CPython at hand says.
func TestEffects(t *testing.T) {
	tried := 0
	for v := pyc.Oldest; v <= pyc.Newest; v++ {
		pool, err := NewPool(v, Options{Workers: 1})
		if err != nil {
			t.Logf("NOT RUN: no CPython %v", v)
			continue
		}
		defer pool.Close()
		out, err := exec.Command(pool.Path(), "-I", "-S", "-c", effects).Output()
		if err != nil {
			t.Fatalf("%v: %v", v, err)
		}
		says := map[string]int{}
		if err := json.Unmarshal(out, &says); err != nil {
			t.Fatal(err)
		}
		tried++
		seen := map[opcode.Op]bool{}
		for _, info := range opcode.For(v).Ops {
			want, known := says[info.Name]
			e, fixed := info.Op.Effect()
			if !known || !fixed || ownWay[info.Kind] || info.Flags&(opcode.Specialized|opcode.Instrumented) != 0 {
				continue
			}
			seen[info.Op] = true
			if countsElsewhere[info.Name] && e.Change() != want {
				continue
			}
			if e.Change() != want {
				t.Errorf("%v: %s changes the depth by %d, %v by %d", v, info.Name, want, info.Op, e.Change())
			}
		}
		if len(seen) < 40 {
			t.Errorf("%v: only %d operations are compared", v, len(seen))
		}
	}
	if tried == 0 {
		t.Skip("NOT RUN: there is no CPython at hand")
	}
}
