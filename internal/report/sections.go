package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/explain"
)

// Section is the answer to one question, in marked text. index.md, the page and the commands show the same ones.
type Section struct {
	Name    string // in JSON: "recompilations"
	Command string // that shows all of it: "why-recompile"
	Title   string // "Why code was compiled again"
	Lead    string // the answer in one sentence
	Short   string // what matters most of it, for contents; may be empty
	Items   []Item
	Numbers *Table // of the processes that are compared, behind the items; may be nil
	Count   int    // of what the lead counts, where that is not the number of items
	Bad     bool   // it tells of what went wrong
	Data    any    // the answers that it words, for JSON

	More map[string]any // of JSON: what else there is to know of it, by name

	untold, noun string // of a log that tells nothing of it: the kind of message that would, and what it would be of
}

// Item is one cause, line or function, and what to know of it.
type Item struct {
	Strong  string // what to see first; plain text
	Text    string
	Details []string
	Folded  int // so many of the details, the last ones, a page folds in any case
	Advised int // so many of them, the first ones, come to the first advice; 0 where none is given

	Process string // where several are compared: the one that has what is told of,
	Part    string // and the id of the part of its page that tells of it
}

// Recompilations says what made Dynamo compile again what it had compiled, the costliest cause first.
func Recompilations(f *answers.Facts) Section {
	p, list := f.Program, f.Causes()
	s := Section{Name: "recompilations", Command: "why-recompile", Title: "Why code was compiled again", Data: list}
	times, refused, seconds := 0, 0, 0.0
	for _, c := range list {
		times, refused, seconds = times+c.Recompilations, refused+c.Refused, seconds+c.Seconds
	}
	if untold := answers.Untold(p); untold > 0 {
		return untoldToo(p, s, list, times, refused, untold, seconds)
	}
	if times+refused == 0 {
		s.silent(p, "recompiles", "recompilations", "Nothing was compiled again.", "The log tells of no recompilation")
		return s
	}
	s.Lead = fmt.Sprintf("%s%s, %s%s.", plural(times, "recompilation"), refusedText(refused), plural(len(list), "cause"), inSeconds(seconds))
	return withCauses(p, s, list)
}

// untoldToo is the answer where recompilations are known to have been of which nothing says why.
func untoldToo(p *explain.Program, s Section, list []answers.Cause, times, refused, untold int, seconds float64) Section {
	all := plural(times+untold, "recompilation")
	if p.Model.Start.Log != "" {
		all = "At least " + all
	}
	s.Lead = fmt.Sprintf("%s%s%s; ", all, refusedText(refused), inSeconds(seconds))
	switch {
	case times == 0 && refused == 0:
		s.Lead += "nothing says why"
	case times == 0:
		s.Lead += "nothing says why, but for what was refused"
	default:
		others := "the others have "
		if times == 1 && refused == 0 {
			others = "the other has "
		}
		s.Lead += fmt.Sprintf("of %d nothing says why, %s%s", untold, others, plural(len(list), "cause"))
	}
	if p.Model.Start.Text {
		s.Lead += ` (TORCH_LOGS="recompiles" tells, from the first call on)`
	}
	s.Lead += "."
	return withCauses(p, s, list)
}

// withCauses names the causes.
func withCauses(p *explain.Program, s Section, list []answers.Cause) Section {
	for _, c := range list {
		s.Items = append(s.Items, causeItem(p, c))
	}
	if len(list) == 0 {
		return s
	}
	s.Short = list[0].Title
	if list[0].Kind != answers.KindState {
		s.Short += " at " + p.Places.Place(list[0].File, list[0].Line)
	}
	s.Short += andMore(len(list) - 1)
	return s
}

// andMore is what is not named.
func andMore(n int) string {
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf(" and %d more", n)
}

func causeItem(p *explain.Program, c answers.Cause) Item {
	head := ""
	if len(c.Values) > 0 {
		var values []string
		for _, v := range c.Values {
			values = append(values, code(p.Model.Identities.Readable(v)))
		}
		if n := len(values); n > 6 {
			values = append(values[:5:5], fmt.Sprintf("… %d more", n-5))
		}
		head += ", " + strings.Join(values, " → ")
	}
	times := plural(c.Recompilations, "recompilation") + refusedText(c.Refused)
	if c.Recompilations == 0 {
		times = fmt.Sprintf("%s refused by the limit", plural(c.Refused, "recompilation"))
	}
	head += fmt.Sprintf(": %s%s", times, inSeconds(c.Seconds))
	it := Item{Strong: c.Title, Text: head}
	at := p.Places.Place(c.File, c.Line)
	switch {
	case c.Kind == answers.KindState && (len(c.Functions) > 1 || c.File == ""):
		it.add("in %s", codes(c.Functions, 5))
	case c.Code != "":
		it.add("at %s %s", at, code(c.Code))
	case len(c.Functions) > 1:
		it.add("in %s at %s, and in %s", code(c.Functions[0]), at, codes(c.Functions[1:], 3))
	default:
		it.add("in %s at %s", codes(c.Functions, 3), at)
	}
	if len(c.Callers) > 0 {
		it.add("%s", reachedFrom(p, c.Callers))
	}
	it.advise(len(c.Hints) + len(c.Remedies))
	for _, h := range c.Hints {
		it.add("torch's hint: %s", h)
	}
	for _, r := range c.Remedies {
		it.add("%s", r)
	}
	if n := len(c.Also); n > 0 {
		it.add("compared with other versions, something else differs: %s%s", strings.Join(c.Also[:min(n, 3)], "; "), andMore(n-3))
	}
	if c.Refused > 0 {
		it.Details = append(it.Details, limitsOf(p, c)...)
	}
	return it
}

