package sugar

import (
	"strings"
	"unicode"

	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
	"github.com/thuml/depyf/internal/pyprint"
)

// valuePath is the way from a variable to a value, from which the value's name is
// made, as the keys of a state_dict are:
//
//	self._modules["ln"]._parameters["weight"]   →   ln_weight
//	self._modules["ln"]._parameters             →   ln_parameters
type valuePath struct {
	parts []string
	// table is the last step where that is one of the dicts in which a module keeps
	// its own: it does not tell more about what is taken from the dict.
	table string
}

// moduleTables are those dicts of torch.nn.Module, and what they are called.
var moduleTables = map[string]string{"_modules": "modules", "_parameters": "parameters", "_buffers": "buffers"}

// mostSteps bounds a path: more than its end is never shown.
const mostSteps = 12

// longestName bounds a name. Of a longer one the end tells more.
const longestName = 60

// name joins the path to a name; "" if nothing is known.
func (p *valuePath) name() string {
	if p == nil {
		return ""
	}
	parts := p.parts
	if p.table != "" {
		parts = append(parts[:len(parts):len(parts)], p.table)
	}
	for len(parts) > 1 && len(strings.Join(parts, "_")) > longestName {
		parts = parts[1:]
	}
	name := strings.Join(parts, "_")
	if name != "" && name[0] >= '0' && name[0] <= '9' {
		name = "item_" + name
	}
	return name
}

// then is the path with one more step.
func (p *valuePath) then(step string) *valuePath {
	step = word(step)
	if p == nil || step == "" {
		return p
	}
	parts := append(p.parts[:len(p.parts):len(p.parts)], step)
	return &valuePath{parts: parts[max(0, len(parts)-mostSteps):]}
}

// usable reports whether a name may stand for a variable.
func usable(name string) bool {
	return name != "" && pyprint.ValidName(name) && !keywords[name]
}

var keywords = func() map[string]bool {
	out := map[string]bool{}
	for _, k := range strings.Fields(`False None True and as assert async await break case class continue def del elif else except finally for from
		global if import in is lambda lazy match nonlocal not or pass raise return try type while with yield _`) {
		out[k] = true
	}
	return out
}()

// word makes text a part of a name.
func word(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '_' || r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			b.WriteRune(r)
		default:
			b.WriteByte('_')
		}
	}
	return strings.Trim(b.String(), "_")
}

