package decompile

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/cfg"
	"github.com/thuml/depyf/internal/lift"
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
	"github.com/thuml/depyf/internal/structure"
	"github.com/thuml/depyf/internal/sugar"
)

// Trace, when not nil, receives the lifted graph of every code object. It is
// for developers' tools only.
var Trace func(code *pyc.Code, dump string)

// unit is the decompilation of one code object and those nested in it.
type unit struct {
	opt      Options
	code     *pyc.Code
	outer    *unit
	class    string // the innermost class name, for private names
	temps    int    // temporaries that Finish needed
	spill    spilling
	unseen   bool
	tail     bool // there is a function's own code behind Dynamo's
	problems *[]string
	limits   *limits
	instrs   []bytecode.Instr         // as decoded, private names as written; nil when makeGraph has not run
	stubs    map[*pyc.Code]string     // what could not be expressed, and why
	nodes    map[*pyc.Code]pyast.Node // the statement made of each def and class

	dead    map[int]bool             // offsets that nothing reaches, of Dynamo's code
	graph   *cfg.Graph               // of an inlined comprehension, else nil
	inlined map[*pyc.Code]*cfg.Graph // comprehensions taken out of this code

	how    structure.Dispatch
	pieces bool
	ladder *ladder              // how to write what is not proven, see isolate.go
	failed map[*pyc.Code]string // what could not be expressed in this way, and why
	proved map[*pyc.Code]bool   // by their effects

	reached map[string]reach // what reachable instructions do with each variable

	annotate *lift.Func // computes the annotations of this module or class (3.14+)
}

// spilling says where the stack is emptied first: code that no compiler made needs
// it.
type spilling uint8

// The ways of lifting.
const (
	never  spilling = iota
	inHead          // in what Dynamo has put in front of a function's own code
	wholly          // everywhere
)

func newUnit(code *pyc.Code, opt Options) *unit {
	return &unit{opt: opt, code: code, problems: new([]string), limits: newLimits(code), stubs: map[*pyc.Code]string{}, failed: map[*pyc.Code]string{}, proved: map[*pyc.Code]bool{}, ladder: newLadder(asCompiled), nodes: map[*pyc.Code]pyast.Node{}}
}

func (u *unit) nested(code *pyc.Code) *unit {
	return &unit{opt: u.opt, code: code, outer: u, class: u.class, problems: u.problems, limits: u.limits, stubs: u.stubs, nodes: u.nodes, graph: u.inlined[code], ladder: u.ladder, failed: u.failed, proved: u.proved}
}

// body runs the passes on the unit's code and returns its statements.
func (u *unit) body() (list []pyast.Stmt, err error) {
	defer func() {
		// A bug of ours must cost one function, not the file.
		if r := recover(); r != nil {
			list, err = nil, fmt.Errorf("internal error: %v", r)
		}
		if why := u.ladder.refused[u.code]; why != "" && err != nil {
			err = errors.New(why) // why the other way was tried
		}
		u.note(err)
	}()
	if err := u.refusal(); err != nil {
		return nil, err
	}
	if u.opt.Resist != nil {
		if err := u.opt.Resist(u.code); err != nil {
			return nil, err
		}
	}
	if k := u.ladder.way[u.code]; k > asCompiled {
		u.spill, u.how, u.pieces = ways[k].spill, ways[k].dispatch, ways[k].pieces
	}
	g := u.graph
	if g == nil {
		if g, err = u.makeGraph(); err != nil {
			return nil, err
		}
	}
	u.inlined = g.Inlined
	if u.opt.Dynamo {
		u.dead = deadOffsets(g)
	}
	lg, err := lift.Lift(g, lift.Options{Host: u, Dynamo: u.opt.Dynamo})
	if err != nil {
		return nil, err
	}
	if Trace != nil {
		Trace(u.code, g.String()+lg.String())
	}
	lift.Reduce(lg)
	u.temps += lift.Finish(lg)
	if Trace != nil {
		Trace(u.code, lg.String())
	}
	list, err = structure.Build(lg, u.how)
	if err != nil {
		return nil, err
	}
	if err := u.settle(list); err != nil {
		return nil, err
	}
	list = sugar.Body(list, sugar.Options{
		Function: u.code.IsFunction(), Version: u.code.Version, Shared: u.shared(), Dynamo: u.opt.Dynamo, Unseen: u.unseen, Args: u.args(),
	})
	u.futureAnnotations(list)
	u.spellSlices(list)
	u.spellConversions(list)
	spellIterated(list, u.code.Version)
	if err := u.finished(list); err != nil {
		return nil, err
	}
	return u.unannotated(list), nil
}

// note keeps why the unit's code cannot be expressed in this way, unless that is for
// an expression inside of it with code of its own: then that one takes its next way.
func (u *unit) note(err error) {
	if err == nil || u.graph != nil {
		return // an inlined comprehension is a part of the code around it
	}
	if u.failedInside(u.code) {
		return
	}
	u.failed[u.code] = err.Error()
	if u.ladder.why[u.code] == "" {
		u.ladder.why[u.code] = err.Error()
	}
}

