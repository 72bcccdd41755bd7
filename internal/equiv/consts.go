package equiv

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/thuml/depyf/internal/pyc"
)

// constEqual compares constants as a program can tell them apart: by type and by
// bits. 1, 1.0 and True are three constants, 0.0 and -0.0 two, and so are two
// NaNs of different payload. Code objects inside are equal only if eq says so.
func constEqual(a, b pyc.Const, eq func(a, b *pyc.Code) bool) bool {
	switch a := a.(type) {
	case nil:
		return b == nil
	case pyc.None:
		_, ok := b.(pyc.None)
		return ok
	case pyc.Ellipsis:
		_, ok := b.(pyc.Ellipsis)
		return ok
	case pyc.StopIteration:
		_, ok := b.(pyc.StopIteration)
		return ok
	case pyc.Null:
		_, ok := b.(pyc.Null)
		return ok
	case pyc.Bool:
		b, ok := b.(pyc.Bool)
		return ok && a == b
	case pyc.Int:
		b, ok := b.(pyc.Int)
		return ok && a.Big != nil && b.Big != nil && a.Big.Cmp(b.Big) == 0
	case pyc.Float:
		b, ok := b.(pyc.Float)
		return ok && a == b
	case pyc.Complex:
		b, ok := b.(pyc.Complex)
		return ok && a == b
	case pyc.Str:
		b, ok := b.(pyc.Str)
		return ok && a == b
	case pyc.Bytes:
		b, ok := b.(pyc.Bytes)
		return ok && a == b
	case pyc.Tuple:
		b, ok := b.(pyc.Tuple)
		return ok && listEqual(a, b, eq)
	case pyc.List:
		b, ok := b.(pyc.List)
		return ok && listEqual(a, b, eq)
	case pyc.FrozenSet:
		b, ok := b.(pyc.FrozenSet)
		return ok && setEqual(a, b, eq)
	case pyc.Set:
		b, ok := b.(pyc.Set)
		return ok && setEqual(a, b, eq)
	case pyc.Dict:
		b, ok := b.(pyc.Dict)
		return ok && dictEqual(a, b, eq)
	case pyc.FrozenDict:
		b, ok := b.(pyc.FrozenDict)
		return ok && dictEqual(a, b, eq)
	case pyc.Slice:
		b, ok := b.(pyc.Slice)
		return ok && constEqual(a.Start, b.Start, eq) && constEqual(a.Stop, b.Stop, eq) && constEqual(a.Step, b.Step, eq)
	case *pyc.Opaque:
		b, ok := b.(*pyc.Opaque)
		return ok && a != nil && b != nil && a.ID == b.ID
	case *pyc.Code:
		b, ok := b.(*pyc.Code)
		return ok && eq != nil && eq(a, b)
	}
	return false
}

func listEqual(a, b []pyc.Const, eq func(a, b *pyc.Code) bool) bool {
	return slices.EqualFunc(a, b, func(x, y pyc.Const) bool { return constEqual(x, y, eq) })
}

// setEqual ignores order: marshal writes a set as it happens to iterate, which
// for strings changes from one process to the next.
func setEqual(a, b []pyc.Const, eq func(a, b *pyc.Code) bool) bool {
	if len(a) != len(b) {
		return false
	}
	used := make([]bool, len(b))
next:
	for i, x := range a {
		// Equal sets are mostly in equal order, so look there first.
		for k := range b {
			k = (i + k) % len(b)
			if !used[k] && constEqual(x, b[k], eq) {
				used[k] = true
				continue next
			}
		}
		return false
	}
	return true
}

// dictEqual respects order, which a program sees when it iterates.
func dictEqual(a, b []pyc.DictItem, eq func(a, b *pyc.Code) bool) bool {
	return slices.EqualFunc(a, b, func(x, y pyc.DictItem) bool {
		return constEqual(x.Key, y.Key, eq) && constEqual(x.Value, y.Value, eq)
	})
}

// maxShown is how much of a text a message may show.
const maxShown = 200

