package pyast

import (
	"reflect"

	"github.com/thuml/depyf/internal/pyc"
)

// Comparer is a node of another package's that Equal can compare.
type Comparer interface {
	EqualTo(b Node) bool
}

// Equal reports whether two trees have the same structure. Positions do not
// matter, and a nil list equals an empty one.
func Equal(a, b Node) bool {
	// The leaves are by far the most frequent; they need no reflection.
	switch x := a.(type) {
	case *Name:
		y, ok := b.(*Name)
		return ok && (x == y || x != nil && y != nil && x.Id == y.Id)
	case *Constant:
		y, ok := b.(*Constant)
		return ok && (x == y || x != nil && y != nil && EqualConst(x.Value, y.Value))
	}
	if isNil(a) || isNil(b) {
		return isNil(a) && isNil(b)
	}
	va, vb := reflect.ValueOf(a), reflect.ValueOf(b)
	if va.Type() != vb.Type() {
		return false
	}
	s := schemaOf[va.Type()]
	if s == nil {
		c, ok := a.(Comparer)
		return ok && c.EqualTo(b)
	}
	if va.Pointer() == vb.Pointer() {
		return true
	}
	va, vb = va.Elem(), vb.Elem()
	for _, f := range s.fields {
		if !equalValue(va.Field(f.index), vb.Field(f.index)) {
			return false
		}
	}
	return true
}

func equalValue(a, b reflect.Value) bool {
	t := a.Type()
	switch {
	case t == constType:
		x, _ := a.Interface().(pyc.Const)
		y, _ := b.Interface().(pyc.Const)
		return EqualConst(x, y)
	case t.Implements(nodeType):
		x, _ := a.Interface().(Node)
		y, _ := b.Interface().(Node)
		return Equal(x, y)
	case t.Kind() == reflect.Slice:
		if a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if !equalValue(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	}
	return a.Equal(b)
}

// EqualStmts reports whether two statement lists are Equal item by item.
func EqualStmts(a, b []Stmt) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !Equal(a[i], b[i]) {
			return false
		}
	}
	return true
}

// EqualConst reports whether two constants have the same type and value, bit
// for bit: 0.0 differs from -0.0 and 1 from True. Frozensets compare in order.
func EqualConst(a, b pyc.Const) bool {
	switch x := a.(type) {
	case nil:
		return b == nil
	case pyc.Int:
		y, ok := b.(pyc.Int)
		if !ok || x.Big == nil || y.Big == nil {
			return ok && x.Big == y.Big
		}
		return x.Big.Cmp(y.Big) == 0
	case pyc.Tuple:
		y, ok := b.(pyc.Tuple)
		return ok && equalConsts(x, y)
	case pyc.FrozenSet:
		y, ok := b.(pyc.FrozenSet)
		return ok && equalConsts(x, y)
	case pyc.List:
		y, ok := b.(pyc.List)
		return ok && equalConsts(x, y)
	case pyc.Set:
		y, ok := b.(pyc.Set)
		return ok && equalConsts(x, y)
	case pyc.Dict:
		y, ok := b.(pyc.Dict)
		return ok && equalItems(x, y)
	case pyc.FrozenDict:
		y, ok := b.(pyc.FrozenDict)
		return ok && equalItems(x, y)
	case pyc.Slice:
		y, ok := b.(pyc.Slice)
		return ok && EqualConst(x.Start, y.Start) && EqualConst(x.Stop, y.Stop) && EqualConst(x.Step, y.Step)
	case *pyc.Opaque:
		y, ok := b.(*pyc.Opaque)
		return ok && (x == y || x != nil && y != nil && *x == *y)
	}
	// The rest are comparable: simple values, and code objects by identity.
	return a == b
}

func equalConsts(a, b []pyc.Const) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !EqualConst(a[i], b[i]) {
			return false
		}
	}
	return true
}

func equalItems(a, b []pyc.DictItem) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !EqualConst(a[i].Key, b[i].Key) || !EqualConst(a[i].Value, b[i].Value) {
			return false
		}
	}
	return true
}
