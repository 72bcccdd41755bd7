package explain

import (
	"fmt"
	"strings"

	"github.com/thuml/depyf/internal/lazyregexp"
)

// Object is what is known of an object whose identity a guard checks.
type Object struct {
	Name  string // a Python expression that means it: "True", "Mode.A", "math"; "" if there is none
	About string // what it is, in words: "function f.<locals>.g"
}

// Identities are such objects by their addresses, as torch writes them.
type Identities map[string]Object

// Readable words the checks of identities in a text of torch's, wherever they stand
// in it: an address says nothing to a reader and is another in the next run.
//
//	___check_obj_id(L['mode'], 139640254899168)  →  L['mode'] is Mode.A
func (ids Identities) Readable(text string) string {
	at := strings.Index(text, "___check_")
	if at < 0 {
		return text
	}
	var b strings.Builder
	for ; at >= 0; at = strings.Index(text, "___check_") {
		b.WriteString(text[:at])
		text = text[at:]
		c, n := identityCheck(text)
		if n == 0 {
			b.WriteString("___check_")
			text = text[len("___check_"):]
			continue
		}
		words := ids.words(c)
		text = text[n:]
		if compared.MatchString(text) && !strings.HasPrefix(words, "___") {
			words = "(" + words + ")"
		}
		b.WriteString(words)
	}
	b.WriteString(text)
	return b.String()
}

// compared begins what follows an operand of a comparison.
var compared = lazyregexp.New(`^\s*(?:[=!]=|[<>]|is\b|in\b|not\b)`)

// idCheck is one check of torch's: of the identity of an object, or of its type.
type idCheck struct {
	name    string // "___check_obj_id" or "___check_type_id"
	what    string // the value that is checked
	address string
	class   string // its type, where torch tells
}

func (c idCheck) ofType() bool { return c.name == "___check_type_id" }

// identityCheck reads the check that a text begins with, and says how long it is; 0
// if there is none.
func identityCheck(text string) (idCheck, int) {
	c := idCheck{}
	open := strings.IndexByte(text, '(')
	if open < 0 || text[:open] != "___check_obj_id" && text[:open] != "___check_type_id" {
		return c, 0
	}
	c.name = text[:open]
	depth, comma, end := 0, -1, -1
	for i := open; i < len(text) && end < 0; i++ {
		switch text[i] {
		case '\'', '"':
			n := strings.IndexByte(text[i+1:], text[i])
			if n < 0 {
				return c, 0
			}
			i += n + 1
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				end = i
			}
		case ',':
			if depth == 1 {
				comma = i
			}
		}
	}
	if comma < 0 || end < 0 {
		return c, 0
	}
	c.what, c.address = strings.TrimSpace(text[open+1:comma]), strings.TrimSpace(text[comma+1:end])
	if len(c.address) < 6 || strings.Trim(c.address, "0123456789") != "" {
		return c, 0
	}
	end++
	rest := strings.TrimPrefix(text[end:], ",")
	if what, ok := strings.CutPrefix(rest, " type="); ok {
		n := shown(what)
		if class, ok := strings.CutPrefix(what[:n], "<class '"); ok {
			c.class = strings.TrimSuffix(class, "'>")
		}
		end = len(text) - len(what) + n
	}
	return c, end
}

// shown is how long what Python shows of a class is that s begins with ("<class 'int'>") or,
// in torch 2.12, of the object itself ("typing.Any", "<module 'torch' from …>", "[1, 2]",
// _dynamo/guards.py, ID_MATCH). A line ends it, or what torch appends: a comment or a hint.
func shown(s string) int {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '<', '(', '[', '{':
			depth++
		case '>', ')', ']', '}':
			if depth--; depth == 0 && s[0] == '<' {
				return i + 1
			}
		case '\n':
			if depth <= 0 {
				return i
			}
		case ' ':
			if strings.HasPrefix(s[i:], "  # ") || strings.HasPrefix(s[i:], " (HINT") {
				return i
			}
		}
	}
	return len(s)
}

// words says what a check asks for.
func (ids Identities) words(c idCheck) string {
	o := ids[c.address]
	if o == (Object{}) && c.ofType() {
		o.Name = strings.TrimPrefix(c.class, "builtins.")
	}
	if o.Name != "" && IsExpression(o.Name) {
		if c.ofType() {
			return fmt.Sprintf("type(%s) is %s", c.what, o.Name)
		}
		return c.what + " is " + o.Name
	}
	about := o.About
	switch {
	case about != "":
	case c.ofType():
		about = strings.TrimSpace("type " + c.class)
	case c.class != "":
		about = c.class
	default:
		about = "object"
	}
	return fmt.Sprintf("%s(%s, %s)", c.name, c.what, pyQuote("the "+CleanText(about)+" seen when compiling"))
}
