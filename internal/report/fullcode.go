package report

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/thuml/depyf/internal/cfg"
	"github.com/thuml/depyf/internal/decompile"
	"github.com/thuml/depyf/internal/explain"
	"github.com/thuml/depyf/internal/lazyregexp"
)

func fullName(f *explain.Function) string {
	return fmt.Sprintf("full_code_for_%s_%d.py", explain.Identifier(f.Name), f.Number)
}

// section is one part of a full_code file, listed in its table of contents.
type section struct {
	title string
	text  string
}

// fullFile collects the sections of one full_code file.
type fullFile struct {
	prog     *explain.Program
	guards   guardTexts
	sections []section
	seen     map[*explain.Function]bool
	graphs   map[string]bool
	names    map[*explain.Function]string
	taken    map[string]bool
	root     *explain.Function
	aliases  []section
}

// fullCode is the text of full_code_for_<func>_<n>.py: all that torch.compile
// made of one function, in one file that reads from top to bottom.
func fullCode(p *explain.Program, f *explain.Function, guards guardTexts) string {
	ff := &fullFile{
		prog: p, guards: guards, root: f, seen: map[*explain.Function]bool{}, graphs: map[string]bool{},
		names: map[*explain.Function]string{}, taken: map[string]bool{},
	}
	ff.function(f)
	return explain.CleanName(ff.header(f) + ff.body())
}

// function adds the sections of f: for every version its guards, the graphs it
// calls and its code; then the resume functions; then f itself and the function
// that picks a version. Resume functions may call themselves (a loop that
// depends on data does), so that each is visited once.
func (ff *fullFile) function(f *explain.Function) {
	ff.seen[f] = true
	name := ff.name(f)
	for _, v := range f.Versions {
		ff.add(fmt.Sprintf("%s: when version %d is valid", name, v.Number), ff.guards.of(ff.prog, guardName(name, v), v))
		for _, g := range v.Graphs {
			if !ff.graphs[g] {
				ff.graphs[g] = true
				ff.add(fmt.Sprintf("%s: a compiled graph", g), graphStub(ff.prog, g))
			}
		}
		title := fmt.Sprintf("%s: what version %d runs", name, v.Number)
		head := fmt.Sprintf("# %s\n# verdict: %s\n", v.Code.File, oneLine(verdictText(v.Code.Decompiled)))
		var notes strings.Builder
		legend(&notes, v.Code.Decompiled.Legend)
		ff.add(title, head+notes.String()+codeText(v.Code))
	}
	for _, v := range f.Versions {
		for _, r := range v.Resumes {
			switch {
			case r.To == nil:
				if !ff.taken[r.Name] {
					ff.taken[r.Name] = true
					ff.add(r.Name+": a resume function that was not compiled",
						resumeStub(ff.prog, f, r.Name))
				}
			case !ff.seen[r.To]:
				ff.function(r.To)
				ff.alias(r)
			default:
				ff.alias(r)
			}
		}
	}
	if ff.root == f {
		ff.sections = append(ff.sections, ff.aliases...) // what they name is defined now
	}
	ff.add(name+": "+originalTitle(f), original(ff.prog, f, name))
	ff.add(fmt.Sprintf("transformed_%s: picks the version", name), dispatcher(f, name))
}

// alias defines a second name of a resume function: each version of a function
// calls it by a name of its own.
func (ff *fullFile) alias(r explain.Resume) {
	name, known := explain.Identifier(r.Name), ff.name(r.To)
	if name == known || ff.taken[name] {
		return
	}
	ff.taken[name] = true
	ff.aliases = append(ff.aliases, section{fmt.Sprintf("%s: another name of %s", name, known), fmt.Sprintf("%s = %s\n", name, known)})
}

func originalTitle(f *explain.Function) string {
	if f.IsResume {
		return "the rest of the function, from the graph break on"
	}
	return "the original function"
}

func (ff *fullFile) add(title, text string) {
	ff.sections = append(ff.sections, section{title, strings.TrimRight(text, "\n") + "\n"})
}

