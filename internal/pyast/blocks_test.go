package pyast

import (
	"reflect"
	"testing"
)

// Blocks finds every list of statements of each node: the fields tell which there are.
func TestBlocks(t *testing.T) {
	for _, k := range allNodes {
		n := reflect.New(reflect.TypeOf(k).Elem())
		seed := 1
		fill(n, 1, &seed)
		want := map[*[]Stmt]bool{}
		lists(n.Elem(), want)
		found := map[*[]Stmt]bool{}
		Blocks(n.Interface().(Node), func(b *[]Stmt) { found[b] = true })
		if !reflect.DeepEqual(found, want) {
			t.Errorf("%T: %d lists of %d", k, len(found), len(want))
		}
	}
}

// lists notes the lists of statements of a node, and those of the handlers and cases in it.
func lists(v reflect.Value, out map[*[]Stmt]bool) {
	for i := range v.NumField() {
		switch f := v.Field(i).Addr().Interface().(type) {
		case *[]Stmt:
			out[f] = true
		case *[]*ExceptHandler:
			for _, h := range *f {
				out[&h.Body] = true
			}
		case *[]*MatchCase:
			for _, c := range *f {
				out[&c.Body] = true
			}
		}
	}
}
