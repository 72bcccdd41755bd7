package pyc

import (
	"errors"
	"fmt"
)

// code reads the fields of a code object in the order of r_object in
// Python/marshal.c, which changed in 3.8, 3.10 and 3.11.
func (r *reader) code(depth int) (Const, int, error) {
	f := fields{r: r, depth: depth, at: r.pos, weight: 1}
	v := r.version
	c := &Code{Version: v}

	c.ArgCount = f.count("argcount")
	if v.HasPosOnlyArgs() {
		c.PosOnlyArgCount = f.count("posonlyargcount")
	}
	c.KwOnlyArgCount = f.count("kwonlyargcount")
	if !v.HasLocalsPlus() {
		f.count("nlocals") // always len(varnames)
	}
	c.StackSize = f.count("stacksize")
	c.Flags = CodeFlags(uint32(f.int()))
	c.Bytecode = f.bytes("code")
	c.Consts = f.tuple("consts")
	c.Names = f.names("names")
	if v.HasLocalsPlus() {
		c.LocalsPlusNames = f.names("localsplusnames")
		for _, k := range f.bytes("localspluskinds") {
			c.LocalsPlusKinds = append(c.LocalsPlusKinds, LocalKind(k))
		}
	} else {
		vars, free, cells := f.names("varnames"), f.names("freevars"), f.names("cellvars")
		c.SetVars(vars, cells, free)
	}
	c.Filename = f.str("filename")
	c.Name = f.str("name")
	c.QualName = c.Name
	if v.HasLocalsPlus() {
		c.QualName = f.str("qualname")
	}
	c.FirstLine = f.int()
	c.LineTable = f.bytes("linetable")
	if v.HasExceptionTable() {
		c.ExceptionTable = f.bytes("exceptiontable")
	}
	if f.err == nil {
		if err := c.Validate(); err != nil {
			f.err = r.errorf(f.at, "code object %q: %v", c.Name, err)
		}
	}
	return c, f.weight, f.err
}

// SetVars fills the localsplus slots from the three name tuples that code
// objects before 3.11 have.
func (c *Code) SetVars(vars, cells, free []string) {
	n := len(vars) + len(cells) + len(free)
	c.LocalsPlusNames = make([]string, 0, n)
	c.LocalsPlusKinds = make([]LocalKind, 0, n)
	add := func(names []string, k LocalKind) {
		for _, s := range names {
			c.LocalsPlusNames = append(c.LocalsPlusNames, s)
			c.LocalsPlusKinds = append(c.LocalsPlusKinds, k)
		}
	}
	add(vars, KindLocal)
	add(cells, KindCell)
	add(free, KindFree)
}

// Validate says what makes c inconsistent, as _PyCode_Validate does; later
// passes index by these counts without checking again. Code objects that do not
// come out of Unmarshal should be checked with it.
func (c *Code) Validate() error {
	if len(c.LocalsPlusKinds) != len(c.LocalsPlusNames) {
		return fmt.Errorf("%d variable names, %d kinds", len(c.LocalsPlusNames), len(c.LocalsPlusKinds))
	}
	if min(c.ArgCount, c.PosOnlyArgCount, c.KwOnlyArgCount) < 0 {
		return errors.New("a negative number of arguments")
	}
	if c.PosOnlyArgCount > c.ArgCount {
		return errors.New("more positional-only than positional arguments")
	}
	if args, n := c.ParameterCount(), len(c.VarNames()); args > n {
		return fmt.Errorf("%d arguments but %d variables", args, n)
	}
	return nil
}

// fields reads the fields of one code object; after the first error every
// method returns a zero value.
type fields struct {
	r      *reader
	depth  int
	at     int
	weight int
	err    error
}

func (f *fields) int() int {
	if f.err != nil {
		return 0
	}
	n, err := f.r.long()
	f.err = err
	return n
}

func (f *fields) count(field string) int {
	at := f.r.pos
	n := f.int()
	if f.err == nil && n < 0 {
		f.err = f.r.errorf(at, "code object: %s is %d", field, n)
	}
	return n
}

// value reads a field that is a value of its own.
func (f *fields) value(field, want string, ok func(Const) bool) {
	if f.err != nil {
		return
	}
	at := f.r.pos
	c, w, err := f.r.value(f.depth + 1)
	f.weight = min(f.weight+w, maxWeight+1)
	switch {
	case err != nil:
		f.err = err
	case !ok(c):
		f.err = f.r.errorf(at, "code object: %s is a %s, not a %s", field, TypeName(c), want)
	}
}

func (f *fields) bytes(field string) []byte {
	var out Bytes
	f.value(field, "bytes", func(c Const) (ok bool) { out, ok = c.(Bytes); return })
	if out == "" {
		return nil
	}
	return []byte(out)
}

func (f *fields) str(field string) string {
	var out Str
	f.value(field, "str", func(c Const) (ok bool) { out, ok = c.(Str); return })
	return string(out)
}

func (f *fields) tuple(field string) []Const {
	var out Tuple
	f.value(field, "tuple", func(c Const) (ok bool) { out, ok = c.(Tuple); return })
	return out
}

func (f *fields) names(field string) []string {
	var out []string
	for i, c := range f.tuple(field) {
		s, ok := c.(Str)
		if !ok {
			if f.err == nil {
				f.err = f.r.errorf(f.at, "code object: %s[%d] is a %s, not a str", field, i, TypeName(c))
			}
			return nil
		}
		out = append(out, string(s))
	}
	return out
}
