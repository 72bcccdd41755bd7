package pyast

// The operator kinds print as Python's ast class names; JSON and Dump use them.

var (
	boolOpNames  = [...]string{"And", "Or"}
	binOpNames   = [...]string{"Add", "Sub", "Mult", "MatMult", "Div", "Mod", "Pow", "LShift", "RShift", "BitOr", "BitXor", "BitAnd", "FloorDiv"}
	unaryOpNames = [...]string{"Invert", "Not", "UAdd", "USub"}
	cmpOpNames   = [...]string{"Eq", "NotEq", "Lt", "LtE", "Gt", "GtE", "Is", "IsNot", "In", "NotIn"}
	precNames    = [...]string{"Loose", "Atom"}
	holeNames    = [...]string{
		"StackItem", "Extended", "ExtendedAll", "KeywordDict", "StarTuple", "ArgumentTuple", "TupleOfList", "TemplateField", "Template", "Coroutine",
		"ExceptionMatches", "GroupMatches", "ExitSuppresses", "CaseMatches", "MatchBegins", "AnnotationPlace",
	}
)

func nameOf(names []string, i uint8) string {
	if int(i) < len(names) {
		return names[i]
	}
	return "?"
}

func (k BoolOpKind) String() string   { return nameOf(boolOpNames[:], uint8(k)) }
func (k BinOpKind) String() string    { return nameOf(binOpNames[:], uint8(k)) }
func (k UnaryOpKind) String() string  { return nameOf(unaryOpNames[:], uint8(k)) }
func (k CmpOpKind) String() string    { return nameOf(cmpOpNames[:], uint8(k)) }
func (k VerbatimPrec) String() string { return nameOf(precNames[:], uint8(k)) }
func (k HoleKind) String() string     { return nameOf(holeNames[:], uint8(k)) }

// Negate is the comparison whose result is the Boolean inverse for every
// operand, whatever its __lt__ or __eq__ does: only identity and membership
// have one, because CPython itself negates the result there.
func (k CmpOpKind) Negate() (CmpOpKind, bool) {
	switch k {
	case Is:
		return IsNot, true
	case IsNot:
		return Is, true
	case In:
		return NotIn, true
	case NotIn:
		return In, true
	}
	return k, false
}