// name is what a function is called in the file. A resume function goes by its
// global name, which is what the code that calls it says: the names of the code
// objects of two resume functions of one line are equal.
func (ff *fullFile) name(f *explain.Function) string {
	if n := ff.names[f]; n != "" {
		return n
	}
	stem := explain.Identifier(f.Name)
	if f.IsResume && f.Global != "" {
		stem = explain.Identifier(f.Global)
	}
	name := stem
	for i := 2; ff.taken[name]; i++ {
		name = fmt.Sprintf("%s_%d", stem, i)
	}
	ff.taken[name] = true
	ff.names[f] = name
	return name
}

func guardName(name string, v *explain.Version) string {
	return fmt.Sprintf("__guard_%d_for_%s", v.Number, name)
}

// resumeStub stands for a resume function that depyf saw no code of.
func resumeStub(p *explain.Program, f *explain.Function, name string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s continues %s after the graph break. Dynamo made no code of it:\n", name, f.Title)
	why := "it was never called, or Dynamo left it alone."
	for _, c := range p.Lost {
		if c.File == f.File && cfg.ResumeName(c.Func) {
			why = fmt.Sprintf("%s (line %d): %s", c.Func, c.Line, lostWhy(p, c))
		}
	}
	b.WriteString(comment("", oneLine(why)))
	fmt.Fprintf(&b, "def %s(*args, **kwargs):\n    \"\"\"See the note above.\"\"\"\n", explain.Identifier(name))
	return b.String()
}

// graphStub stands for a compiled graph, whose text is in files of its own.
func graphStub(p *explain.Program, graph string) string {
	var files []string
	for _, a := range p.ArtefactsOf(graph) {
		files = append(files, a.File)
	}
	see := "Its graph was not captured."
	if len(files) > 0 {
		see = "See " + strings.Join(files, ", ") + "."
	}
	return fmt.Sprintf("def %s(*args, **kwargs):\n    \"\"\"%s\"\"\"\n", explain.Identifier(graph), see)
}

var defLine = lazyregexp.New(`(?m)^\s*(?:async\s+)?def\s`)

// original is the text of the function as the user wrote it, or decompiled.
func original(p *explain.Program, f *explain.Function, name string) string {
	c := f.First
	made := p.Model.Original(c.OldKey)
	src := made.Source
	hasText := strings.TrimSpace(src) != "" && explain.Balanced(src) == ""
	var b strings.Builder
	if f.IsResume {
		fmt.Fprintf(&b, "# %s continues %s at line %d after the graph break", name, parentName(f), c.Old.FirstLine)
		b.WriteString(".\n")
		if hasText {
			b.WriteString("# torch made it by editing bytecode; this is that bytecode, decompiled.\n")
		}
	} else {
		fmt.Fprintf(&b, "# The function as it was before torch.compile, from %s.\n", p.Places.Place(f.File, f.Line))
	}
	fmt.Fprintf(&b, "# The compiled way in is transformed_%s.\n", name)
	if c.SourceOK && defLine.MatchString(c.Source) {
		b.WriteString(withoutDefaults(hideDecorators(c.Source)))
		return b.String()
	}
	if c.Source != "" {
		b.WriteString("# Its text is no function on its own:\n" + comment("", c.Source))
	}
	params, _ := signature(c.Old)
	if !hasText {
		fmt.Fprintf(&b, "def %s(%s):\n    raise NotImplementedError(%s)\n", name, params, quote(verdictText(made)))
		return b.String()
	}
	if f.IsResume {
		fmt.Fprintf(&b, "# verdict: %s\n", oneLine(verdictText(made)))
	}
	b.WriteString(renameDef(src, made.Name, name))
	if wrapper := "def " + decompile.OuterName + "("; strings.HasPrefix(src, wrapper) || strings.Contains(src, "\n"+wrapper) {
		cells := strings.Repeat("..., ", len(c.Old.FreeVars))
		fmt.Fprintf(&b, "\n\n# The variables of the enclosing function are not known here.\n%s = %s(%s)\n", name, decompile.OuterName, strings.TrimSuffix(cells, ", "))
	}
	return b.String()
}

func parentName(f *explain.Function) string {
	for f.IsResume && f.Parent != nil {
		f = f.Parent
	}
	if f.IsResume {
		n := f.Name
		for _, pre := range []string{"torch_dynamo_", "resume_in_", "<resume in "} {
			n = strings.TrimPrefix(n, pre)
		}
		return n
	}
	return f.Title
}

