package explain

import (
	"slices"
	"strconv"
	"strings"

	"github.com/thuml/depyf/internal/lazyregexp"
)

// Symbol is a size, or another number, that Dynamo made symbolic: it may vary.
type Symbol struct {
	Name, Value, Source string // Value is the one seen when compiling
	Bounds              string // as torch words them, "VR[2, int_oo]"
	At                  Frame  // where Dynamo met it
}

// SizeGuard is a condition on symbols that a line of the program depends on.
type SizeGuard struct {
	Expr string
	At   Frame
}

var bounds = lazyregexp.New(`^(?:VR)?\[(\S+), (\S+)\]$`)

// Variation is what a symbol may be in one version.
type Variation struct {
	Range  string      // in words, "" where any number will do
	Fixed  *SizeGuard  // the condition that leaves one value only
	Narrow []SizeGuard // conditions that narrow the range
	Others []SizeGuard // conditions that no range can say
}

// endless stands for a bound that is none. Where torch has no infinity yet it takes the largest numbers for it.
const endless = 1 << 61

// Variation says what a symbol may be: what torch assumed when it made it, and what the program's lines asked of it.
func (c *Compile) Variation(s Symbol) Variation {
	low, high := -endless, endless
	if m := bounds.FindStringSubmatch(s.Bounds); m != nil {
		low, high = bound(m[1], low), bound(m[2], high)
	}
	var v Variation
	for i, g := range c.SizeGuards {
		if !mentions(g.Expr, s.Name) {
			continue
		}
		op, n, ok := comparison(g.Expr, s.Name)
		l, h := low, high
		switch {
		case !ok || op == "Ne":
			v.Others = append(v.Others, g)
		case op == "Eq":
			v.Fixed = &c.SizeGuards[i]
		case op == "<=":
			h = min(h, n)
		case op == "<":
			h = min(h, n-1)
		case op == ">=":
			l = max(l, n)
		case op == ">":
			l = max(l, n+1)
		}
		if l != low || h != high {
			low, high = l, h
			v.Narrow = append(v.Narrow, g)
		}
	}
	// What torch concludes from several conditions stands in the guards alone.
	for _, g := range c.Guards {
		if s.Source != "" && strings.Contains(g.Text, s.Source) {
			expr, _ := splitComment(g.Text)
			l, h := between(expr, s.Source)
			low, high = max(low, l), min(high, h)
		}
	}
	v.Range = rangeText(low, high)
	return v
}

// between reads a guard such as "2 <= L['x'].size()[0] <= 15"; a guard of another form says nothing.
func between(expr, source string) (low, high int) {
	low, high = -endless, endless
	before, after, _ := strings.Cut(expr, source)
	if f := strings.Fields(before); len(f) == 2 && after == "" || len(f) == 2 && strings.HasPrefix(after, " <") {
		if n, err := strconv.Atoi(f[0]); err == nil && f[1] == "<=" {
			low = n
		} else if err == nil && f[1] == "<" {
			low = n + 1
		}
	}
	if f := strings.Fields(after); len(f) == 2 && (before == "" || low > -endless) {
		if n, err := strconv.Atoi(f[1]); err == nil && f[0] == "<=" {
			high = n
		} else if err == nil && f[0] == "<" {
			high = n - 1
		}
	}
	return low, high
}

func bound(s string, none int) int {
	n, err := strconv.ParseFloat(s, 64)
	if err != nil || n > endless || n < -endless {
		return none
	}
	return int(n)
}

func rangeText(low, high int) string {
	l, h := strconv.Itoa(low), strconv.Itoa(high)
	switch {
	case low <= -endless && high >= endless:
		return ""
	case high >= endless:
		return l + " or more"
	case low <= -endless:
		return h + " or less"
	case low == high:
		return l + " only"
	default:
		return l + " to " + h
	}
}

var (
	infix    = lazyregexp.New(`^(\S+) (<=|<|>=|>) (\S+)$`)
	equality = lazyregexp.New(`^(Eq|Ne)\((\S+), (\S+)\)$`)
)

// comparison reads a comparison of one symbol with a number.
func comparison(expr, symbol string) (op string, n int, ok bool) {
	var l, r string
	if m := infix.FindStringSubmatch(expr); m != nil {
		l, op, r = m[1], m[2], m[3]
	} else if m := equality.FindStringSubmatch(expr); m != nil {
		op, l, r = m[1], m[2], m[3]
	}
	if r == symbol {
		l, r = r, l
		op = map[string]string{"<": ">", ">": "<", "<=": ">=", ">=": "<=", "Eq": "Eq", "Ne": "Ne"}[op]
	}
	n, err := strconv.Atoi(r)
	return op, n, l == symbol && err == nil
}

var word = lazyregexp.New(`\w+`)

func mentions(expr, symbol string) bool {
	return strings.Contains(expr, symbol) && slices.Contains(word.FindAllString(expr, -1), symbol)
}

// Unguarded says that the program has left the guards on its values out, which torch lets it do (guard_filter_fn; vLLM
// compiles in this way): the version has guards, none is on a value, and yet sizes of its inputs may vary. Whatever such
// a version takes for granted, no call checks it.
func (v *Version) Unguarded() bool {
	if !v.HasGuards || v.Compile == nil {
		return false
	}
	fromInput := func(s Symbol) bool { return strings.HasPrefix(s.Source, "L[") || strings.HasPrefix(s.Source, "G[") }
	onValue := func(g *Guard) bool { return g.Kind == GuardUser }
	return slices.ContainsFunc(v.Compile.Symbols, fromInput) && !slices.ContainsFunc(v.Guards, onValue)
}
