package pyast

import (
	"reflect"
	"strings"

	"github.com/thuml/depyf/internal/pyc"
)

// Equal, Clone, Dump and the JSON form treat all nodes alike, so they read the
// field lists below instead of repeating a switch over sixty types each.

// field is one field of a node.
type field struct {
	index  int
	name   string // Python's name, also the JSON key
	always bool   // written even when zero, because zero means something
}

// schema is one node type.
type schema struct {
	typ    reflect.Type // the struct, not the pointer
	name   string       // Python's class name
	fields []field
}

var (
	constType  = reflect.TypeFor[pyc.Const]()
	nodeType   = reflect.TypeFor[Node]()
	schemaOf   = map[reflect.Type]*schema{} // by pointer type
	schemaName = map[string]*schema{}
)

// Python's names that are not the lower-cased Go name.
var (
	pyFieldNames = map[string]string{
		"TypeParams": "type_params", "DecoratorList": "decorator_list",
		"KwDefaults": "kw_defaults", "FormatSpec": "format_spec",
		"ContextExpr": "context_expr", "OptionalVars": "optional_vars",
		"KwdAttrs": "kwd_attrs", "KwdPatterns": "kwd_patterns",
		"DefaultValue": "default_value", "IsAsync": "is_async",
		"IsLazy": "is_lazy", "IsStar": "is_star",
	}
	pyNodeNames = map[string]string{
		"ExprStmt": "Expr", "Arguments": "arguments", "Arg": "arg",
		"Keyword": "keyword", "Comprehension": "comprehension",
		"WithItem": "withitem", "MatchCase": "match_case", "Alias": "alias",
	}
)

func init() {
	for _, n := range allNodes {
		p := reflect.TypeOf(n)
		t := p.Elem()
		s := &schema{typ: t, name: t.Name()}
		if py, ok := pyNodeNames[s.name]; ok {
			s.name = py
		}
		for i := range t.NumField() {
			f := t.Field(i)
			if f.Anonymous {
				continue // Pos
			}
			name, ok := pyFieldNames[f.Name]
			if !ok {
				name = strings.ToLower(f.Name)
			}
			// A constant of None and the operator with number 0 are values.
			always := f.Type == constType || f.Type.Kind() == reflect.Uint8
			s.fields = append(s.fields, field{i, name, always})
		}
		schemaOf[p] = s
		schemaName[s.name] = s
	}
}

// allNodes has one of each node type.
var allNodes = []Node{
	&BoolOp{}, &NamedExpr{}, &BinOp{}, &UnaryOp{}, &Lambda{}, &IfExp{}, &Dict{},
	&Set{}, &ListComp{}, &SetComp{}, &DictComp{}, &GeneratorExp{}, &Await{},
	&Yield{}, &YieldFrom{}, &Compare{}, &Call{}, &FormattedValue{}, &JoinedStr{},
	&Interpolation{}, &TemplateStr{}, &Constant{}, &Attribute{}, &Subscript{},
	&Starred{}, &Name{}, &List{}, &Tuple{}, &Slice{}, &Verbatim{}, &Hole{},
	&Comprehension{}, &Keyword{}, &Arguments{}, &Arg{},
	&Module{}, &FunctionDef{}, &ClassDef{}, &Return{}, &Delete{}, &Assign{},
	&TypeAlias{}, &AugAssign{}, &AnnAssign{}, &For{}, &While{}, &If{}, &With{},
	&Match{}, &Raise{}, &Try{}, &Assert{}, &Import{}, &ImportFrom{}, &Global{},
	&Nonlocal{}, &ExprStmt{}, &Pass{}, &Break{}, &Continue{}, &Comment{}, &Blank{},
	&ExceptHandler{}, &WithItem{}, &Alias{}, &TypeVar{}, &ParamSpec{},
	&TypeVarTuple{},
	&MatchCase{}, &MatchValue{}, &MatchSingleton{}, &MatchSequence{},
	&MatchMapping{}, &MatchClass{}, &MatchStar{}, &MatchAs{}, &MatchOr{},
}

// isNil reports a nil Node, also one that holds a typed nil pointer.
func isNil(n Node) bool {
	if n == nil {
		return true
	}
	v := reflect.ValueOf(n)
	return v.Kind() == reflect.Pointer && v.IsNil()
}

// NameOf is a node's Python class name.
func NameOf(n Node) string {
	if s := schemaOf[reflect.TypeOf(n)]; s != nil {
		return s.name
	}
	return "?"
}
