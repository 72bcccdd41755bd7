package equiv

import (
	"strconv"
	"strings"

	"github.com/thuml/depyf/internal/pyc"
)

// Values of the symbolic execution behind CompareEffects. A value is immutable;
// what can change is an object on the heap of its side, to which a vRef refers.
type val struct {
	kind  vkind
	id    int
	neg   bool // vBool, vIs
	exact bool // vSym: it is exactly a tuple
	name  string
	c     pyc.Const
	items []*val
}

type vkind uint8

const (
	vSym     vkind = iota // an object nothing is known of; equal ids are one object, on either side
	vConst                // a constant that is no tuple and no slice
	vTuple                // a tuple of items, which may hold vSplice
	vSlice                // slice(items[0], items[1], items[2])
	vNull                 // the NULL under or over a callee
	vMethod               // one slot (id 0: lower, 1: upper) of a callee that LOAD_METHOD made of items[0]
	vCell                 // the cell of variable name that others share from the beginning
	vRef                  // object id on this side's heap, which no one else has seen
	vSplice               // in items: all items of the exact tuple items[0]
	vBool                 // the unknown bool id, negated if neg
	vIs                   // items[0] is items[1], negated if neg
	vPart                 // "type" or "traceback" (name) of the exception items[0], up to 3.10
	vLasti                // the instruction number that some handlers find; only RERAISE reads it
	vMaybe                // the content of a variable that may be unbound
	vUnbound              // the content of a variable that is unbound
	vTop                  // a value about which too much was forgotten; equal to nothing, itself included
)

var (
	nullVal    = &val{kind: vNull}
	clearedVal = &val{kind: vNull, id: 1} // what LOAD_FAST_AND_CLEAR finds in an unbound variable
	unboundVal = &val{kind: vUnbound}
	lastiVal   = &val{kind: vLasti}
	noneVal    = &val{kind: vConst, c: pyc.None{}}
	topVal     = &val{kind: vTop}
)

func boolVal(b bool) *val { return &val{kind: vConst, c: pyc.Bool(b)} }

// constVal makes the value of a constant. Tuples are opened, so that it does not
// matter whether a compiler folded one.
func constVal(c pyc.Const) *val {
	switch c := c.(type) {
	case pyc.Tuple:
		v := &val{kind: vTuple, items: make([]*val, len(c))}
		for i, x := range c {
			v.items[i] = constVal(x)
		}
		return v
	case pyc.Slice:
		return &val{kind: vSlice, items: []*val{constVal(c.Start), constVal(c.Stop), constVal(c.Step)}}
	}
	return &val{kind: vConst, c: c}
}

// object is a thing on the heap of one side: made there and seen by no effect, so
// that its contents are known.
type object struct {
	kind  okind
	items []*val // list: items; dict: key, value, key, value ...
	code  *pyc.Code
	attrs map[int]*val // function: what SET_FUNCTION_ATTRIBUTE set, by its operand
}

type okind uint8

const (
	oList okind = iota
	oDict       // keys are distinct str constants
	oFunc
	oCell // items[0] is the content, vUnbound if there is none
)

// intOf returns v's value if it is a small int constant. True and False are ints.
func intOf(v *val) (int, bool) {
	if v.kind != vConst {
		return 0, false
	}
	switch c := v.c.(type) {
	case pyc.Int:
		if c.Big != nil && c.Big.IsInt64() {
			n := c.Big.Int64()
			return int(n), n > -1<<30 && n < 1<<30
		}
	case pyc.Bool:
		if c {
			return 1, true
		}
		return 0, true
	}
	return 0, false
}

func strOf(v *val) (string, bool) {
	if v.kind != vConst {
		return "", false
	}
	s, ok := v.c.(pyc.Str)
	return string(s), ok
}

func isNone(v *val) bool {
	if v.kind != vConst {
		return false
	}
	_, ok := v.c.(pyc.None)
	return ok
}

// singleton reports whether v is an object of which there is only one, so that
// "is" has a meaning.
func singleton(v *val) bool {
	if v.kind != vConst {
		return false
	}
	switch v.c.(type) {
	case pyc.None, pyc.Bool, pyc.Ellipsis:
		return true
	}
	return false
}

// isBool reports whether v is exactly True or False.
func (v *val) isBool() bool {
	if v.kind == vConst {
		_, ok := v.c.(pyc.Bool)
		return ok
	}
	return v.kind == vBool || v.kind == vIs
}

func (v *val) not() *val {
	if v.kind == vConst {
		return boolVal(!bool(v.c.(pyc.Bool)))
	}
	w := *v
	w.neg = !w.neg
	return &w
}

// spliced reports whether the number of items is unknown.
func spliced(items []*val) bool {
	for _, v := range items {
		if v.kind == vSplice {
			return true
		}
	}
	return false
}

// tupleOf makes a tuple of items; one that is another tuple in full is that one.
func tupleOf(items []*val) *val {
	if len(items) == 1 && items[0].kind == vSplice {
		return items[0].items[0]
	}
	return &val{kind: vTuple, items: items}
}

// key is a text that is equal for equal values only. References count as equal
// only within one side.
func (v *val) key() string {
	var b strings.Builder
	v.write(&b)
	return b.String()
}

func (v *val) write(b *strings.Builder) {
	if v.neg {
		b.WriteByte('!')
	}
	switch v.kind {
	case vSym:
		b.WriteByte('s')
		b.WriteString(strconv.Itoa(v.id))
		if v.exact {
			b.WriteByte('t')
		}
	case vConst:
		b.WriteByte('c')
		writeConst(b, v.c)
	default:
		b.WriteByte('k')
		b.WriteString(strconv.Itoa(int(v.kind)))
		b.WriteByte('.')
		b.WriteString(strconv.Itoa(v.id))
		b.WriteString(strconv.Quote(v.name))
	}
	if v.items != nil {
		b.WriteByte('(')
		for _, x := range v.items {
			x.write(b)
			b.WriteByte(',')
		}
		b.WriteByte(')')
	}
}

// String shows a value in a message.
func (v *val) String() string {
	switch v.kind {
	case vConst:
		return constText(v.c)
	case vTuple, vSlice:
		var parts []string
		for i, x := range v.items {
			if i == 6 {
				parts = append(parts, "...")
				break
			}
			parts = append(parts, x.String())
		}
		if v.kind == vSlice {
			return strings.Join(parts, ":")
		}
		return "(" + strings.Join(parts, ", ") + ")"
	case vNull:
		return "NULL"
	case vCell:
		return "cell " + v.name
	case vRef:
		return "new" + strconv.Itoa(v.id)
	case vTop:
		return "something forgotten"
	case vUnbound, vMaybe:
		return "unbound"
	}
	return "v" + strconv.Itoa(v.id)
}
