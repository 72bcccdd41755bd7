package report

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/explain"
	"github.com/thuml/depyf/internal/lazyregexp"
)

// Sessions of hundreds of functions say the same thing hundreds of times: each layer
// of a model breaks at its own line for one reason. What follows keeps the index
// readable then. Nothing is left out that stands nowhere else: full_code_for_… and
// report.html have every function in full.

// crowd is the number from which things of one kind are told in a line each.
const crowd = 20

// breakKind is what the text of a graph break says beside its place.
func breakKind(b explain.Break) string {
	if b.Explanation == "" && len(b.Hints) == 0 && b.Link == "" {
		return ""
	}
	return strings.Join(append([]string{b.Reason, answers.Hence(b.Causes), b.Explanation, b.Link}, b.Hints...), "\n")
}

// split divides functions into those that need a section and those of which a section
// would say what another one has said: one version, of the usual verdict, with as many
// graphs, breaks and resume functions, and for the same reasons.
func split(list []*explain.Function) (sections, rows []*explain.Function) {
	told := map[string]bool{}
	for _, f := range list {
		s, ok := shape(f)
		if ok && told[s] {
			rows = append(rows, f)
			continue
		}
		told[s] = true
		sections = append(sections, f)
	}
	if len(rows) < crowd {
		return list, nil
	}
	return sections, rows
}

// shape is all that the sections of a function and its resume functions say, but for
// names, places and values; not ok if they say more than that.
func shape(f *explain.Function) (s string, ok bool) {
	var b strings.Builder
	for _, each := range append([]*explain.Function{f}, resumesOf(f)...) {
		if len(each.Versions) != 1 || each.Backward || each.Limit != nil {
			return "", false
		}
		v := each.Versions[0]
		if c := v.Compile; c != nil && len(c.Symbols)+len(c.Recompile) > 0 {
			return "", false
		}
		if slices.ContainsFunc(v.Resumes, func(r explain.Resume) bool { return r.To == nil }) {
			return "", false
		}
		fmt.Fprintf(&b, "%s %v %d %d\n", shortVerdict(v.Code), v.HasGuards, len(v.Graphs), len(v.Resumes))
		for _, br := range breaksOf(each) {
			fmt.Fprintf(&b, "%q %q\n", br.Reason, breakKind(br))
		}
	}
	return b.String(), true
}

// resumesOf lists the resume functions that f leads to, each once.
func resumesOf(f *explain.Function) []*explain.Function {
	var out []*explain.Function
	seen := map[*explain.Function]bool{f: true}
	var follow func(f *explain.Function)
	follow = func(f *explain.Function) {
		var next []*explain.Function
		for _, v := range f.Versions {
			for _, r := range v.Resumes {
				if r.To != nil && !seen[r.To] {
					seen[r.To] = true
					next = append(next, r.To)
				}
			}
		}
		out = append(out, next...)
		for _, r := range next {
			follow(r)
		}
	}
	follow(f)
	return out
}

// rows tells functions in a line each.
func (w *indexWriter) rows(list []*explain.Function) {
	if len(list) == 0 {
		return
	}
	w.line("## %d more functions like these\n", len(list))
	w.line("One version each, and the same to say of them as of one of those above.\n")
	w.line("| function | everything in | graph breaks | graphs |\n|---|---|---|---|")
	for _, f := range list {
		var breaks, graphs []string
		for _, each := range append([]*explain.Function{f}, resumesOf(f)...) {
			for _, b := range breaksOf(each) {
				breaks = append(breaks, markdown(breakPlace(w.prog, b)))
			}
			for _, v := range each.Versions {
				graphs = append(graphs, v.Graphs...)
			}
		}
		for i, g := range graphs {
			graphs[i] = code(g)
		}
		all := "its code is not in torch's log"
		if !f.First.Logged {
			all = linkTo(fullName(f))
		}
		w.line("| %s %s | %s | %s | %s |", code(f.Title), cell(markdown(origin(w.prog, f))), all,
			cell(strings.Join(breaks, ", ")), strings.Join(graphs, " "))
	}
	w.line("")
}

// resumeRows is rows for the resume functions of one function.
func (w *indexWriter) resumeRows(list []*explain.Function) {
	if len(list) == 0 {
		return
	}
	w.line("### %d more resume functions like these\n", len(list))
	w.line("Where a graph break has no code beside it, the code is that of the row above.\n")
	last := ""
	w.line("| resume function | continues at line | runs | graph break | graphs |\n|---|---|---|---|---|")
	for _, f := range list {
		var breaks, graphs []string
		for _, b := range breaksOf(f) {
			if place := w.prog.Places.Place(b.File, b.Line); b.Code == last {
				breaks = append(breaks, markdown(place))
			} else {
				breaks = append(breaks, markdown(breakPlace(w.prog, b)))
			}
			last = b.Code
		}
		for _, g := range f.Versions[0].Graphs {
			graphs = append(graphs, code(g))
		}
		runs := "its code is not in torch's log"
		if c := f.Versions[0].Code; c.HasText() {
			runs = "[code](" + c.File + ")"
		}
		w.line("| %s | %d | %s | %s | %s |", code(resumeName(f)), f.First.Old.FirstLine, runs,
			cell(strings.Join(breaks, ", ")), strings.Join(graphs, " "))
	}
	w.line("")
}

