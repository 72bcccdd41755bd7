package pyc

// TypeName returns Python's name for the type of c, for messages.
func TypeName(c Const) string {
	switch c.(type) {
	case None:
		return "None"
	case Ellipsis:
		return "Ellipsis"
	case StopIteration:
		return "StopIteration"
	case Null:
		return "NULL"
	case Bool:
		return "bool"
	case Int:
		return "int"
	case Float:
		return "float"
	case Complex:
		return "complex"
	case Str:
		return "str"
	case Bytes:
		return "bytes"
	case Tuple:
		return "tuple"
	case FrozenSet:
		return "frozenset"
	case List:
		return "list"
	case Set:
		return "set"
	case Dict:
		return "dict"
	case FrozenDict:
		return "frozendict"
	case Slice:
		return "slice"
	case *Code:
		return "code"
	case *Opaque:
		return "host object"
	}
	return "nothing"
}
