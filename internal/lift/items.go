package lift

import (
	"errors"

	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// items are the values of a tuple.
func items(e pyast.Expr) ([]pyast.Expr, error) {
	if list, ok := starsOf(&pyast.Starred{Value: e}); ok {
		return list, nil
	}
	switch e := e.(type) {
	case *pyast.Tuple:
		return e.Elts, nil
	case *pyast.Constant:
		if t, ok := e.Value.(pyc.Tuple); ok {
			var out []pyast.Expr
			for _, c := range t {
				out = append(out, pyast.Const(c))
			}
			return out, nil
		}
	}
	return nil, errors.New("defaults are no tuple")
}

// Nameditems are those of a dict display, or of a tuple of alternating names and values.
func namedItems(e pyast.Expr) ([]*pyast.Keyword, error) {
	var keys, values []pyast.Expr
	switch e := e.(type) {
	case *pyast.Dict:
		keys, values = e.Keys, e.Values
	default:
		list, err := items(e)
		if err != nil || len(list)%2 != 0 {
			return nil, errors.New("names and values are expected")
		}
		for i := 0; i < len(list); i += 2 {
			keys, values = append(keys, list[i]), append(values, list[i+1])
		}
	}
	var out []*pyast.Keyword
	for i, k := range keys {
		c, ok := k.(*pyast.Constant)
		if !ok {
			return nil, errors.New("a name is expected")
		}
		name, ok := c.Value.(pyc.Str)
		if !ok {
			return nil, errors.New("a name is expected")
		}
		out = append(out, &pyast.Keyword{Arg: string(name), Value: values[i]})
	}
	return out, nil
}