// constText is a short picture of a constant for messages.
func constText(c pyc.Const) string {
	var b strings.Builder
	showConst(&b, c)
	return b.String()
}

// showConst stops where enough has been written: tuples in tuples can hold one another
// without end.
func showConst(b *strings.Builder, c pyc.Const) {
	if b.Len() > maxShown {
		return
	}
	switch c := c.(type) {
	case *pyc.Code:
		b.WriteString("<code " + c.Name + ">")
	case pyc.Int:
		if c.Big != nil {
			b.WriteString(c.Big.String())
		}
	case pyc.Float:
		fmt.Fprint(b, math.Float64frombits(c.Bits))
	case pyc.Str:
		fmt.Fprintf(b, "%q", string(c[:min(len(c), maxShown)]))
	case pyc.Bytes:
		fmt.Fprintf(b, "b%q", string(c[:min(len(c), maxShown)]))
	case *pyc.Opaque:
		b.WriteString("<" + c.Name + ">")
	case pyc.Tuple:
		showList(b, "(", c)
	case pyc.FrozenSet:
		showList(b, "{", c)
	case pyc.None:
		b.WriteString("None")
	case pyc.Ellipsis:
		b.WriteString("...")
	case pyc.Bool:
		fmt.Fprint(b, c)
	default:
		b.WriteString(pyc.TypeName(c))
	}
}

func showList(b *strings.Builder, open string, items []pyc.Const) {
	b.WriteString(open)
	for i, x := range items {
		if i > 0 {
			b.WriteString(", ")
		}
		if i == 8 {
			b.WriteString("...")
			break
		}
		showConst(b, x)
	}
	b.WriteString(map[string]string{"(": ")", "{": "}"}[open])
}

// writeConst writes a text that is equal for constants that constEqual takes as
// equal, and for no others; a code object is itself.
func writeConst(b *strings.Builder, c pyc.Const) {
	list := func(kind string, items []pyc.Const) {
		b.WriteString(kind)
		for _, x := range items {
			writeConst(b, x)
			b.WriteByte(',')
		}
		b.WriteByte(')')
	}
	sorted := func(kind string, items []pyc.Const) {
		texts := make([]string, len(items))
		for i, x := range items {
			var e strings.Builder
			writeConst(&e, x)
			texts[i] = e.String()
		}
		slices.Sort(texts)
		fmt.Fprintf(b, "%s%q)", kind, texts)
	}
	switch c := c.(type) {
	case pyc.Int:
		b.WriteByte('i')
		b.WriteString(c.Big.String())
	case pyc.Float:
		fmt.Fprintf(b, "f%x", c.Bits)
	case pyc.Complex:
		fmt.Fprintf(b, "j%x,%x", c.Real.Bits, c.Imag.Bits)
	case pyc.Str:
		fmt.Fprintf(b, "u%q", string(c))
	case pyc.Bytes:
		fmt.Fprintf(b, "b%q", string(c))
	case pyc.Tuple:
		list("t(", c)
	case pyc.List:
		list("l(", c)
	case pyc.FrozenSet:
		sorted("z(", c)
	case pyc.Set:
		sorted("s(", c)
	case pyc.Slice:
		list("x(", []pyc.Const{c.Start, c.Stop, c.Step})
	case pyc.Dict, pyc.FrozenDict:
		items, kind := []pyc.DictItem(nil), "d("
		if d, ok := c.(pyc.Dict); ok {
			items = d
		} else {
			items, kind = c.(pyc.FrozenDict), "D("
		}
		var flat []pyc.Const
		for _, it := range items {
			flat = append(flat, it.Key, it.Value)
		}
		list(kind, flat)
	case *pyc.Opaque:
		fmt.Fprintf(b, "o%d", c.ID)
	case *pyc.Code:
		fmt.Fprintf(b, "@%p", c)
	default: // None, Bool, Ellipsis, StopIteration, Null
		fmt.Fprintf(b, "%T%v", c, c)
	}
}
