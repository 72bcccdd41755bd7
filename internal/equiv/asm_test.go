package equiv

import (
	"math/big"
	"strconv"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

// assemble makes a function of CPython v from text, one instruction a line or
// between semicolons: the operation as opcode spells it and its operands. A label
// is "L:". Names and numbers are what the operation needs; a constant is None,
// True, False, a number, a quoted string, a tuple of such in parentheses without
// spaces, a frozen set in braces, <name> for a host object, or code:name. "Compare 2 flag" sets the flag.
// "try L1 L2 H depth [lasti]" covers what lies between two labels. The arguments
// are the first nargs variables of vars, of which those after "|" are cells and
// those after a second "|" are free.
func assemble(t *testing.T, v pyc.Version, nargs int, vars, text string) *bytecode.Func {
	t.Helper()
	code := &pyc.Code{Version: v, Name: "f", QualName: "f", ArgCount: nargs, Flags: pyc.FlagOptimized | pyc.FlagNewLocals}
	for i, group := range strings.Split(vars, "|") {
		for _, n := range strings.Fields(group) {
			code.LocalsPlusNames = append(code.LocalsPlusNames, n)
			code.LocalsPlusKinds = append(code.LocalsPlusKinds, []pyc.LocalKind{pyc.KindLocal, pyc.KindCell, pyc.KindFree}[i])
		}
	}
	f := &bytecode.Func{Code: code}
	labels := map[string]int{}
	var lines [][]string
	var tries [][]string
	for line := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '\n' || r == ';' }) {
		w := strings.Fields(line)
		if len(w) > 0 && strings.HasSuffix(w[0], ":") {
			labels[strings.TrimSuffix(w[0], ":")] = len(lines)
			w = w[1:]
		}
		switch {
		case len(w) == 0:
		case w[0] == "try":
			tries = append(tries, w)
		default:
			lines = append(lines, w)
		}
	}
	at := func(label string) int {
		i, ok := labels[label]
		if !ok {
			t.Fatalf("no label %s", label)
		}
		return i
	}
	for i, w := range lines {
		in := bytecode.Instr{Target: -1, Offset: 2 * i, Pos: bytecode.NoPos, Op: opNamed(w[0])}
		if in.Op == opcode.Invalid {
			t.Fatalf("no operation %s", w[0])
		}
		for _, x := range w[1:] {
			n, err := strconv.Atoi(x)
			switch {
			case x == "flag":
				in.Flag = true
			case in.Op == opcode.LoadConst || in.Op == opcode.KwNames:
				in.Const = constant(t, x)
			case jumps[in.Op] && err != nil:
				in.Target = at(x)
			case err == nil:
				in.Arg = n
			default:
				in.Name = x
				code.Names = append(code.Names, x)
			}
		}
		if in.Op == opcode.LoadConst {
			code.Consts = append(code.Consts, in.Const)
		}
		f.Instrs = append(f.Instrs, in)
	}
	for _, w := range tries {
		depth, _ := strconv.Atoi(w[4])
		f.Handlers = append(f.Handlers, bytecode.Handler{Start: at(w[1]), End: at(w[2]), Target: at(w[3]), Depth: depth, Lasti: len(w) > 5})
	}
	return f
}

var jumps = setOf(opcode.Jump, opcode.PopJumpIfFalse, opcode.PopJumpIfTrue, opcode.PopJumpIfNone, opcode.PopJumpIfNotNone,
	opcode.JumpIfFalseOrPop, opcode.JumpIfTrueOrPop, opcode.ForIter, opcode.Send, opcode.SetupFinally, opcode.SetupWith,
	opcode.SetupLoop, opcode.CallFinally, opcode.ContinueLoop)

func opNamed(name string) opcode.Op {
	for op := opcode.Op(1); op < opcode.NumOps; op++ {
		if op.String() == name {
			return op
		}
	}
	return opcode.Invalid
}

func constant(t *testing.T, s string) pyc.Const {
	switch {
	case s == "None":
		return pyc.None{}
	case s == "True" || s == "False":
		return pyc.Bool(s == "True")
	case s[0] == '\'':
		return pyc.Str(strings.Trim(s, "'"))
	case s[0] == '<':
		name := strings.Trim(s, "<>")
		return &pyc.Opaque{ID: int64(len(name)), Name: name}
	case s[0] == '(':
		var out pyc.Tuple
		for x := range strings.SplitSeq(strings.Trim(s, "()"), ",") {
			if x != "" {
				out = append(out, constant(t, x))
			}
		}
		return out
	case s[0] == '{':
		return pyc.FrozenSet(constant(t, "("+strings.Trim(s, "{}")+")").(pyc.Tuple))
	case strings.HasPrefix(s, "code:"):
		return codeConsts[s[5:]]
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatalf("constant %s", s)
	}
	return pyc.Int{Big: big.NewInt(int64(n))}
}

// codeConsts are code objects for "code:name": two equal ones and one that is not.
var codeConsts = map[string]*pyc.Code{
	"one":   {Version: pyc.V313, Name: "g", QualName: "g", Flags: 3, Bytecode: []byte{149, 0, 103, 0}, Consts: []pyc.Const{pyc.None{}}},
	"same":  {Version: pyc.V313, Name: "g", QualName: "g", Flags: 3, Bytecode: []byte{149, 0, 103, 0}, Consts: []pyc.Const{pyc.None{}}},
	"other": {Version: pyc.V313, Name: "g", QualName: "g", Flags: 3, Bytecode: []byte{149, 0, 103, 0}, Consts: []pyc.Const{pyc.Bool(true)}},
	"free":  {Version: pyc.V313, Name: "g", QualName: "g", Flags: 3, LocalsPlusNames: []string{"p", "q"}, LocalsPlusKinds: []pyc.LocalKind{pyc.KindFree, pyc.KindFree}},
}
