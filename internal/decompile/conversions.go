package decompile

import "github.com/thuml/depyf/internal/pyast"

// spellConversions writes the conversions (!r, !s, !a) that stand outside a field of
// an f-string as calls: a field would format what they return. No compiler leaves
// one there; Dynamo's code may pass one on, since a graph can break between a
// conversion and its formatting.
func (u *unit) spellConversions(list []pyast.Stmt) {
	fields := map[pyast.Expr]bool{}
	elsewhere := false
	pyast.InspectOwn(list, func(n pyast.Node) bool {
		switch x := n.(type) {
		case *pyast.JoinedStr:
			flattenParts(x)
			for _, f := range x.Values {
				fields[f] = true
			}
		case *pyast.FormattedValue:
			elsewhere = elsewhere || !fields[x]
		}
		return true
	})
	if !elsewhere {
		return
	}
	pyast.RewriteOwn(list, func(e pyast.Expr) pyast.Expr {
		f, ok := e.(*pyast.FormattedValue)
		if !ok || fields[f] {
			return e
		}
		if f.Conversion == 0 || f.FormatSpec != nil {
			return &pyast.JoinedStr{Values: []pyast.Expr{f}} // a choice of two fields, say
		}
		return pyast.CallE(u.builtin(conversions[f.Conversion]), f.Value)
	})
}

// flattenParts joins to an f-string what was made for it before: the f-strings that
// are its parts, and the conversions that its fields format.
func flattenParts(j *pyast.JoinedStr) {
	var out []pyast.Expr
	for _, e := range j.Values {
		switch x := e.(type) {
		case *pyast.JoinedStr:
			flattenParts(x)
			out = append(out, x.Values...)
			continue
		case *pyast.FormattedValue:
			if c, ok := x.Value.(*pyast.FormattedValue); ok && x.Conversion == 0 && c.FormatSpec == nil {
				x.Value, x.Conversion = c.Value, c.Conversion
			}
		case *pyast.Constant:
		default:
			e = &pyast.FormattedValue{Value: x}
		}
		out = append(out, e)
	}
	j.Values = out
}

var conversions = map[rune]string{'s': "str", 'r': "repr", 'a': "ascii"}
