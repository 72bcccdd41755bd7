package cfg

import (
	"maps"
	"slices"
	"strings"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

// foldCopies reads what a temporary is a copy of in its place, and drops the
// stores that nobody reads any more: copy and constant propagation over available
// copies, as compilers do it, then removal of dead stores.
//
//	LOAD_FAST x; STORE_FAST %t1; ...; LOAD_FAST %t1   →   ...; LOAD_FAST x
//
// A copy is available where every way passes it and none stores either variable
// behind it. Only temporaries of ours go; the program's variables stay, since its
// author knows them.
func foldCopies(g *Graph) {
	f := &copyFolder{g: g, in: map[*Block]copies{}, cells: map[string]bool{}}
	for _, n := range g.Func.Code.CellVars() {
		f.cells[n] = true
	}
	for _, n := range g.Func.Code.FreeVars() {
		f.cells[n] = true
	}
	f.solve()
	for _, b := range g.Blocks {
		if st, ok := f.in[b]; ok {
			f.rewrite(b, maps.Clone(st))
		}
	}
	dropDeadTemps(g)
}

// source is what a temporary is a copy of: a variable, or a constant.
type source struct {
	name string
	c    pyc.Const
}

// copies are the copies available at some place, by temporary.
type copies map[string]source

type copyFolder struct {
	g     *Graph
	in    map[*Block]copies // at the beginning of each block; absent: not reached yet
	cells map[string]bool
}

// solve finds what is available at the beginning of each block. A block that no
// way has reached yet allows everything, so that loops are seen at their best and
// corrected.
func (f *copyFolder) solve() {
	work := []*Block{f.g.Entry}
	f.in[f.g.Entry] = copies{}
	flow := func(b *Block, st copies) {
		old, seen := f.in[b]
		if !seen {
			f.in[b] = maps.Clone(st)
			work = append(work, b)
			return
		}
		before := len(old)
		maps.DeleteFunc(old, func(t string, s source) bool {
			x, ok := st[t]
			return !ok || !x.same(s)
		})
		if len(old) < before {
			work = append(work, b)
		}
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		st := maps.Clone(f.in[b])
		// What the block stores may or may not have happened when it raises.
		raised := maps.Clone(st)
		for i := range b.Instrs {
			if n := stored(&b.Instrs[i]); n != "" {
				raised.kill(n)
			}
			f.transfer(b.Instrs, i, st)
		}
		b.Succs(func(s *Block) { flow(s, st) })
		if b.Exc != nil {
			flow(b.Exc.Handler, raised)
		}
	}
}

func (s source) same(t source) bool {
	return s.name == t.name && (s.name != "" || sameConst(s.c, t.c))
}

// kill forgets what a store to name makes untrue.
func (c copies) kill(name string) {
	delete(c, name)
	maps.DeleteFunc(c, func(_ string, s source) bool { return s.name == name })
}

// stored returns the local variable that an instruction changes.
func stored(in *bytecode.Instr) string {
	switch in.Op {
	case opcode.StoreFast, opcode.DeleteFast, opcode.LoadFastAndClear, opcode.StoreDeref, opcode.DeleteDeref, opcode.MakeCell:
		return in.Name
	}
	return ""
}

// transfer brings st behind instruction i.
func (f *copyFolder) transfer(ins []bytecode.Instr, i int, st copies) {
	in := &ins[i]
	name := stored(in)
	if name == "" {
		return
	}
	st.kill(name)
	if in.Op != opcode.StoreFast || i == 0 {
		return
	}
	if !IsTemp(name) {
		// The variable that the program has for a value is its better name.
		if v := &ins[i-1]; v.Op == opcode.LoadFast && IsTemp(v.Name) && !f.cells[name] {
			st[v.Name] = source{name: name}
		}
		return
	}
	switch v := &ins[i-1]; v.Op {
	case opcode.LoadFast:
		if s, ok := st[v.Name]; ok {
			st[name] = s
		} else if v.Name != name && !f.cells[v.Name] {
			st[name] = source{name: v.Name}
		}
	case opcode.LoadConst:
		if _, isCode := v.Const.(*pyc.Code); !isCode {
			st[name] = source{c: v.Const}
		}
	}
}

// rewrite reads the sources of copies in b.
func (f *copyFolder) rewrite(b *Block, st copies) {
	b.own()
	for i := range b.Instrs {
		in := &b.Instrs[i]
		if in.Op == opcode.LoadFast {
			if s, ok := st[in.Name]; ok && s.name != "" {
				in.Name = s.name
			} else if ok {
				in.Op, in.Name, in.Arg, in.Const = opcode.LoadConst, "", 0, s.c
			}
		}
		f.transfer(b.Instrs, i, st)
	}
}

// IsTemp reports whether name is that of a temporary.
func IsTemp(name string) bool { return strings.HasPrefix(name, TempPrefix) }

// dropDeadTemps takes out the stores to temporaries that nothing reads, and the
// loads and displays behind them that then serve nobody.
func dropDeadTemps(g *Graph) {
	for changed := true; changed; {
		changed = false
		read := map[string]bool{}
		for _, b := range g.Blocks {
			for i := range b.Instrs {
				if in := &b.Instrs[i]; IsTemp(in.Name) && in.Op != opcode.StoreFast {
					read[in.Name] = true
				}
			}
		}
		for _, b := range g.Blocks {
			for i := 1; i < len(b.Instrs); i++ {
				in := &b.Instrs[i]
				if in.Op != opcode.StoreFast || !IsTemp(in.Name) || read[in.Name] {
					continue
				}
				from, ok := pureValue(b.Instrs, i)
				if !ok {
					continue // an effect, or what a loop hands over
				}
				b.Instrs = slices.Concat(b.Instrs[:from], b.Instrs[i+1:])
				i = max(0, from-1)
				changed = true
			}
			if len(b.Instrs) == 0 {
				b.Instrs = []bytecode.Instr{{Op: opcode.Nop, Target: -1}}
			}
		}
	}
}

// pureValue finds the instructions before end that do nothing but push one value
// made of variables and constants; from is the first of them.
func pureValue(ins []bytecode.Instr, end int) (from int, ok bool) {
	need := 1
	for from = end; need > 0; {
		if from--; from < 0 {
			return 0, false
		}
		switch in := &ins[from]; in.Op {
		case opcode.LoadFast, opcode.LoadConst:
			need--
		case opcode.BuildList, opcode.BuildTuple, opcode.BuildSlice:
			need += in.Arg - 1
		default:
			return 0, false
		}
	}
	return from, true
}
