package report

import (
	"fmt"
	"strings"

	"github.com/thuml/depyf/internal/explain"
)

const indexName = "index.md"

// listFiles lists the files of a dump folder, the one to open first at the top.
func listFiles(p *explain.Program) []explain.File {
	var out []explain.File
	add := func(path, about string) { out = append(out, explain.File{Path: path, About: about}) }
	addCode := func(c *explain.Transformed, what string) {
		if !c.HasText() {
			return
		}
		add(c.File, what)
		if !p.Model.Start.LogBytecode {
			return
		}
		stem := strings.TrimSuffix(c.File, ".py")
		if c.Old.Blob != "" {
			add(stem+originalExt, "the bytecode before Dynamo")
		}
		if c.New.Blob != "" {
			add(stem+transformedExt, "the bytecode that Dynamo made")
		}
		if c.Swapped != nil && c.Swapped.Blob != "" {
			add(stem+recompiledExt, "the bytecode of the decompiled text, which runs")
		}
	}
	add(indexName, "what each file is and where to start")
	add(htmlName, "the whole session as one page for a browser, to look at or to send")
	for _, f := range p.Functions {
		if f.First.Logged {
			continue
		}
		add(fullName(f), fmt.Sprintf("everything about %s (%s) in one file: guards, transformed code, resume functions", f.Title, origin(p, f)))
	}
	for _, list := range [][]*explain.Function{p.Functions, p.Resumes} {
		for _, f := range list {
			for _, v := range f.Versions {
				c := v.Code
				what := "what runs in place of " + f.Title
				if f.IsResume {
					what = fmt.Sprintf("what runs after the graph break in %s, line %d", parentName(f), c.Old.FirstLine)
				}
				if len(f.Versions) > 1 {
					what += fmt.Sprintf(", version %d", v.Number)
				}
				addCode(c, what+" ("+shortVerdict(c)+")")
			}
		}
	}
	for _, c := range p.Unused {
		addCode(c, fmt.Sprintf("what was to run in place of %s; its compilation failed, so that nothing runs it", p.Model.Title(c)))
	}
	for _, a := range p.Files {
		if a.File != "" {
			add(a.File, about(a.Stage))
		}
	}
	return out
}

// shortVerdict is the state of a transformed code in a few words.
func shortVerdict(c *explain.Transformed) string {
	switch {
	case !c.HasText():
		return "its code is not in torch's log"
	case c.Logged:
		return "from a listing, not proved"
	case c.Swapped != nil && c.Swapped.OK:
		return c.Decompiled.Verdict + ", running"
	case c.Decompiled.Proven && c.Swapped != nil:
		return c.Decompiled.Verdict + ", not running: " + oneLine(c.Swapped.Why)
	case c.Decompiled.Proven:
		return c.Decompiled.Verdict
	case c.Decompiled.Verdict == "":
		return "not decompiled"
	}
	if c.Kept {
		return "not proved"
	}
	return "not proved, so the bytecode runs"
}
