package listing

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/lazyregexp"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

// Result is what a listing was assembled into.
type Result struct {
	Code    *pyc.Code
	Missing []string // what the listing does not tell, in words
	Other   int      // lines that are no part of it
}

// Options say what stands beside a listing.
type Options struct {
	Version  pyc.Version // 0: the one that fits
	Name     string      // of the first code object; "" unknown
	Filename string
	Line     int
	Before   *pyc.Code // that this one was made of, with the same variables in front; nil where nobody knows
}

// Read assembles a listing.
func Read(text string, opt Options) (*Result, error) {
	sections, other, err := parse(text)
	if err != nil {
		return nil, err
	}
	// Versions add instructions more often than they drop some: the oldest one that fits has all that
	// the listing shows, and the next one would have used what it has in addition.
	oldest, newest := pyc.V38, pyc.Newest
	if opt.Version != 0 {
		oldest, newest = opt.Version, opt.Version
	}
	var fits []string
	var found *Result
	for v := oldest; v <= newest; v++ {
		a := &assembler{version: v, table: opcode.For(v), opt: opt, codes: map[string]*pyc.Code{}, missing: map[string]bool{}}
		var code *pyc.Code
		if code, err = a.all(sections); err != nil {
			continue
		}
		fits = append(fits, v.String())
		if found == nil {
			found = &Result{Code: code, Other: other, Missing: slices.Sorted(maps.Keys(a.missing))}
		}
	}
	switch {
	case found == nil && opt.Version != 0:
		return nil, err
	case found == nil:
		return nil, fmt.Errorf("the listing fits no version from %v to %v: %w", pyc.V38, pyc.Newest, err)
	case len(fits) > 1:
		found.Missing = append(found.Missing, "the version, of which "+strings.Join(fits, ", ")+" fit")
	}
	return found, nil
}

// maxOperand bounds the tables of names and constants, whatever a text claims.
const maxOperand = 1 << 20

type assembler struct {
	version pyc.Version
	table   *opcode.Table
	opt     Options
	codes   map[string]*pyc.Code
	missing map[string]bool
	opaque  []string
	given   map[string]map[string]bool
}

// all assembles the sections, inner ones first: dis prints them behind what holds them.
func (a *assembler) all(sections []*section) (*pyc.Code, error) {
	a.given = given(sections)
	for _, s := range slices.Backward(sections) {
		c, err := a.section(s)
		if err != nil {
			return nil, err
		}
		if s == sections[0] {
			return c, nil
		}
		a.codes[s.head] = c
	}
	return nil, fmt.Errorf("no instruction")
}

// given are the variables that each code object gets from the one that holds it: to 3.10 its own
// listing does not tell them from those that it gives away.
func given(sections []*section) map[string]map[string]bool {
	out := map[string]map[string]bool{}
	for _, s := range sections {
		names := map[string]bool{}
		for _, in := range s.lines {
			if in.name == "LOAD_CLOSURE" {
				names[in.repr] = true
			}
		}
		for _, in := range s.lines {
			if strings.HasPrefix(in.repr, "<code object ") {
				out[in.repr] = names
			}
		}
	}
	return out
}

var codeHead = lazyregexp.New(`^<code object (.*) at 0x[0-9a-fA-F]+, file "(.*)", line (-?\d+)>$`)

func (a *assembler) section(s *section) (*pyc.Code, error) {
	c := &pyc.Code{Version: a.version, Name: a.opt.Name, Filename: a.opt.Filename, FirstLine: a.opt.Line}
	if m := codeHead.FindStringSubmatch(s.head); m != nil {
		c.Name, c.Filename = m[1], m[2]
		c.FirstLine, _ = strconv.Atoi(m[3])
	}
	b := &builder{assembler: a, code: c, head: s.head, names: map[int]string{}, consts: map[int]pyc.Const{}, slots: map[int]string{}, cells: map[int]bool{}, derefs: map[int]string{}, labels: map[string]int{}, stored: map[int]bool{}, read: map[int]bool{}}
	if err := b.instructions(s); err != nil {
		return nil, fmt.Errorf("CPython %v: %w", a.version, err)
	}
	if err := b.exceptions(s.rows); err != nil {
		return nil, fmt.Errorf("CPython %v: %w", a.version, err)
	}
	b.finish()
	return c, nil
}

// builder makes one code object.
type builder struct {
	*assembler
	code   *pyc.Code
	head   string // of its section
	names  map[int]string
	consts map[int]pyc.Const
	slots  map[int]string // of local variables, and of cells from 3.11 on
	cells  map[int]bool   // slots that MAKE_CELL makes
	derefs map[int]string // cells and free variables by their own index, to 3.10
	labels map[string]int
	places []place
	uses   []use
	ops    map[string]bool
	free   int // how many of the last slots are free variables

	stored         map[int]bool // of derefs, and of slots of cells from 3.11 on: something is stored in it
	read           map[int]bool // of derefs: it is read, handed to a function or deleted, and nothing was stored in it before
	asyncGenerator bool
}

