package equiv

import (
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

// A mutant is a function with one thing changed that changes its meaning.
type mutant struct {
	kind string
	// change edits instruction i of f, which is a copy, and reports whether the
	// kind applies there.
	change func(f *bytecode.Func, i int) bool
}

// on makes a mutant of an edit of single instructions of some operations.
func on(kind string, edit func(in *bytecode.Instr) bool, ops ...opcode.Op) mutant {
	set := setOf(ops...)
	return mutant{kind, func(f *bytecode.Func, i int) bool {
		in := &f.Instrs[i]
		return (len(ops) == 0 || set[in.Op]) && edit(in)
	}}
}

func turn(from, to opcode.Op) func(in *bytecode.Instr) bool {
	return func(in *bytecode.Instr) bool {
		switch in.Op {
		case from:
			in.Op = to
		case to:
			in.Op = from
		default:
			return false
		}
		return true
	}
}

func arg(delta int) func(in *bytecode.Instr) bool {
	return func(in *bytecode.Instr) bool { in.Arg += delta; return in.Arg >= 0 }
}

func rename(in *bytecode.Instr) bool { in.Name += "_"; return true }

func drop(in *bytecode.Instr) bool { in.Op, in.Target = opcode.Nop, -1; return true }

// insert puts instructions in front of instruction i; what jumped there finds
// them.
func insert(f *bytecode.Func, i int, more ...bytecode.Instr) {
	n := len(more)
	for k := range more {
		more[k].Target, more[k].Offset = -1, f.Instrs[i].Offset
	}
	move := func(k int) int {
		if k > i {
			return k + n
		}
		return k
	}
	f.Instrs = slices.Insert(f.Instrs, i, more...)
	for k := range f.Instrs {
		if t := f.Instrs[k].Target; t >= 0 {
			f.Instrs[k].Target = move(t)
		}
	}
	for k := range f.Handlers {
		h := &f.Handlers[k]
		h.Start, h.End, h.Target = move(h.Start), move(h.End), move(h.Target)
	}
}

func exchange(f *bytecode.Func, i int) {
	if f.Code.Version <= pyc.V310 {
		insert(f, i, bytecode.Instr{Op: opcode.Rot, Arg: 2})
	} else {
		insert(f, i, bytecode.Instr{Op: opcode.Swap, Arg: 2})
	}
}

// mutants are the ways to go wrong. Each must be found wherever it applies, but
// for true no-ops.
var mutants = []mutant{
	{"operands swapped", func(f *bytecode.Func, i int) bool {
		switch f.Instrs[i].Op {
		case opcode.BinaryOp, opcode.Compare, opcode.Subscr, opcode.ContainsOp, opcode.StoreAttr, opcode.ImportName:
		default:
			return false
		}
		exchange(f, i)
		return true
	}},
	{"arguments swapped", func(f *bytecode.Func, i int) bool {
		if op := f.Instrs[i].Op; (op != opcode.Call && op != opcode.CallFunction && op != opcode.BuildTuple && op != opcode.BuildList) || f.Instrs[i].Arg < 2 {
			return false
		}
		exchange(f, i)
		return true
	}},
	on("constant changed", func(in *bytecode.Instr) bool {
		switch c := in.Const.(type) {
		case pyc.Int:
			in.Const = pyc.Int{Big: new(big.Int).Add(c.Big, big.NewInt(1))}
		case pyc.Bool:
			in.Const = pyc.NewInt(1)
		case pyc.Float:
			in.Const = pyc.Float{Bits: c.Bits ^ 1<<63}
		case pyc.Str:
			in.Const = c + "x"
		case pyc.Tuple:
			in.Const = append(slices.Clone(c), pyc.None{})
		case pyc.None:
			in.Const = pyc.Bool(false)
		default:
			return false
		}
		return true
	}, opcode.LoadConst),
	on("branch inverted", turn(opcode.PopJumpIfFalse, opcode.PopJumpIfTrue)),
	on("branch on None inverted", turn(opcode.PopJumpIfNone, opcode.PopJumpIfNotNone)),
	on("and for or", turn(opcode.JumpIfFalseOrPop, opcode.JumpIfTrueOrPop)),
	{"handler dropped", func(f *bytecode.Func, i int) bool {
		return editRow(f, i, func(f *bytecode.Func, row int) { f.Handlers = slices.Delete(f.Handlers, row, row+1) })
	}},
	{"handler of another region", func(f *bytecode.Func, i int) bool {
		return len(f.Handlers) > 1 && editRow(f, i, func(f *bytecode.Func, row int) {
			f.Handlers[row].Target = f.Handlers[(row+1)%len(f.Handlers)].Target
		})
	}},
	{"handler keeps more", func(f *bytecode.Func, i int) bool {
		return editRow(f, i, func(f *bytecode.Func, row int) { f.Handlers[row].Depth++ })
	}},
	{"handler shrunk", func(f *bytecode.Func, i int) bool {
		return editRow(f, i, func(f *bytecode.Func, row int) { f.Handlers[row].Start = i + 1 })
	}},
	on("region not opened", drop, opcode.SetupFinally, opcode.SetupExcept, opcode.SetupLoop),
	on("region not closed", drop, opcode.PopBlock, opcode.PopExcept),
	on("store dropped", func(in *bytecode.Instr) bool { in.Op = opcode.Pop; return true },
		opcode.StoreFast, opcode.StoreName, opcode.StoreGlobal, opcode.StoreDeref),
	on("attribute store dropped", func(in *bytecode.Instr) bool { in.Op = opcode.Pop; return true }, opcode.StoreAttr),
	on("another local read", rename, opcode.LoadFast),
	on("another local stored", rename, opcode.StoreFast),
	on("another local deleted", rename, opcode.DeleteFast),
	on("another attribute", rename, opcode.LoadAttr, opcode.LoadMethod, opcode.StoreAttr, opcode.DeleteAttr),
	on("another global", rename, opcode.LoadGlobal, opcode.LoadName, opcode.StoreGlobal, opcode.StoreName),
	on("another captured variable", rename, opcode.LoadDeref, opcode.StoreDeref, opcode.LoadClosure),
	on("global for local", func(in *bytecode.Instr) bool { in.Op = opcode.LoadGlobal; return true }, opcode.LoadFast),
	on("cell for local", func(in *bytecode.Instr) bool { in.Op = opcode.LoadDeref; return true }, opcode.LoadFast),
	on("local for cell", func(in *bytecode.Instr) bool { in.Op = opcode.LoadFast; return true }, opcode.LoadDeref),
	on("name for global", func(in *bytecode.Instr) bool { in.Op = opcode.LoadName; return true }, opcode.LoadGlobal),
	on("operator changed", func(in *bytecode.Instr) bool { in.Arg ^= 1; return true }, opcode.BinaryOp),
	on("in place or not", func(in *bytecode.Instr) bool { in.Arg ^= opcode.InPlace; return true }, opcode.BinaryOp),
	on("unary operator changed", func(in *bytecode.Instr) bool { in.Arg ^= 1; return true }, opcode.UnaryOp),
	on("comparison changed", func(in *bytecode.Instr) bool { in.Arg = (in.Arg + 1) % 6; return true }, opcode.Compare),
	on("is or is not", func(in *bytecode.Instr) bool { in.Arg ^= 1; return true }, opcode.IsOp),
	on("in or not in", func(in *bytecode.Instr) bool { in.Arg ^= 1; return true }, opcode.ContainsOp),
	on("one argument more", arg(1), opcode.Call, opcode.CallFunction, opcode.CallMethod, opcode.CallKw, opcode.CallFunctionKw),
	on("one argument fewer", arg(-1), opcode.Call, opcode.CallFunction, opcode.CallMethod, opcode.CallKw, opcode.CallFunctionKw),
	on("keyword changed", func(in *bytecode.Instr) bool {
		in.Const = pyc.Tuple{pyc.Str("other")}
		return true
	}, opcode.KwNames),
	on("no double star", func(in *bytecode.Instr) bool { in.Arg ^= 1; return true }, opcode.CallEx),
	{"jump moved on", func(f *bytecode.Func, i int) bool {
		in := &f.Instrs[i]
		if in.Target < 0 || in.Target+1 >= len(f.Instrs) {
			return false
		}
		in.Target++
		return true
	}},
	{"jump not taken", func(f *bytecode.Func, i int) bool {
		in := &f.Instrs[i]
		if in.Target < 0 || in.Op == opcode.Jump || in.Op == opcode.Send {
			return false
		}
		in.Target = i + 1
		return true
	}},
	{"loop not repeated", func(f *bytecode.Func, i int) bool {
		in := &f.Instrs[i]
		if in.Op != opcode.Jump || in.Target > i || f.Instrs[in.Target].Op != opcode.ForIter {
			return false
		}
		in.Target = f.Instrs[in.Target].Target
		return true
	}},
	on("return removed", func(in *bytecode.Instr) bool { in.Op = opcode.Pop; return true }, opcode.Return),
	on("raise removed", drop, opcode.Raise, opcode.Reraise),
	on("raise without cause", arg(-1), opcode.Raise),
	on("yield removed", drop, opcode.Yield, opcode.YieldFrom),
	on("unpack one more", arg(1), opcode.UnpackSequence, opcode.UnpackEx),
	on("unpack the rest later", func(in *bytecode.Instr) bool { in.Arg = in.Arg>>8 | in.Arg&0xff<<8; return in.Arg&0xff != in.Arg>>8 }, opcode.UnpackEx),
	on("conversion changed", func(in *bytecode.Instr) bool { in.Arg ^= 1; return true }, opcode.FormatValue, opcode.ConvertValue),
	on("format spec dropped", func(in *bytecode.Instr) bool { in.Arg ^= 4; return true }, opcode.FormatValue),
	on("format spec ignored", turn(opcode.FormatWithSpec, opcode.Pop), opcode.FormatWithSpec),
	on("conversion dropped", drop, opcode.ConvertValue),
	on("import of another module", rename, opcode.ImportName, opcode.ImportFrom),
	on("import eager or lazy", func(in *bytecode.Instr) bool { in.Arg ^= 1; return true }, opcode.ImportName),
	on("star import dropped", func(in *bytecode.Instr) bool { in.Op = opcode.Pop; return true }, opcode.ImportStar),
	on("one item fewer", arg(-1), opcode.BuildTuple, opcode.BuildList, opcode.BuildSet, opcode.BuildMap, opcode.BuildString),
	on("tuple or list", turn(opcode.BuildTuple, opcode.BuildList)),
	on("append elsewhere", arg(1), opcode.ListAppend, opcode.SetAdd, opcode.MapAdd),
	on("append or extend", turn(opcode.ListAppend, opcode.ListExtend)),
	on("update or merge", turn(opcode.DictUpdate, opcode.DictMerge)),
	on("function without parts", func(in *bytecode.Instr) bool { had := in.Arg&15 != 0; in.Arg &^= 15; return had }, opcode.MakeFunction),
	on("another part of a function", func(in *bytecode.Instr) bool { in.Arg ^= 3; return true }, opcode.SetFunctionAttribute),
	on("item or slice deleted", turn(opcode.DeleteSubscr, opcode.StoreAttr), opcode.DeleteSubscr),
	on("await of another kind", func(in *bytecode.Instr) bool { in.Arg ^= 1; return true }, opcode.GetAwaitable),
	on("await dropped", drop, opcode.GetAwaitable),
	on("enter or exit", func(in *bytecode.Instr) bool { in.Arg ^= 1; return true }, opcode.LoadSpecial),
	on("super of another kind", func(in *bytecode.Instr) bool { in.Arg ^= 2; return true }, opcode.LoadSuperAttr),
	on("exception not matched", func(in *bytecode.Instr) bool { in.Op = opcode.Pop; return true }, opcode.ExcMatch),
	on("match of another kind", turn(opcode.MatchSequence, opcode.MatchMapping)),
	on("class pattern with more", arg(1), opcode.MatchClass),
	on("effect dropped", func(in *bytecode.Instr) bool { in.Op = opcode.Pop; return true },
		opcode.DeleteName, opcode.DeleteAttr, opcode.PrintExpr),
	on("iterator not made", drop, opcode.GetIter, opcode.GetAiter),
	{"value doubled", func(f *bytecode.Func, i int) bool {
		if f.Instrs[i].Op != opcode.StoreName && f.Instrs[i].Op != opcode.Return {
			return false
		}
		insert(f, i, bytecode.Instr{Op: opcode.Copy, Arg: 1}, bytecode.Instr{Op: opcode.BuildTuple, Arg: 2})
		return true
	}},
	{"call made twice", func(f *bytecode.Func, i int) bool {
		in := f.Instrs[i]
		if in.Op != opcode.LoadAttr {
			return false
		}
		insert(f, i, bytecode.Instr{Op: opcode.Copy, Arg: 1}, in, bytecode.Instr{Op: opcode.Pop})
		return true
	}},
}

// editRow edits the exception table's row that instruction i opens.
func editRow(f *bytecode.Func, i int, edit func(f *bytecode.Func, row int)) bool {
	for row, h := range f.Handlers {
		if h.Start == i && h.Start < h.End {
			edit(f, row)
			return true
		}
	}
	return false
}

// TestMutants applies every kind of mutant to every instruction of the corpus.
// Those taken as equal must be named in testdata/noops.txt.
func TestMutants(t *testing.T) {
	known := readNoops(t, "testdata/noops.txt")
	thorough := os.Getenv("DEPYF_THOROUGH") != ""
	found, total := map[string]int{}, 0
	corpus(t, func(t *testing.T, file string, c *pyc.Code) {
		orig, err := bytecode.Decode(c)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range mutants {
			for i := range orig.Instrs {
				f := &bytecode.Func{Code: c, Instrs: slices.Clone(orig.Instrs), Handlers: slices.Clone(orig.Handlers)}
				if !m.change(f, i) {
					continue
				}
				found[m.kind]++
				if total++; !thorough && total%4 != 0 {
					continue
				}
				cmp := &comparer{seen: map[[2]*pyc.Code]bool{}}
				_, diff := cmp.funcs(orig, f)
				_, back := (&comparer{seen: map[[2]*pyc.Code]bool{}}).funcs(f, orig)
				if (diff == nil) != (back == nil) {
					t.Errorf("%s at %d in %s: one way %v, the other way %v", m.kind, orig.Instrs[i].Offset, c.Name, diff, back)
				}
				if diff != nil || sameMeaningFuncs(orig, f) {
					continue
				}
				if id := noopID(file, c, orig.Instrs[i].Offset, m.kind); !known[id] {
					t.Errorf("taken as equal: %s", id)
				}
			}
		}
	})
	for _, m := range mutants {
		if found[m.kind] == 0 {
			t.Errorf("%q applies nowhere", m.kind)
		}
	}
	t.Logf("%d mutants of %d kinds", total, len(found))
}

// TestEffectMutants does the same to CompareEffects, for which a good deal more is
// a no-op: what is stored in a variable that nothing reads, which handler covers
// what cannot raise, in what order arguments that are all None stand.
func TestEffectMutants(t *testing.T) {
	known := readNoops(t, "testdata/noops-effects.txt")
	thorough := os.Getenv("DEPYF_THOROUGH") != ""
	n := 0
	corpus(t, func(t *testing.T, file string, c *pyc.Code) {
		if c.Version < pyc.V39 {
			return // try statements before 3.9 are not understood
		}
		orig, err := bytecode.Decode(c)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range mutants {
			for i := range orig.Instrs {
				f := &bytecode.Func{Code: c, Instrs: slices.Clone(orig.Instrs), Handlers: slices.Clone(orig.Handlers)}
				if !m.change(f, i) {
					continue
				}
				if n++; !thorough && n%16 != 0 {
					continue
				}
				e := &effects{seen: map[[2]*pyc.Code]bool{}}
				if e.funcs(orig, f) != nil || sameMeaningFuncs(orig, f) {
					continue
				}
				if id := noopID(file, c, orig.Instrs[i].Offset, m.kind); !known[id] {
					t.Errorf("taken as equal: %s", id)
				}
			}
		}
	})
}

func noopID(file string, c *pyc.Code, at int, what string) string {
	return fmt.Sprintf("%s %s %d %s", filepath.ToSlash(file[len("testdata/"):]), c.Name, at, what)
}

// readNoops reads the changes that are true no-ops: a person has looked at each.
func readNoops(t *testing.T, file string) map[string]bool {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for line := range strings.Lines(string(data)) {
		known[strings.TrimSpace(line)] = true
	}
	return known
}

// TestHeaders changes what a code object says about itself.
func TestHeaders(t *testing.T) {
	kinds := map[string]func(c *pyc.Code){
		"name":                  func(c *pyc.Code) { c.Name += "_" },
		"qualified name":        func(c *pyc.Code) { c.QualName += "_" },
		"argument count":        func(c *pyc.Code) { c.ArgCount++ },
		"positional-only count": func(c *pyc.Code) { c.PosOnlyArgCount++ },
		"keyword-only count":    func(c *pyc.Code) { c.KwOnlyArgCount++ },
		"*args":                 func(c *pyc.Code) { c.Flags ^= pyc.FlagVarArgs },
		"**kwargs":              func(c *pyc.Code) { c.Flags ^= pyc.FlagVarKeywords },
		"generator":             func(c *pyc.Code) { c.Flags ^= pyc.FlagGenerator },
		"coroutine":             func(c *pyc.Code) { c.Flags ^= pyc.FlagCoroutine },
		"future import":         func(c *pyc.Code) { c.Flags ^= 0x1000000 },
		"argument name":         func(c *pyc.Code) { c.LocalsPlusNames[0] += "_" },
		"order of arguments":    func(c *pyc.Code) { n := c.LocalsPlusNames; n[0], n[1] = n[1], n[0] },
		"a cell more":           func(c *pyc.Code) { add(c, "new", pyc.KindCell) },
		"a free variable more":  func(c *pyc.Code) { add(c, "new", pyc.KindFree) },
		"a hidden variable":     func(c *pyc.Code) { c.LocalsPlusKinds[0] |= pyc.KindHidden },
		"version":               func(c *pyc.Code) { c.Version-- },
		"docstring": func(c *pyc.Code) {
			c.Consts[0] = pyc.Str("another")
			c.Bytecode = slices.Clone(c.Bytecode)
		},
	}
	for _, v := range []string{"3.8", "3.11", "3.13", "3.14", "3.15"} {
		c := codeNamed(t, v+"/base.pyc", "doc")
		for kind, f := range kinds {
			m := edit(c, f)
			if Compare(c, m, Options{}).Equal || Compare(m, c, Options{}).Equal {
				t.Errorf("%s: %s is not noticed", v, kind)
			}
			switch kind {
			case "name", "qualified name", "future import", "docstring", "a hidden variable", "a cell more":
				// Its caller's business, or nobody's.
			default:
				if CompareEffects(c, m, Options{}).Equal {
					t.Errorf("%s: %s is not noticed by CompareEffects", v, kind)
				}
			}
		}
		// Inside another code object they are noticed as well.
		mod := load(t, "testdata/"+v+"/base.pyc")
		for i, k := range mod.Consts {
			if k, ok := k.(*pyc.Code); ok {
				m := edit(mod, func(m *pyc.Code) { m.Consts[i] = edit(k, func(k *pyc.Code) { k.QualName += "_" }) })
				if res := Compare(mod, m, Options{}); res.Equal || !strings.Contains(res.Path, k.Name) {
					t.Errorf("%s: changed %s, got %v", v, k.Name, res.Diff)
				}
			}
		}
	}
}

func add(c *pyc.Code, name string, kind pyc.LocalKind) {
	c.LocalsPlusNames = append(c.LocalsPlusNames, name)
	c.LocalsPlusKinds = append(c.LocalsPlusKinds, kind)
}