// renameDef changes the name that the text defines; the name of the code object
// need not be the one that the function is called by.
func renameDef(src, from, to string) string {
	if from == "" || from == to {
		return src
	}
	re := regexp.MustCompile(`(?m)^(\s*(?:async\s+)?def\s+)` + regexp.QuoteMeta(from) + `\(`)
	loc := re.FindStringSubmatchIndex(src)
	if loc == nil {
		return src
	}
	out := src[:loc[3]] + to + src[loc[3]+len(from):]
	// A wrapper for free variables ends by returning the function.
	tail := regexp.MustCompile(`(?m)^(\s*return\s+)` + regexp.QuoteMeta(from) + `[ \t]*$`)
	return tail.ReplaceAllString(out, "${1}"+to)
}

// hideDecorators makes comments of the decorators: @torch.compile would compile
// the function of this file as well.
func hideDecorators(src string) string {
	loc := defLine.FindStringIndex(src)
	if loc == nil || strings.TrimSpace(src[:loc[0]]) == "" {
		return src
	}
	return comment("", strings.Trim(src[:loc[0]], "\n")) + strings.TrimLeft(src[loc[0]:], "\n")
}

// dispatcher is what Dynamo does on a call, in Python.
func dispatcher(f *explain.Function, name string) string {
	var b strings.Builder
	params, args := signature(f.First.Old)
	fmt.Fprintf(&b, "def transformed_%s(%s):\n    L = {", name, params)
	for i, n := range argNames(f.First.Old) {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%s: %s", quote(n), argName(n))
	}
	b.WriteString("}\n")
	if n := f.First.Old.FreeVars; len(n) > 0 {
		fmt.Fprintf(&b, "    # L also holds the variables of the enclosing function: %s\n", oneLine(strings.Join(n, ", ")))
	}
	b.WriteString("    G = globals()\n")
	if len(f.Versions) > 1 && len(f.Tried) == len(f.Versions) && f.Tried[0] != f.Versions[0] {
		b.WriteString("    # In the order in which Dynamo tried them last: the version used last comes first.\n")
	}
	for _, v := range f.Tried {
		fmt.Fprintf(&b, "    if %s(L, G):\n        return %s(%s)\n", guardName(name, v), v.Code.Def, args)
	}
	b.WriteString("    # No version is valid for these arguments. Dynamo would compile a new one here;\n")
	fmt.Fprintf(&b, "    # this stands for the original function instead.\n    return %s(%s)\n", name, args)
	return b.String()
}

// header introduces the file. Its length does not depend on what follows but
// for the number of sections, so that the lines of these can be told.
func (ff *fullFile) header(f *explain.Function) string {
	start := ff.prog.Model.Start
	var b strings.Builder
	fmt.Fprintf(&b, "# What torch.compile made of %s (%s).\n", f.Title, origin(ff.prog, f))
	fmt.Fprintf(&b, "# Written by depyf from a run with torch %s on Python %s.\n#\n", orUnknown(start.Torch), orUnknown(start.Python))
	fmt.Fprintf(&b, "# This file is for reading; nothing runs from it. How a call goes:\n")
	fmt.Fprintf(&b, "#   1. transformed_%s, at the end, asks the guard of each version in turn;\n", ff.name(f))
	b.WriteString("#   2. the first whose guard holds runs: it calls compiled graphs;\n")
	b.WriteString("#   3. where Dynamo could not compile a line (a graph break), the version runs that\n")
	b.WriteString("#      line as ordinary Python and goes on in a resume function, in the same way.\n#\n# Contents\n")
	// Annotations are full of names that this file has not.
	const future = "\nfrom __future__ import annotations\n"
	line := strings.Count(b.String()+future, "\n") + len(ff.sections)
	for _, s := range ff.sections {
		// two empty lines and the title come before each section's text
		fmt.Fprintf(&b, "# %6d  %s\n", line+3, s.title)
		line += 3 + strings.Count(s.text, "\n")
	}
	return b.String() + future
}

func (ff *fullFile) body() string {
	var b strings.Builder
	for _, s := range ff.sections {
		fmt.Fprintf(&b, "\n\n# ---- %s\n%s", oneLine(s.title), s.text)
	}
	return b.String()
}

func orUnknown(s string) string {
	if s == "" {
		return "(unknown)"
	}
	return s
}