// failedInside reports whether an expression in c with code of its own cannot be
// expressed.
func (u *unit) failedInside(c *pyc.Code) bool {
	return slices.ContainsFunc(innerCodes(c), func(k *pyc.Code) bool {
		return strings.HasPrefix(k.Name, "<") && (u.failed[k] != "" && u.ladder.way[k] < asStub || u.failedInside(k))
	})
}

// deadOffsets lists the instructions that nothing reaches. Resume functions keep
// the code of the whole function.
func deadOffsets(g *cfg.Graph) map[int]bool {
	out := map[int]bool{}
	for _, b := range g.Blocks {
		for i := range b.Instrs {
			if b.Dead {
				out[b.Instrs[i].Offset] = true
			}
		}
	}
	return out
}

// shared names the variables that other functions see: when they are stored is
// an effect.
func (u *unit) shared() map[string]bool {
	out := map[string]bool{}
	for _, list := range [][]string{u.code.CellVars(), u.code.FreeVars()} {
		for _, n := range list {
			out[n] = true
		}
	}
	if !u.code.IsFunction() || u.opt.Dynamo {
		for _, n := range u.code.Names {
			out[n] = true
			if short := u.opt.Rename[n]; short != "" {
				out[short] = true
			}
		}
	}
	return out
}

// makeGraph decodes the unit's code and runs the graph passes.
func (u *unit) makeGraph() (*cfg.Graph, error) {
	if err := u.limits.met(); err != nil {
		return nil, err
	}
	f, err := bytecode.Decode(u.code)
	if err != nil {
		return nil, err
	}
	if err := u.limits.charge(f); err != nil {
		return nil, err
	}
	u.unmangle(f)
	u.instrs = slices.Clone(f.Instrs)
	g, err := u.unshuffled(f)
	if err != nil {
		return nil, err
	}
	u.noteReached(g)
	if u.opt.Dynamo {
		cfg.NoneTests(g)
		cfg.PeelResumed(g)
		if u.spill == never {
			cfg.BeginDisplays(g)
		}
	}
	for _, p := range cfg.Passes {
		if err := p.Run(g); err != nil {
			return nil, fmt.Errorf("%s: %w", p.Name, err)
		}
	}
	if u.how != structure.Never {
		cfg.PartHandlers(g)
	}
	return g, nil
}

// unshuffled builds the graph of f and empties the stack, where that is the way at hand.
func (u *unit) unshuffled(f *bytecode.Func) (*cfg.Graph, error) {
	u.rename(f)
	g, err := cfg.Build(f)
	if err != nil {
		return nil, err
	}
	if u.opt.Dynamo {
		cfg.UnboundAtEntry(g)
	}
	if u.spill == never {
		return g, nil
	}
	u.tail, err = cfg.Unshuffle(g, u.spill == wholly, u.unseen)
	if err != nil && u.tail {
		// What looks like the function's own code begins with values on the stack, as
		// in a resume function: then all of the code is as Dynamo's.
		u.spill = wholly
		again := *f
		again.Instrs = slices.Clone(u.instrs)
		return u.unshuffled(&again)
	}
	if err != nil {
		return nil, fmt.Errorf("unshuffle: %w", err)
	}
	return g, nil
}

// decoded returns the unit's instructions, private names as they were written.
func (u *unit) decoded() []bytecode.Instr {
	if u.instrs == nil {
		f, err := bytecode.Decode(u.code)
		if err != nil {
			return nil
		}
		u.unmangle(f)
		u.instrs = f.Instrs
	}
	return u.instrs
}

// finished reports a construct that no pass has consumed.
func (u *unit) finished(list []pyast.Stmt) error {
	var err error
	for _, s := range list {
		pyast.Inspect(s, func(n pyast.Node) bool {
			switch x := n.(type) {
			case *pyast.Name:
				if x.Id == lift.AnnotationMark && !u.code.IsFunction() {
					break
				}
				if x.Id == "" || x.Id[0] == 0 {
					err = fmt.Errorf("a stack value has no expression")
				}
			case *lift.Marker:
				if x.Kind == lift.MarkAdd && strings.HasPrefix(u.code.Name, "<") {
					break
				}
				err = fmt.Errorf("a statement of an unknown compound statement is left over")
			}
			return true
		})
	}
	return err
}

// unmangle shows the private names of a class as they were written.
func (u *unit) unmangle(f *bytecode.Func) {
	class := strings.TrimLeft(u.class, "_")
	if class == "" {
		return
	}
	prefix := "_" + class + "__"
	for i := range f.Instrs {
		if n := f.Instrs[i].Name; strings.HasPrefix(n, prefix) && !strings.HasSuffix(n, "__") {
			f.Instrs[i].Name = n[len(prefix)-2:]
		}
	}
}

// unmangleName is unmangle for one name.
func (u *unit) unmangleName(n string) string {
	class := strings.TrimLeft(u.class, "_")
	if prefix := "_" + class + "__"; class != "" && strings.HasPrefix(n, prefix) && !strings.HasSuffix(n, "__") {
		return n[len(prefix)-2:]
	}
	return n
}