// snake writes a class's name as that of a variable: LayerNorm as layer_norm. Of a
// long one, the first words are enough.
func snake(name string) string {
	if !isClassName(name) {
		return name
	}
	var b strings.Builder
	runes := []rune(name)
	for i, r := range runes {
		if i > 0 && unicode.IsUpper(r) && (unicode.IsLower(runes[i-1]) || unicode.IsDigit(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	words := strings.Split(b.String(), "_")
	for len(words) > 1 && len(b.String()) > 30 && len(strings.Join(words, "_")) > 20 {
		words = words[:len(words)-1]
	}
	return strings.Join(words, "_")
}

func isClassName(name string) bool {
	name = strings.TrimLeft(name, "_")
	return name != "" && unicode.IsUpper(rune(name[0])) && strings.ContainsFunc(name, unicode.IsLower)
}

// path finds the way to a temporary's value; nil where nothing tells.
func (s *tempScope) path(t string) *valuePath {
	if p, known := s.paths[t]; known {
		return p
	}
	s.paths[t] = nil // a circle tells nothing
	for _, d := range s.defs[t] {
		if c, ok := d.value.(*pyast.Constant); ok && len(s.defs[t]) > 1 && isNone(c) {
			continue // a value to begin with
		}
		if p := s.defined(d); p != nil {
			s.paths[t] = p
			return p
		}
	}
	return nil
}

func isNone(c *pyast.Constant) bool {
	_, none := c.Value.(pyc.None)
	return none
}

func (s *tempScope) defined(d definition) *valuePath {
	p := s.value(d.value)
	if c, ok := d.value.(*pyast.Call); ok && d.at >= 0 && !d.item {
		// x, y = __compiled_fn_1(a)
		if f, ok := c.Func.(*pyast.Name); ok && len(s.Outputs[f.Id]) == d.of && s.Outputs[f.Id][d.at] != "" {
			return (&valuePath{}).then(s.Outputs[f.Id][d.at])
		}
	}
	if d.at >= 0 && d.item && d.of == 2 && calledMethod(d.value) == "items" {
		return &valuePath{parts: []string{[]string{"key", "item"}[d.at]}}
	}
	if d.item {
		switch calledMethod(d.value) {
		case "keys":
			p = &valuePath{parts: []string{"key"}}
		default:
			p = &valuePath{parts: []string{"item"}}
		}
	}
	if d.at >= 0 {
		return p.then(number(d.at))
	}
	return p
}

func number(k int) string { return pyast.Int(int64(k)).Value.(pyc.Int).Big.String() }

// calledMethod is the method whose call e is, or "".
func calledMethod(e pyast.Expr) string {
	if c, ok := e.(*pyast.Call); ok {
		if a, ok := c.Func.(*pyast.Attribute); ok {
			return a.Attr
		}
	}
	return ""
}

// value finds the way to the value of an expression.
func (s *tempScope) value(e pyast.Expr) *valuePath {
	switch x := e.(type) {
	case *pyast.Name:
		return s.root(x.Id)
	case *pyast.Attribute:
		p := s.value(x.Value)
		if t := moduleTables[x.Attr]; t != "" && p != nil {
			return &valuePath{parts: p.parts, table: t}
		}
		if p == nil {
			p = &valuePath{}
		}
		return p.then(x.Attr)
	case *pyast.Subscript:
		if name := s.output(x); name != "" {
			return (&valuePath{}).then(name)
		}
		p := s.value(x.Value)
		if p == nil {
			return nil
		}
		if c, ok := x.Slice.(*pyast.Constant); ok {
			switch k := c.Value.(type) {
			case pyc.Str:
				if len(p.parts) == 1 && (p.parts[0] == "kwargs") {
					p = &valuePath{} // the caller's own name for it
				}
				return p.then(string(k))
			case pyc.Int:
				return p.then(strings.Replace(k.Big.String(), "-", "last_", 1))
			}
		}
		return p.then("item")
	case *pyast.Call:
		return s.call(x)
	case *pyast.Await:
		return s.value(x.Value)
	case *pyast.Starred:
		return s.value(x.Value)
	}
	return kindOf(e)
}

// output is what a graph calls the result that is taken from all of them; "" for
// anything else.
func (s *tempScope) output(x *pyast.Subscript) string {
	g, ok1 := x.Value.(*pyast.Name)
	c, ok2 := x.Slice.(*pyast.Constant)
	if !ok1 || !ok2 {
		return ""
	}
	names := s.Outputs[s.graphs[g.Id]]
	if k, ok := c.Value.(pyc.Int); ok && k.Big.IsInt64() && k.Big.Int64() >= 0 && k.Big.Int64() < int64(len(names)) {
		return names[k.Big.Int64()]
	}
	return ""
}

// root is where a path begins.
func (s *tempScope) root(id string) *valuePath {
	switch {
	case s.ours(id) && len(s.defs[id]) > 0:
		if p := s.path(id); p != nil {
			return p
		}
	case id == "self":
		return &valuePath{}
	case strings.HasPrefix(id, "__import_"), strings.HasPrefix(id, "___"), strings.HasPrefix(id, "__builtins_dict__"):
		// What is taken from a module needs no mention of it.
		return &valuePath{}
	}
	return (&valuePath{}).then(id)
}

// call finds the name of what a call returns.
func (s *tempScope) call(x *pyast.Call) *valuePath {
	f := s.value(x.Func)
	last := ""
	if f != nil && f.table == "" && len(f.parts) > 0 {
		last = f.parts[len(f.parts)-1]
	}
	if a, ok := x.Func.(*pyast.Attribute); ok {
		last = strings.Trim(a.Attr, "_")
	}
	before := &valuePath{}
	if f != nil && len(f.parts) > 0 {
		before = &valuePath{parts: f.parts[:len(f.parts)-1]}
	}
	arg := func(k int) *valuePath {
		if k >= len(x.Args) {
			return nil
		}
		return s.value(x.Args[k])
	}
	switch last {
	case "new", "object_new": // X.__new__(X)
		if c := arg(0); c != nil && len(c.parts) > 0 {
			return &valuePath{parts: []string{snake(c.parts[len(c.parts)-1])}}
		}
	case "record_pregraph_bytecode_enter":
		return &valuePath{parts: []string{"record"}}
	case "call_size", "call_stride":
		if p := arg(0); p != nil && len(x.Args) == 2 {
			p = p.then(strings.TrimPrefix(last, "call_"))
			if c, ok := x.Args[1].(*pyast.Constant); ok {
				if k, ok := c.Value.(pyc.Int); ok {
					p = p.then(k.Big.String())
				}
			}
			return p
		}
	case "create_nested_fn": // _create_nested_fn(code, globals, name, …)
		if len(x.Args) > 2 {
			if c, ok := x.Args[2].(*pyast.Constant); ok {
				if name, ok := c.Value.(pyc.Str); ok {
					return (&valuePath{}).then(string(name))
				}
			}
		}
	case "getattr":
		if c, ok := indexOr(x.Args, 1).(*pyast.Constant); ok {
			if name, ok := c.Value.(pyc.Str); ok {
				return arg(0).then(string(name))
			}
		}
	case "builtin_iter", "iter":
		return arg(0).then("iterator")
	case "type":
		return arg(0).then("type")
	case "enter": // ctx.__enter__()
		return before.then("entered")
	case "items", "keys", "values":
		return before.then(last)
	case "":
		return nil
	}
	if isClassName(last) {
		return &valuePath{parts: []string{snake(last)}}
	}
	return &valuePath{parts: []string{last, "result"}}
}

func indexOr(list []pyast.Expr, k int) pyast.Expr {
	if k < len(list) {
		return list[k]
	}
	return nil
}

// kindOf names a value after what makes it.
func kindOf(e pyast.Expr) *valuePath {
	name := ""
	switch e.(type) {
	case *pyast.List, *pyast.ListComp, *pyast.Tuple:
		name = "items"
	case *pyast.Dict, *pyast.DictComp:
		name = "entries"
	case *pyast.Set, *pyast.SetComp:
		name = "members"
	case *pyast.Lambda:
		name = "function"
	case *pyast.Compare, *pyast.BoolOp:
		name = "condition"
	case *pyast.JoinedStr:
		name = "text"
	case *pyast.BinOp, *pyast.UnaryOp:
		name = "result"
	default:
		return nil
	}
	return &valuePath{parts: []string{name}}
}
