package report

import (
	"strings"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/explain"
)

// logHas are the kinds of messages that no question in brief is about.
var logHas = []struct{ kind, what string }{
	{"starts", "what was compiled"},
	{"guards", "guards"},
	{"graphs", "Dynamo's graphs"},
	{"aot", "the graphs of AOTAutograd"},
	{"kernels", "kernels"},
	{"code", "the code that Dynamo made"},
}

// Folded puts the sections that a log tells nothing of into one, where there are several: what it lacks, and how to ask for it.
func Folded(f *answers.Facts, sections []Section) []Section {
	var out []Section
	var nouns, switches []string
	times := false
	silent := f.Program.Model.Start.Silent
	for _, s := range sections {
		if s.untold == "" {
			out = append(out, s)
			continue
		}
		nouns = append(nouns, s.noun)
		switch by := silent[s.untold]; {
		case s.untold == "times":
			times = true
		case by != "":
			switches = append(switches, by)
		}
	}
	if len(nouns) < 2 {
		return sections
	}
	s := Section{Name: "untold", Command: "report", Title: "What the log does not tell"}
	s.Lead = "It has nothing of " + explain.InWords(nouns) + ": there was none, or torch was not asked to log it."
	switch by := "TORCH_LOGS=\"" + strings.Join(switches, ",") + "\""; {
	case times && len(switches) > 0:
		s.Lead += " " + by + " asks for it, and for times TORCH_TRACE=FOLDER, which logs all of it."
	case times:
		s.Lead += " TORCH_TRACE=FOLDER logs all of it."
	case len(switches) > 0:
		s.Lead += " " + by + " asks for it."
	}
	var has []string
	for _, k := range logHas {
		if _, untold := silent[k.kind]; !untold {
			has = append(has, k.what)
		}
	}
	if len(out) == 0 && len(has) > 0 {
		s.Lead = "It has " + explain.InWords(has) + ", which `depyf report` shows. " + s.Lead
	}
	return append(out, s)
}