// place is where a line of the source begins.
type place struct{ offset, line int }

// use is an access to a variable.
type use struct {
	slot  int
	loads bool
	deref bool
}

func (b *builder) instructions(s *section) error {
	byName := map[string]byte{}
	for i := range b.table.Ops {
		if n := b.table.Ops[i].Name; n != "" && b.table.Ops[i].Flags&(opcode.Specialized|opcode.Instrumented) == 0 {
			byName[n] = byte(i)
		}
	}
	b.ops = map[string]bool{}
	type jump struct {
		from, to int
		label    string
	}
	var jumps []jump
	extended := 0 // the operand of the EXTENDED_ARG before
	for _, in := range s.lines {
		if in.name == "CACHE" {
			continue
		}
		op, ok := byName[in.name]
		if !ok {
			return fmt.Errorf("%s is no instruction", in.name)
		}
		info := &b.table.Ops[op]
		at := len(b.code.Bytecode)
		if in.offset >= 0 && in.offset != at {
			return fmt.Errorf("%s stands at %d, the instructions before it end at %d", in.name, in.offset, at)
		}
		if !b.version.HasLabels() && (in.label != "" || in.offset < 0) {
			return fmt.Errorf("dis showed offsets and no labels")
		}
		if in.label != "" {
			b.labels[in.label] = at
		}
		if in.number != 0 {
			b.places = append(b.places, place{at, in.number})
		}
		if takes := info.Flags&opcode.HasArg != 0; takes != in.hasArg && in.hasArg {
			return fmt.Errorf("%s takes no operand, but has %d", in.name, in.arg)
		} else if takes && !in.hasArg {
			return fmt.Errorf("%s lacks its operand", in.name)
		}
		if in.arg < 0 || in.arg>>8 != extended || in.arg > maxOperand && info.Flags&opcode.Jumps == 0 {
			return fmt.Errorf("%s cannot have the operand %d", in.name, in.arg)
		}
		b.ops[in.name] = true
		b.code.Bytecode = append(b.code.Bytecode, op, byte(in.arg))
		b.code.Bytecode = append(b.code.Bytecode, make([]byte, 2*int(info.Caches))...)
		if extended = 0; info.Kind == opcode.ArgExtend {
			extended = in.arg
			continue
		}
		if err := b.operand(info, in); err != nil {
			return err
		}
		if target, ok := strings.CutPrefix(in.repr, "to "); ok && info.Flags&opcode.Jumps != 0 {
			j := jump{from: at, to: -1, label: target}
			n := in.arg
			if b.version.WordJumps() {
				n *= 2
			}
			switch info.Flags & opcode.Jumps {
			case opcode.JumpAbs:
				j.to = n
			case opcode.JumpForward:
				j.to = len(b.code.Bytecode) + n
			case opcode.JumpBackward:
				j.to = len(b.code.Bytecode) - n
			}
			jumps = append(jumps, j)
		}
	}
	for _, j := range jumps {
		want, ok := b.labels[j.label]
		if n, err := strconv.Atoi(j.label); err == nil {
			want, ok = n, true
		}
		if ok && want != j.to {
			return fmt.Errorf("a jump at %d leads to %d, the listing says %s", j.from, j.to, j.label)
		}
	}
	return nil
}

// constant reads a value; what is no literal is an object that the listing only names.
func (b *builder) constant(text string) pyc.Const {
	r := pyc.ReprReader{Named: func(text string) (pyc.Const, int) {
		for repr, c := range b.codes {
			if strings.HasPrefix(text, repr) {
				return c, len(repr)
			}
		}
		return nil, 0
	}}
	if c, ok := r.Read(text); ok {
		return c
	}
	return b.object(text)
}

