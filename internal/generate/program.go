package generate

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
	"github.com/thuml/depyf/internal/pyprint"
)

// Kind is where a program comes from.
type Kind string

// The kinds.
const (
	KindGrammar   Kind = "grammar"
	KindMutant    Kind = "mutant"
	KindSkeleton  Kind = "skeleton"  // control flow alone
	KindNest      Kind = "nest"      // three statements within one another
	KindSameCalls Kind = "samecalls" // two or three statements within one another that all do the same
	KindTests     Kind = "tests"     // everyday statements with joined tests, over several lines
	KindFunction  Kind = "function"  // a real function as it is
)

// Program is one program.
type Program struct {
	Kind   Kind
	Seed   uint64
	Module *pyast.Module
	Layout Layout
}

// New makes the program of a seed. functions are real ones: mutants are made of them, and the
// seed of a KindFunction is the number of one.
func New(kind Kind, seed uint64, v pyc.Version, functions []pyast.Stmt) *Program {
	r := rand.New(rand.NewPCG(seed, uint64(len(kind)))) // the lengths of the kinds differ
	p := &Program{Kind: kind, Seed: seed, Layout: layout(r)}
	switch kind {
	case KindMutant:
		p.Module = Mutant(r, v, functions)
	case KindFunction:
		p.Layout = Layout{Width: pyprint.DefaultWidth, Indent: printed}
		p.Module = &pyast.Module{Body: []pyast.Stmt{functions[seed%uint64(len(functions))]}}
	case KindNest:
		p.Module = Nest(r, v)
	case KindSkeleton:
		p.Module = Skeleton(r, v)
	case KindSameCalls:
		p.Module = SameCalls(r, v)
	case KindTests:
		p.Layout.Width = []int{88, 60, 45, 35}[r.IntN(4)]
		p.Layout.Behind = r.IntN(3) == 0
		p.Module = Tests(r)
	default:
		p.Module = Grammar(r, v)
	}
	return p
}

// Text prints a program. The error says what the version has no syntax for.
func (p *Program) Text(v pyc.Version) (string, error) {
	text, err := pyprint.Print(p.Module, v, pyprint.Options{Width: p.Layout.Width, RawDocstrings: true})
	return p.Layout.apply(text), err
}

// Layout is how a program is written down and compiled: the line table is what
// the decompiler has to go by.
type Layout struct {
	Width    int
	Indent   string
	OneLine  bool // a body of one simple statement stands behind its colon
	Behind   bool // `and` and `or` stand at the end of a line, not at the beginning of the next
	Optimize int  // 0, 1 (-O) or 2 (-OO)
}

func layout(r *rand.Rand) Layout {
	one := func(list ...int) int { return list[r.IntN(len(list))] }
	return Layout{
		Width:    one(88, 88, 88, 88, 40, 20, 10000),
		Indent:   []string{"    ", "    ", "    ", "    ", "    ", "\t", "  ", "   ", "        "}[r.IntN(9)],
		OneLine:  r.IntN(10) == 0,
		Optimize: one(0, 0, 0, 0, 0, 0, 0, 0, 1, 2),
	}
}

func (l Layout) String() string {
	var parts []string
	if l.Width != pyprint.DefaultWidth {
		parts = append(parts, fmt.Sprintf("width %d", l.Width))
	}
	switch {
	case l.Indent == "\t":
		parts = append(parts, "tabs")
	case len(l.Indent) != 4:
		parts = append(parts, fmt.Sprintf("indentation %d", len(l.Indent)))
	}
	if l.OneLine {
		parts = append(parts, "bodies on one line")
	}
	if l.Behind {
		parts = append(parts, "operators at the end of lines")
	}
	if l.Optimize > 0 {
		parts = append(parts, "-"+strings.Repeat("O", l.Optimize))
	}
	return strings.Join(parts, ", ")
}

// printed is the printer's own indentation.
const printed = "    "

// apply changes the indentation of a text. It also changes lines inside of string
// literals, which makes another program of it, as good as the first.
func (l Layout) apply(text string) string {
	if l.Indent == printed && !l.OneLine && !l.Behind {
		return text
	}
	lines := strings.Split(text, "\n")
	if l.Behind {
		behind(lines)
	}
	if l.OneLine {
		lines = joined(lines)
	}
	for i, line := range lines {
		rest := strings.TrimLeft(line, " ")
		n := len(line) - len(rest)
		lines[i] = strings.Repeat(l.Indent, n/len(printed)) + strings.Repeat(" ", n%len(printed)) + rest
	}
	return strings.Join(lines, "\n")
}

// behind moves an operator that begins a line to the end of the line before.
func behind(lines []string) {
	for i := 1; i < len(lines); i++ {
		for _, op := range []string{"and ", "or "} {
			if rest, ok := strings.CutPrefix(lines[i][level(lines[i]):], op); ok {
				lines[i-1] += " " + strings.TrimRight(op, " ")
				lines[i] = strings.Repeat(" ", level(lines[i])) + rest
			}
		}
	}
}

func level(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// joined puts a body of one line behind the colon of its header.
func joined(lines []string) []string {
	var out []string
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		if i+2 < len(lines) && strings.HasSuffix(line, ":") {
			body := lines[i+1]
			if n := level(line) + len(printed); level(body) == n && level(lines[i+2]) < n && simple(body) {
				out = append(out, line+" "+strings.TrimLeft(body, " "))
				i++
				continue
			}
		}
		out = append(out, line)
	}
	return out
}

// simple reports whether a line is a whole simple statement.
func simple(line string) bool {
	text := strings.TrimSpace(line)
	for _, end := range []string{":", "(", "[", "{", ",", `"""`} {
		if strings.HasSuffix(text, end) {
			return false
		}
	}
	word, _, _ := strings.Cut(text, " ")
	return text != "" && text[0] != '@' && !slices.Contains([]string{"if", "for", "while", "with", "def", "class", "async", "match"}, word)
}