// shapeAlone is the shape of a function without those of the resume functions that it leads to.
func shapeAlone(f *explain.Function) (s string, ok bool) {
	alone := *f
	alone.Versions = nil
	for _, v := range f.Versions {
		copied := *v
		copied.Resumes = slices.DeleteFunc(slices.Clone(v.Resumes), func(r explain.Resume) bool { return r.To != nil })
		alone.Versions = append(alone.Versions, &copied)
	}
	return shape(&alone)
}

// splitResumes is split for the resume functions of one function, which are told one by one.
func splitResumes(list []*explain.Function) (sections, rows []*explain.Function) {
	told := map[string]bool{}
	for _, f := range list {
		s, ok := shapeAlone(f)
		if ok && told[s] {
			rows = append(rows, f)
			continue
		}
		told[s] = true
		sections = append(sections, f)
	}
	if len(rows) < crowd {
		return list, nil
	}
	return sections, rows
}

func resumeName(f *explain.Function) string {
	if f.Global != "" {
		return f.Global
	}
	return f.Title
}

var numbers = lazyregexp.New(`[0-9]+`)

// together puts things into groups whose keys differ in numbers only, in the order of
// the first of each. Groups of few fall apart again into groups of one.
func together[T any](list []T, key func(T) string) [][]T {
	byKey := map[string][]T{}
	for _, x := range list {
		k := numbers.ReplaceAllString(key(x), "0")
		byKey[k] = append(byKey[k], x)
	}
	var out [][]T
	done := map[string]bool{}
	for _, x := range list {
		k := numbers.ReplaceAllString(key(x), "0")
		switch g := byKey[k]; {
		case len(g) < crowd:
			out = append(out, []T{x})
		case !done[k]:
			done[k] = true
			out = append(out, g)
		}
	}
	return out
}

// common is what a number of texts have in common, with "…" where they differ.
func common(texts []string) string {
	first := texts[0]
	if !slices.ContainsFunc(texts, func(s string) bool { return s != first }) {
		return first
	}
	n, m := len(first), len(first)
	for _, s := range texts {
		i := 0
		for i < min(n, len(s)) && s[i] == first[i] {
			i++
		}
		n = i
		j := 0
		for j < min(m, len(s)) && s[len(s)-1-j] == first[len(first)-1-j] {
			j++
		}
		m = j
	}
	shortest := len(slices.MinFunc(texts, func(a, b string) int { return len(a) - len(b) }))
	m = min(m, shortest-n)
	return strings.ToValidUTF8(first[:n], "") + "…" + strings.ToValidUTF8(first[len(first)-m:], "")
}

// pattern is the names of files that differ in numbers, as a glob pattern.
func pattern(names []string) string {
	parts := numbers.FindAllStringIndex(names[0], -1)
	var b strings.Builder
	last := 0
	for i, at := range parts {
		same := true
		for _, n := range names {
			all := numbers.FindAllString(n, -1)
			same = same && all[i] == names[0][at[0]:at[1]]
		}
		b.WriteString(names[0][last:at[0]])
		if same {
			b.WriteString(names[0][at[0]:at[1]])
		} else {
			b.WriteString("*")
		}
		last = at[1]
	}
	return b.String() + names[0][last:]
}

// fileRows is the table of all files.
func (w *indexWriter) fileRows(files []explain.File) {
	for _, group := range together(files, func(f explain.File) string { return f.Path }) {
		if f := group[0]; len(group) == 1 {
			w.line("| [`%s`](%s) | %s |", f.Path, f.Path, cell(markdown(f.About)))
			continue
		}
		var names, abouts []string
		for _, f := range group {
			names, abouts = append(names, f.Path), append(abouts, f.About)
		}
		w.line("| `%s`, %d files | %s |", pattern(names), len(group), cell(markdown(common(abouts))))
	}
}

// graphRows is the table of graphs.
func (w *indexWriter) graphRows(list []*graphFiles) {
	label := func(g *graphFiles) string {
		out := g.name + "\n" + g.owner
		for _, a := range g.files {
			out += "\n" + stageLabel(g.name, a)
		}
		return out
	}
	for _, group := range together(list, label) {
		var links, names, owners []string
		for _, g := range group {
			names, owners = append(names, g.name), append(owners, g.owner)
		}
		for _, a := range group[0].files {
			if len(group) == 1 {
				links = append(links, fmt.Sprintf("[%s](%s)", stageLabel(group[0].name, a), a.File))
			} else {
				links = append(links, code("*."+stageLabel(group[0].name, a)))
			}
		}
		text := codeList(names)
		if len(group) >= crowd {
			text = fmt.Sprintf("%s, %d graphs", code(pattern(names)), len(group)) // each stands where it is run
		}
		w.line("| %s | %s | %s |", text, cell(markdown(common(owners))), strings.Join(links, " "))
	}
}

// items is a list in which of many lines that differ in numbers and in what is set as
// code the first ten stand.
func (w *indexWriter) items(list []string) {
	quoted := regexp.MustCompile("`[^`]*`")
	for _, group := range together(list, func(s string) string { return quoted.ReplaceAllString(s, "") }) {
		const most = 10
		for i, s := range group {
			if i == most {
				w.line("- … and %d more like these; [`report.html`](report.html) has them all.", len(group)-most)
				break
			}
			w.line("- %s", markdown(s))
		}
	}
}

func codeList(names []string) string {
	var out []string
	for _, n := range names {
		out = append(out, code(n))
	}
	return strings.Join(out, " ")
}