// operand notes what an operand stands for.
func (b *builder) operand(info *opcode.Info, in line) error {
	name := in.repr
	switch info.Kind {
	case opcode.ArgConst, opcode.ArgReturn:
		if in.repr == "" {
			// 3.11 does not show the names of keyword arguments.
			b.consts[in.arg] = b.object(fmt.Sprintf("nothing: constant %d of %s", in.arg, in.name))
			return nil
		}
		if _, ok := b.consts[in.arg]; !ok {
			b.consts[in.arg] = b.constant(in.repr)
		}
	case opcode.ArgCommon, opcode.ArgCompare, opcode.ArgOldCompare, opcode.ArgBinary, opcode.ArgIntrinsic1, opcode.ArgIntrinsic2:
		if known := bytecode.ArgRepr(b.code, &bytecode.Raw{Info: info, Arg: in.arg}); known != name && name != "" {
			return fmt.Errorf("%s %d means %s, not %s", in.name, in.arg, known, name)
		}
	case opcode.ArgName:
		if strings.Contains(name, " ") {
			return fmt.Errorf("%s has %q behind it, not a name", in.name, name)
		}
		b.names[in.arg] = name
	case opcode.ArgGlobal, opcode.ArgAttr:
		for _, extra := range []string{"NULL|self", "NULL"} {
			if b.version.NullAfterCallable() && strings.HasPrefix(name, extra+" + ") || !b.version.NullAfterCallable() && strings.HasSuffix(name, " + "+extra) {
				return fmt.Errorf("%s shows %q in the order of another version", in.name, in.repr)
			}
			name = strings.TrimSuffix(strings.TrimPrefix(name, extra+" + "), " + "+extra)
		}
		b.names[in.arg>>1] = name
	case opcode.ArgSuper:
		b.names[in.arg>>2] = strings.TrimSuffix(strings.TrimPrefix(name, "NULL|self + "), " + NULL|self")
	case opcode.ArgImport:
		b.names[in.arg>>2] = strings.TrimSuffix(strings.TrimSuffix(name, " + lazy"), " + eager")
	case opcode.ArgLocal:
		b.slots[in.arg] = name
		if strings.HasPrefix(in.name, "MAKE_CELL") {
			b.cells[in.arg] = true
			return nil
		}
		if b.cells[in.arg] {
			return nil // handed to a function as its closure
		}
		b.uses = append(b.uses, use{in.arg, !strings.HasPrefix(in.name, "STORE") && in.name != "LOAD_FAST_AND_CLEAR" && in.name != "LOAD_FAST_CHECK", false})
	case opcode.ArgLoadLoad, opcode.ArgStoreLoad, opcode.ArgStoreStore:
		first, second, ok := strings.Cut(name, ", ")
		if !ok {
			return fmt.Errorf("%s has %q behind it, not two variables", in.name, in.repr)
		}
		b.slots[in.arg>>4], b.slots[in.arg&15] = first, second
		b.uses = append(b.uses, use{in.arg >> 4, info.Kind == opcode.ArgLoadLoad, false}, use{in.arg & 15, info.Kind != opcode.ArgStoreStore, false})
	case opcode.ArgDeref:
		if !b.version.HasLocalsPlus() {
			b.derefs[in.arg] = name
			if strings.HasPrefix(in.name, "STORE") {
				b.stored[in.arg] = true
			} else if in.name != "LOAD_CLOSURE" && !b.stored[in.arg] {
				b.read[in.arg] = true
			}
			return nil
		}
		b.slots[in.arg] = name
		if in.name == "MAKE_CELL" {
			b.cells[in.arg] = true
			return nil
		}
		b.stored[in.arg] = b.stored[in.arg] || in.name == "STORE_DEREF"
		b.uses = append(b.uses, use{in.arg, strings.HasPrefix(in.name, "LOAD_DEREF"), true})
	}
	if in.name == "ASYNC_GEN_WRAP" || in.repr == "INTRINSIC_ASYNC_GEN_WRAP" || in.name == "GEN_START" && in.arg == 2 {
		b.asyncGenerator = true
	}
	if in.name == "COPY_FREE_VARS" {
		b.free = in.arg
	}
	return nil
}

// object is a constant of which the listing shows a description alone.
func (a *assembler) object(text string) pyc.Const {
	a.missing["values that are shown as "+clip(text)] = true
	i := slices.Index(a.opaque, text)
	if i < 0 {
		i = len(a.opaque)
		a.opaque = append(a.opaque, text)
	}
	return &pyc.Opaque{ID: int64(i + 1), Type: "object", Name: fmt.Sprintf("___object_%d", i+1), Text: text}
}

func clip(s string) string {
	if r := []rune(s); len(r) > 80 {
		return string(r[:80]) + "…"
	}
	return s
}

// exceptions encodes the exception table.
func (b *builder) exceptions(rows []row) error {
	if len(rows) > 0 && !b.version.HasExceptionTable() {
		return fmt.Errorf("there was no exception table")
	}
	var table []bytecode.ExceptionEntry
	for _, r := range rows {
		var at [3]int
		for i, s := range []string{r.start, r.end, r.target} {
			n, ok := b.labels[s]
			if k, err := strconv.Atoi(s); err == nil {
				n, ok = k, true
				if i == 1 {
					n += 2 // the last instruction is named, not the one behind
				}
			}
			if !ok {
				n, ok = len(b.code.Bytecode), i == 1
			}
			if !ok {
				return fmt.Errorf("the exception table names %s, which is nowhere", s)
			}
			at[i] = n
		}
		table = append(table, bytecode.ExceptionEntry{Start: at[0], End: at[1], Target: at[2], Depth: r.depth, Lasti: r.lasti})
	}
	b.code.ExceptionTable = bytecode.WriteExceptionTable(table)
	return nil
}
