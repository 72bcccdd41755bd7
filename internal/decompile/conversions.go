package decompile

import "github.com/thuml/depyf/internal/pyast"

// spellConversions writes the conversions (!r, !s, !a) that stand outside a field of
// an f-string as calls: a field would format what they return. No compiler leaves
// one there; Dynamo's code may pass one on, since a graph can break between a
// conversion and its formatting.
func (u *unit) spellConversions(list []pyast.Stmt) {
	for _, s := range list {
		fields := map[pyast.Expr]bool{}
		pyast.Inspect(s, func(n pyast.Node) bool {
			if j, ok := n.(*pyast.JoinedStr); ok {
				flattenParts(j)
				for _, f := range j.Values {
					fields[f] = true
				}
			}
			return true
		})
		pyast.Rewrite(s, func(e pyast.Expr) pyast.Expr {
			f, ok := e.(*pyast.FormattedValue)
			if !ok || fields[f] {
				return e
			}
			return pyast.CallE(u.builtin(conversions[f.Conversion]), f.Value)
		})
	}
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