// limitsOf says which limits a cause has led to, and what that costs.
func limitsOf(p *explain.Program, c answers.Cause) []string {
	var out []string
	for _, f := range slices.Concat(p.Functions, p.Resumes) {
		if f.Limit == nil {
			continue
		}
		id, _ := explain.SplitCompileID(f.Limit.ID)
		if text := fmt.Sprintf("the limit %s is reached: %s", limitTitle(f.Limit), limitBrief(f.Limit)); slices.Contains(c.IDs, id) && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

// reachedFrom names the user's lines that lead to a line in a library.
func reachedFrom(p *explain.Program, callers []answers.Caller) string {
	var list []string
	for _, c := range callers[:min(3, len(callers))] {
		if c.Line == 0 {
			list = append(list, fmt.Sprintf("%s in %s", code(c.Function), p.Places.Name(c.File)))
			continue
		}
		list = append(list, strings.TrimSpace(p.Places.Place(c.File, c.Line)+" "+code(c.Code)))
	}
	text := "reached from " + strings.Join(list, ", ")
	return text + andMore(len(callers)-len(list))
}

func refusedText(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" and %d more refused by the limit", n)
}

// silent is the answer that there is nothing of a kind, or, where a log would not tell of it, that the log
// does not: what TORCH_LOGS is not asked for is not written, and what is pasted is seldom all.
func silent(p *explain.Program, kind, nothing, untold string) string {
	by, ok := p.Model.Start.Silent[kind]
	switch {
	case !ok:
		return nothing
	case kind == "times":
		return untold + ": " + by + " has them."
	case by == "":
		return untold + "."
	}
	return untold + ": there was none, or TORCH_LOGS=\"" + by + "\" was not set."
}

// silent makes it an answer that there is nothing of a kind, which has a noun, too.
func (s *Section) silent(p *explain.Program, kind, noun, nothing, untold string) {
	s.Lead = silent(p, kind, nothing, untold)
	if _, ok := p.Model.Start.Silent[kind]; ok {
		s.untold, s.noun = kind, noun
	}
}

func (it *Item) add(format string, args ...any) {
	it.Details = append(it.Details, fmt.Sprintf(format, args...))
}

// advise says that so many pieces of advice follow.
func (it *Item) advise(n int) {
	if n > 0 {
		it.Advised = len(it.Details) + 1
	}
}

// inSeconds is ", 3.1 s", and nothing where torch has not measured.
func inSeconds(s float64) string {
	if s < 0.05 {
		return ""
	}
	return fmt.Sprintf(", %.1f s", s)
}

// codes is "`a`, `b` and 3 more".
func codes(names []string, most int) string {
	var out []string
	for _, n := range names {
		out = append(out, code(n))
	}
	if n := len(out); n > most {
		return strings.Join(out[:most], ", ") + fmt.Sprintf(" and %d more", n-most)
	}
	return strings.Join(out, ", ")
}

// Brief is the section with its first items, and the first details of each, up to the first advice at least; more names the
// command that has all.
func (s Section) Brief(items, details int, more string) Section {
	var list []Item
	cut := false
	for _, it := range s.Items[:min(items, len(s.Items))] {
		if enough := max(details, it.Advised); len(it.Details) > enough {
			it.Details, cut = it.Details[:enough:enough], true
		}
		list = append(list, it)
	}
	if left := len(s.Items) - len(list); left > 0 {
		list = append(list, Item{Text: fmt.Sprintf("and %d more: %s", left, more)})
	} else if cut {
		list = append(list, Item{Text: "more on each: " + more})
	}
	s.Items = list
	return s
}

// Open is how many details of each item the page shows at once: all of them where they fit on a screen or two.
func (s Section) Open() int {
	if len(s.Items) <= 6 {
		return math.MaxInt
	}
	return 2
}

// Markdown is the section with a heading of that level.
func (s Section) Markdown(level int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n\n%s\n\n", strings.Repeat("#", level), s.Title, markdown(s.Lead))
	for _, it := range s.Items {
		b.WriteString("- ")
		if it.Strong != "" {
			b.WriteString("**" + markdown(it.Strong) + "**")
			if strings.HasPrefix(it.Text, " ") {
				b.WriteByte(' ')
			}
		}
		b.WriteString(markdown(it.Text) + "\n")
		for _, d := range it.Details {
			fmt.Fprintf(&b, "  - %s\n", markdown(d))
		}
	}
	if len(s.Items) > 0 {
		b.WriteByte('\n')
	}
	if s.Numbers != nil {
		b.WriteString(s.Numbers.markdown())
	}
	return b.String()
}

// Text is the section for a terminal.
func (s Section) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n", oneLine(s.Lead))
	for _, it := range s.Items {
		fmt.Fprintf(&b, "* %s\n", oneLine(it.Strong+it.Text))
		for _, d := range it.Details {
			fmt.Fprintf(&b, "    %s\n", oneLine(d))
		}
	}
	if len(s.Items) > 0 {
		b.WriteByte('\n')
	}
	if s.Numbers != nil {
		b.WriteString(s.Numbers.text())
	}
	return b.String()
}
