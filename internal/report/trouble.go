package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/explain"
)

// Trouble says what raised, and which functions have met a limit: what it was, what torch said, what runs instead and what helps.
func Trouble(facts *answers.Facts) Section {
	p := facts.Program
	s := Section{Name: "failures", Command: "failures", Title: "What failed", Bad: true}
	failures := []answers.Compilation{}
	left := map[string]bool{} // by an error of torch's own, and not by what it cannot compile
	for _, c := range facts.Session().Compilations {
		if c.Failed() || c.Limit != nil || c.Suppressed() {
			failures = append(failures, c)
		}
		left[explain.JoinCompileID(c.ID, c.Resets)] = c.Suppressed()
	}
	for _, c := range p.Lost {
		if left[c.ID] {
			s.Items = append(s.Items, Item{Text: functionAt(p, p.Model.TitleOf(c), c.File, c.Line) + " was left uncompiled and runs as ordinary Python: " + lostWhy(p, c)})
		}
	}
	lost := s.Items
	s.Items = nil
	s.Data, s.More = failures, otherFailures(facts)
	if raised := raisedText(p); raised != "" {
		s.Items = append(s.Items, Item{Text: raised})
	}
	for _, f := range p.Failed {
		s.Items = append(s.Items, failureItem(p, f))
	}
	s.Items = append(s.Items, exportFailures(facts)...)
	s.Items = append(s.Items, lost...)
	failed := len(s.Items)
	for _, f := range slices.Concat(p.Functions, p.Resumes) {
		if f.Limit != nil {
			s.Items = append(s.Items, limitItem(facts, f))
		}
	}
	switch limits := len(s.Items) - failed; {
	case len(s.Items) == 0:
		s.silent(p, "failures", "failures and limits", "Nothing failed, and no limit was reached.", "The log tells of nothing that failed, and of no limit that was reached")
	case limits == 0:
		s.Lead = plural(failed, "failure") + "."
	case failed == 0:
		s.Title = "Limits that were reached"
		s.Lead = functionsAt(limits) + " a limit."
	default:
		s.Lead = plural(failed, "failure") + "; " + functionsAt(limits) + " a limit."
	}
	if p.Model.Abandoned {
		s.Lead += " That is what is known up to where the program was killed, or ended by `os._exit`."
	}
	s.Short = troubleInShort(p)
	return s
}

// otherFailures are those that are not of a compilation: what ended the program, and calls of torch.export. They have the names of
// the whole report's JSON.
func otherFailures(facts *answers.Facts) map[string]any {
	more := map[string]any{}
	if r := facts.Session().Raised; r != nil {
		more["raised"] = r
	}
	if list := facts.Session().FailedExports(); len(list) > 0 {
		more["exports"] = list
	}
	return more
}

func functionsAt(limits int) string { return plural(limits, "function") + " reached" }

// failureItem tells of a call, or a backward pass, that raised.
func failureItem(p *explain.Program, f *explain.Failure) Item {
	head, details := failureText(p, f)
	if f.Backward != nil {
		return Item{Text: head + ". Nothing ran instead: whoever asked for gradients got the error. The forward pass is compiled", Details: details}
	}
	return Item{Text: head + ". Nothing ran instead: the caller got the error", Details: details}
}

// mostChecks is how many of the checks that failed at a limit are named: there is one for each version.
const mostChecks = 3

func limitItem(facts *answers.Facts, f *explain.Function) Item {
	p := facts.Program
	it := Item{Text: fmt.Sprintf("%s (%s) reached the limit %s. %s", functionText(f.Title), origin(p, f), limitTitle(f.Limit), limitText(f.Limit))}
	failed, advice := limitReasons(facts, f)
	for _, a := range advice {
		it.add("%s", a)
	}
	for _, c := range failed[:min(mostChecks, len(failed))] {
		it.add("failed check: %s", c)
	}
	if n := len(failed) - mostChecks; n > 0 {
		it.add("and %s of other versions", plural(n, "failed check"))
	}
	return it
}

// troubleInShort names the functions, for contents.
func troubleInShort(p *explain.Program) string {
	var names []string
	add := func(name string) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, f := range p.Failed {
		add(functionText(p.Model.TitleOf(f.Compile)))
	}
	for _, f := range slices.Concat(p.Functions, p.Resumes) {
		if f.Limit != nil {
			add(functionText(f.Title))
		}
	}
	most := min(4, len(names))
	return strings.Join(names[:most], ", ") + andMore(len(names)-most)
}
