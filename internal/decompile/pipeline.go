package decompile

import (
	"errors"
	"fmt"
	"strings"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/cfg"
	"github.com/thuml/depyf/internal/choice"
	"github.com/thuml/depyf/internal/equiv"
	"github.com/thuml/depyf/internal/evidence"
	"github.com/thuml/depyf/internal/lift"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pass"
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
	"github.com/thuml/depyf/internal/structure"
	"github.com/thuml/depyf/internal/sugar"
)

// unit is the decompilation of one code object and those nested in it.
type unit struct {
	opt      Options
	code     *pyc.Code
	outer    *unit
	class    string          // the innermost class name, for private names
	mangled  map[string]bool // private names that are written in their mangled form
	spill    spilling
	hides    bool // way.unseen
	unseen   bool // the code looks at its variables, and they are to be those of the original
	tail     bool // there is a function's own code behind Dynamo's
	problems *[]string
	temps    *bool // a temporary has been made for the text
	limits   *limits
	instrs   []bytecode.Instr         // as decoded, private names as written; nil when makeGraph has not run
	stubs    map[*pyc.Code]string     // what could not be expressed, and why
	nodes    map[*pyc.Code]pyast.Node // the statement made of each def and class

	fn      *bytecode.Func           // decoded
	made    *cfg.Graph               // its graph
	dead    map[int]bool             // offsets that nothing reaches, of Dynamo's code
	graph   *cfg.Graph               // of an inlined comprehension, else nil
	inlined map[*pyc.Code]*cfg.Graph // comprehensions taken out of this code

	how    structure.Dispatch
	copies bool
	named  bool
	pieces bool
	ladder *ladder              // how to write what is not proven, see isolate.go
	units  map[*pyc.Code]*unit  // those of all code objects
	run    *choice.Run          // while a search tries it
	failed map[*pyc.Code]string // what could not be expressed in this way, and why
	proved map[*pyc.Code]bool   // by their effects

	never   map[int]bool    // offsets of instructions that nothing reaches
	reached map[string]bool // variables in instructions that something reaches; nil where all is reached
	setsUp  bool            // they make a dict for annotations

	makesTypes   *pyc.Code // see genericAround
	typeNames    []string
	askedGeneric bool

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
	u := &unit{opt: opt.judged(code), code: code, problems: new([]string), temps: new(bool), limits: newLimits(code), stubs: map[*pyc.Code]string{}, failed: map[*pyc.Code]string{}, proved: map[*pyc.Code]bool{}, ladder: newLadder(asCompiled), nodes: map[*pyc.Code]pyast.Node{}}
	u.units = map[*pyc.Code]*unit{code: u}
	return u
}

func (u *unit) nested(code *pyc.Code) *unit {
	n := &unit{opt: u.opt, code: code, outer: u, hides: u.hides, unseen: u.hides && equiv.LooksAtVariables(code), class: u.class, mangled: u.mangled, problems: u.problems, temps: u.temps, limits: u.limits, stubs: u.stubs, nodes: u.nodes, graph: u.inlined[code], ladder: u.ladder, failed: u.failed, proved: u.proved, units: u.units}
	u.units[code] = n
	return n
}

// suite is body for code that is written as statements.
func (u *unit) suite() ([]pyast.Stmt, error) {
	if u.opt.DispatchAll {
		u.how = structure.Everything
		if list, err := u.body(); err == nil {
			return list, nil
		}
		delete(u.failed, u.code)
		u.copies, u.named = ways[withNames].copies, ways[withNames].named
	}
	return u.body()
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
		u.spill, u.how, u.copies, u.named, u.pieces = ways[k].spill, ways[k].dispatch, ways[k].copies, ways[k].named, ways[k].pieces
	}
	w := u.watch()
	g := u.graph
	if g == nil {
		if g, err = u.makeGraph(w); err != nil {
			return nil, err
		}
	}
	u.inlined = g.Inlined
	if u.opt.Dynamo {
		u.dead = deadOffsets(g)
	}
	lifted := &lift.Job{CFG: g, Options: lift.Options{Host: u, Dynamo: u.opt.Dynamo, Named: u.named, Indentation: u.opt.source.Indentation}}
	if err := lift.Passes.Run(lifted, w); err != nil {
		return nil, err
	}
	list, err = structure.Build(lifted.Graph, u.how, w)
	if err != nil {
		return nil, err
	}
	*u.temps = *u.temps || g.HasTemps()
	b := &body{u, list, operations(g.Func)}
	o := sugar.Options{
		Function: u.code.IsFunction(), Version: u.code.Version, Dynamo: u.opt.Dynamo, Optimized: u.opt.Optimized, Unseen: u.unseen, Ops: b.ops, Temps: g.HasTemps(), Indentation: u.opt.source.Indentation, Spacing: u.opt.source.Spacing, DeadEnd: evidence.DeadEnd(g.Func),
	}
	if o.Temps || o.Unseen { // only what is done with temporaries asks for these
		o.Shared, o.Args = u.shared(), u.args()
	}
	b.list, err = sugar.Body(b.list, o, w)
	if err != nil {
		return nil, err
	}
	if err := spelling.Run(b, w); err != nil {
		return nil, err
	}
	return b.list, nil
}

