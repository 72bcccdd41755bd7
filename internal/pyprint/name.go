package pyprint

import (
	"strings"
	"unicode"
)

// name emits an identifier. Bytecode can hold names that source cannot, such
// as `.0`; they are printed and reported.
func (p *printer) name(s string) {
	p.checkName(s)
	p.text(s)
}

func (p *printer) checkName(s string) {
	if !identifier(s) {
		p.problem("%q is not an identifier", s)
	}
}

// dotted emits the name of a module.
func (p *printer) dotted(s string) {
	for _, part := range strings.Split(s, ".") {
		p.checkName(part)
	}
	p.text(s)
}

func identifier(s string) bool {
	if s == "" || keywords[s] {
		return false
	}
	for i, r := range s {
		switch {
		case r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z':
		case '0' <= r && r <= '9':
			if i == 0 {
				return false
			}
		case r < 0x80:
			return false
		// Python's tables differ a little from Go's; being lax is harmless.
		case unicode.IsLetter(r) || unicode.Is(unicode.Nl, r) || unicode.Is(unicode.Other_ID_Start, r):
		case i > 0 && (unicode.IsMark(r) || unicode.IsDigit(r) || unicode.Is(unicode.Pc, r) || unicode.Is(unicode.Other_ID_Continue, r)):
		case unicode.MaxRune >= r && !assigned(r):
			// A letter of a newer Unicode than Go's.
		default:
			return false
		}
	}
	return true
}

// assigned reports whether Go's Unicode tables know the character.
func assigned(r rune) bool {
	return unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z, unicode.C)
}

// keywords are those that no version allows as a name. None, True and False
// are missing because they do occur as Name nodes.
var keywords = map[string]bool{}

func init() {
	for _, k := range strings.Fields(`and as assert async await break class continue
		def del elif else except finally for from global if import in is lambda
		nonlocal not or pass raise return try while with yield`) {
		keywords[k] = true
	}
}

// ValidName reports whether s can be written as a name.
func ValidName(s string) bool { return identifier(s) && !constantNames[s] }

var constantNames = map[string]bool{"None": true, "True": true, "False": true}

// names emits the names of a global or nonlocal statement.
func (p *printer) names(list []string) {
	for i, s := range list {
		if i > 0 {
			p.text(",")
			p.space()
		}
		p.name(s)
	}
	if len(list) == 0 {
		p.problem("statement without names")
	}
}
