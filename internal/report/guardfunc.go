package report

import (
	"fmt"
	"strings"

	"github.com/thuml/depyf/internal/explain"
	"github.com/thuml/depyf/internal/lazyregexp"
)

// guardTexts are the texts of guardFunc: a full_code file and the page show the same, and a large model's are long. Of what a log
// tells of there is the page alone.
type guardTexts map[guardOf]string

type guardOf struct {
	v    *explain.Version
	name string
}

func (t guardTexts) of(p *explain.Program, name string, v *explain.Version) string {
	text, known := t[guardOf{v, name}]
	if v.Code.Logged {
		return guardFunc(p, name, v)
	}
	if !known {
		text = guardFunc(p, name, v)
		t[guardOf{v, name}] = text
	}
	return text
}

// guardFunc is the guard of one version as a function: a conjunction with one
// condition a line. Conditions on the user's values come first; the state of
// the framework is folded into a comment, unless it has made the guard fail.
func guardFunc(p *explain.Program, name string, v *explain.Version) string {
	var b strings.Builder
	b.Grow(256 * len(v.Guards))
	fmt.Fprintf(&b, "def %s(L, G, **___kwargs_ignored):\n", name)
	fmt.Fprintf(&b, "    \"\"\"Whether %s may run. L holds the local variables, G the globals.\"\"\"\n", v.Code.Def)
	if !v.HasGuards {
		b.WriteString("    # torch did not tell the conditions of this version.\n    return True\n")
		return b.String()
	}
	var user, world, noise []*explain.Guard
	for _, g := range v.Guards {
		switch {
		case g.Kind.OfCalls() || g.Reason != "":
			user = append(user, g)
		case g.Kind == explain.GuardWorld:
			world = append(world, g)
		default:
			noise = append(noise, g)
		}
	}
	w := conjunction{prog: p, b: &b, first: true}
	b.WriteString("    return (\n")
	for _, g := range user {
		w.guard(g)
	}
	if len(world) > 0 {
		b.WriteString("        " + worldMark + "\n")
		for _, g := range world {
			w.guard(g)
		}
	}
	if w.first {
		b.WriteString("        True  # there is no condition on your values\n")
	}
	if len(noise) > 0 {
		fmt.Fprintf(&b, "        # and %s of the framework's own state, which hardly ever fail:\n", plural(len(noise), "check"))
		for _, l := range foldNoise(noise) {
			b.WriteString(comment("        ", "  "+l))
		}
	}
	b.WriteString("    )\n")
	return b.String()
}

type conjunction struct {
	prog  *explain.Program
	b     *strings.Builder
	first bool
}

func (w *conjunction) guard(g *explain.Guard) {
	if g.Conds == nil {
		w.b.WriteString(comment("        ", "not a Python expression: "+oneLine(g.Text)+trailer(w.prog, g)))
		return
	}
	where, why := 0, blamed(g)
	for i, cond := range g.Conds {
		w.b.WriteString("        ")
		if !w.first {
			w.b.WriteString("and ")
		}
		w.first = false
		w.b.WriteString(operand(cond))
		// What failed is said at the very condition, the rest at the first.
		note := *g
		if i != where {
			note.At, note.Fails, note.Note = explain.Frame{}, 0, ""
		}
		if i != why {
			note.Reason = ""
		}
		w.b.WriteString(trailer(w.prog, &note))
		w.b.WriteString("\n")
	}
}

// blamed is the index of the condition that the reason of a recompilation is
// about: torch checks a tensor as a whole, but says what of it was different.
func blamed(g *explain.Guard) int {
	for _, about := range [][2]string{
		{"size mismatch", ".shape"},
		{"rank mismatch", ".shape"},
		{"rank mismatch", ".ndim"},
		{"dtype mismatch", ".dtype"},
		{"requires_grad mismatch", ".requires_grad"},
		{"stride mismatch", ".stride()"},
		{"device", ".device"},
		{"dispatch key", ".device"},
	} {
		if !strings.Contains(g.Reason, about[0]) {
			continue
		}
		for i, c := range g.Conds {
			if strings.Contains(c, about[1]) {
				return i
			}
		}
	}
	return 0
}

// operand puts a condition into parentheses if "and" would bind tighter.
func operand(cond string) string {
	if loose(cond) {
		return "(" + cond + ")"
	}
	return cond
}

// loose reports whether a condition has an operator that binds less than "and". A word
// in a string counts too: superfluous parentheses do no harm.
func loose(cond string) bool {
	if strings.Contains(cond, ":=") {
		return true
	}
	for i := 0; i < len(cond); i++ {
		start := i
		for i < len(cond) && isWord(cond[i]) {
			i++
		}
		switch cond[start:i] {
		case "or", "if", "lambda":
			return true
		}
	}
	return false
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// worldMark stands above the conditions that are not on the user's values.
const worldMark = "# The functions, modules and classes that the code uses are still the same:"

// trailerMark begins the comment behind a condition.
const trailerMark = "  # "

// trailer is the comment behind a condition: where it comes from.
func trailer(p *explain.Program, g *explain.Guard) string {
	var parts []string
	if g.At.File != "" {
		s := p.Places.Place(g.At.File, g.At.Line)
		if g.At.Code != "" {
			s += ": " + oneLine(g.At.Code)
		}
		parts = append(parts, s)
	}
	switch {
	case g.Reason != "":
		parts = append(parts, "FAILED, hence recompiled: "+oneLine(g.Reason))
	case g.Fails > 0:
		parts = append(parts, plural(g.Fails, "failure"))
	}
	if strings.Contains(g.Note, "0/1 specialization") {
		parts = append(parts, "Dynamo always treats the sizes 0 and 1 apart")
	}
	if len(parts) == 0 {
		return ""
	}
	return trailerMark + strings.Join(parts, "; ")
}

// A guard of a size's mark is "hasattr(X, '_dynamo_…') == False"; one of a module that
// Dynamo imports is "G['__import_…'] is …", or "___check_obj_id(G['__import_…".
var importID = lazyregexp.New(`^(?:___check_(?:obj|type)_id\(G\['__(?:import|builtins_dict)|(?:type\()?G\['__(?:import|builtins_dict)[^=<>]* is )`)

// likeness is what guards of a kind have in common, or the guard itself.
func likeness(text string) string {
	switch {
	case strings.HasPrefix(text, "hasattr("):
		at := strings.LastIndex(text, ", '_dynamo_")
		if at < 0 {
			break
		}
		mark := text[at+len(", '_dynamo_"):]
		end := 0
		for end < len(mark) && isWord(mark[end]) {
			end++
		}
		if rest := mark[end:]; end > 0 && (rest == "') == False" || rest == "') == True") {
			return "hasattr(…, '_dynamo_…_indices') == False: no size has been marked dynamic"
		}
	case strings.Contains(text, "G['__") && importID.MatchString(text):
		return "modules that Dynamo imports are still the same"
	}
	return text
}

// foldNoise counts what is alike.
func foldNoise(list []*explain.Guard) []string {
	var out []string
	count := map[string]int{}
	for _, g := range list {
		t := likeness(oneLine(g.Text))
		if count[t] == 0 {
			out = append(out, t)
		}
		count[t]++
	}
	for i, t := range out {
		if count[t] > 1 {
			out[i] = fmt.Sprintf("%d × %s", count[t], t)
		}
	}
	return out
}