// operations are those of some code, and those that its constants stand for.
func operations(f *bytecode.Func) (ops opcode.Ops) {
	for i := range f.Instrs {
		ops.Add(f.Instrs[i].Op)
		switch f.Instrs[i].Const.(type) {
		case pyc.Slice, pyc.Tuple: // which may hold one
			ops.Add(opcode.BuildSlice)
		}
	}
	return ops
}

// watch is what sees the passes over the unit's code, or nil.
func (u *unit) watch() *pass.Watch {
	if u.opt.Watch == nil {
		return nil
	}
	return u.opt.Watch(u.code)
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
	return c.HasInner(func(k *pyc.Code) bool {
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
func (u *unit) makeGraph(w *pass.Watch) (*cfg.Graph, error) {
	if err := fromCode.Run(u, w); err != nil {
		return nil, err
	}
	job := &cfg.Job{Graph: u.made, Dynamo: u.opt.Dynamo, Emptied: u.spill != never, Dispatch: u.how != structure.Never, Copies: u.copies, Named: u.named}
	if err := cfg.Passes.Run(job, w); err != nil {
		return nil, err
	}
	return u.made, nil
}

// choices are the decisions that a search has found for the unit's code, nil for the likeliest.
func (u *unit) choices() *choice.Run {
	if u.run != nil || u.ladder.way[u.code] != asCompiled {
		return u.run
	}
	return u.ladder.choices[u.code].Again()
}

// decode decodes the unit's code, if the file has not asked for too much already.
func (u *unit) decode() error {
	if err := u.limits.met(); err != nil {
		return err
	}
	f, err := u.opt.decodes.take(u.code)
	if err != nil {
		return err
	}
	u.fn = f
	return u.limits.charge(f)
}

// unshuffle empties the stack.
func (u *unit) unshuffle() (err error) {
	u.tail, err = cfg.Unshuffle(u.made, u.spill == wholly, u.unseen)
	if err != nil && u.tail {
		// What looks like the function's own code begins with values on the stack, as
		// in a resume function: then all of the code is as Dynamo's.
		u.spill = wholly
		if err := u.madeAgain(); err != nil {
			return err
		}
		u.tail, err = cfg.Unshuffle(u.made, true, u.unseen)
	}
	if err != nil {
		return fmt.Errorf("unshuffle: %w", err)
	}
	return nil
}

// madeAgain makes the graph as it was before an attempt to empty the stack.
func (u *unit) madeAgain() (err error) {
	again := *u.fn
	again.Instrs = u.instrs
	u.rename(&again)
	if u.made, err = cfg.Build(&again); err != nil {
		return err
	}
	u.made.Choices = u.choices()
	if u.opt.Dynamo {
		cfg.UnboundAtEntry(u.made)
		cfg.DropFirstSent(u.made)
	}
	return nil
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

// unchanged reports an instruction that a pass has changed where it was decoded, and not in a copy of its own: names and
// the search are told by what the code says.
func (u *unit) unchanged() error {
	if u.instrs == nil {
		return nil
	}
	f, err := bytecode.Decode(u.code)
	if err != nil {
		return err
	}
	u.unmangle(f)
	for i, in := range u.instrs {
		was := f.Instrs[i]
		same := (in.Const == nil) == (was.Const == nil)
		in.Const, was.Const = nil, nil // some kinds cannot be compared
		if !same || in != was {
			return fmt.Errorf("the %v at offset %d was changed in place", f.Instrs[i].Op, f.Instrs[i].Offset)
		}
	}
	return nil
}

// finished reports a construct that no pass has consumed.
func (u *unit) finished(list []pyast.Stmt) error {
	var err error
	pyast.InspectOwn(list, func(n pyast.Node) bool {
		switch x := n.(type) {
		case *pyast.Hole:
			if x.Kind != pyast.AnnotationPlace || u.code.IsFunction() {
				err = fmt.Errorf("a stack value has no expression")
			}
		case *pyast.Name:
			if x.Id == "" {
				err = fmt.Errorf("a name is missing")
			}
		case *lift.Marker:
			if x.Kind == lift.MarkAdd && strings.HasPrefix(u.code.Name, "<") {
				break
			}
			err = fmt.Errorf("a statement of an unknown compound statement is left over")
		}
		return true
	})
	return err
}

// unmangle shows the private names of a class as they were written.
func (u *unit) unmangle(f *bytecode.Func) {
	if u.class == "" {
		return
	}
	for i := range f.Instrs {
		f.Instrs[i].Name = u.unmangleName(f.Instrs[i].Name)
	}
}

// unmangleName is unmangle for one name.
func (u *unit) unmangleName(n string) string {
	if len(n) < 4 || n[0] != '_' {
		return n
	}
	class := strings.TrimLeft(u.class, "_")
	if prefix := "_" + class + "__"; class != "" && strings.HasPrefix(n, prefix) && !strings.HasSuffix(n, "__") && !u.mangled[n] {
		return n[len(prefix)-2:]
	}
	return n
}
