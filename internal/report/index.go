package report

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/explain"
)

// index is the text of index.md. It is written for somebody who does not know
// Dynamo and has two minutes.
func index(facts *answers.Facts, files []explain.File) string {
	p := facts.Program
	w := &indexWriter{prog: p, facts: facts, told: map[string]string{}}
	m := p.Model
	w.line("# What torch.compile did\n")
	w.summary()
	if m.Start.Log != "" {
		w.fromLog()
	} else if len(p.Functions) > 0 {
		w.line("**Start with [`%s`](%s)**: it shows %s as it runs now; or open [`report.html`](report.html) in a browser.", fullName(p.Functions[0]), fullName(p.Functions[0]), code(p.Functions[0].Title))
		if p.Functions[0].First.Kept {
			w.line("To step through the code, record it with `swap=True`, or with `depyf run --swap`.\n")
		} else {
			w.line("To step through the code, set breakpoints in the `__transformed_code_…` files (or, with the eager backend, in `…Captured_Graph…`) under `depyf.debug()`.\n")
		}
		w.primer()
	}
	w.failed()
	w.left()
	w.answers()
	sections, rows := split(p.Functions)
	for _, f := range sections {
		w.function(f)
	}
	w.rows(rows)
	w.orphans()
	w.graphs()
	w.missing()
	w.line("## All files\n")
	w.line("| file | what it is |\n|---|---|")
	w.fileRows(files)
	if m.Start.Log == "" {
		w.line("| `%s` | what depyf was told, one JSON object a line; `depyf report` makes this folder anew from it |", explain.LogName)
	}
	w.line("")
	w.line("torch %s · Python %s%s", orUnknown(m.Start.Torch), orUnknown(m.Start.Python), rank(m.Start))
	return w.b.String()
}

type indexWriter struct {
	prog  *explain.Program
	facts *answers.Facts
	b     strings.Builder
	told  map[string]string // kinds of graph breaks that have been explained, and where
}

func (w *indexWriter) line(format string, args ...any) {
	fmt.Fprintf(&w.b, format+"\n", args...)
}

func rank(s explain.Start) string {
	if s.Rank == "" {
		return ""
	}
	return " · rank " + s.Rank
}

// fromLog says what this is and what it lacks.
func (w *indexWriter) fromLog() {
	w.line("Open [`report.html`](report.html) in a browser. All of this is from torch's own log, `%s`. %s\n", path.Base(filepath.ToSlash(w.prog.Model.Start.Log)), w.prog.Model.Start.Lacks)
	if len(w.prog.Functions) > 0 {
		w.primer()
	}
}

// summary says in one paragraph what there is to know.
func (w *indexWriter) summary() {
	p := w.prog
	m := p.Model
	if len(p.Functions)+len(p.Resumes) == 0 {
		w.nothing()
		return
	}
	c := count(w.facts)
	if raisedText(p) != "" {
		w.line("- The %s **ended with an error**: see [below](#what-failed).", watched(m.Raised))
	}
	w.failures()
	if c.Limits > 0 {
		var names []string
		for _, f := range slices.Concat(p.Functions, p.Resumes) {
			if f.Limit != nil {
				names = append(names, code(f.Title))
			}
		}
		w.line("- **%s** reached the limit of recompilations: %s. Each says below what its later calls do.", plural(c.Limits, "function"), strings.Join(names, ", "))
	}
	into := plural(c.Versions, "version")
	if answers.Untold(p) > 0 && m.Start.Log != "" {
		into = "at least " + into
	}
	if _, untold := m.Start.Silent["graphs"]; !untold {
		into += " with " + plural(c.Graphs, "graph")
	}
	compiled := plural(c.Functions, "function")
	if c.Functions == 0 { // of a log that is cut off in front
		compiled = plural(c.Resumes, "resume function")
	}
	w.line("- **%s** compiled, into %s.", compiled, into)
	if n := len(w.facts.Exports()); n > 0 {
		w.line("- torch.export was called %s: see [below](#what-torchexport-made).", plural(n, "time"))
	}
	_, begins := m.Start.Silent["starts"] // what is compiled behind a graph break shows as it begins
	switch {
	case c.Breaks == 0:
		w.line("- %s", silent(p, "breaks", "**No graph break**: each function is one graph.", "The log tells of no graph break"))
	case c.Resumes > 0:
		w.line("- **%s**, after which the code goes on in %s.", plural(c.Breaks, "graph break"), plural(c.Resumes, "resume function"))
	case begins:
		w.line("- **%s**.", plural(c.Breaks, "graph break"))
	default:
		w.line("- **%s**, after which the rest of the function runs as plain Python.", plural(c.Breaks, "graph break"))
	}
	switch {
	case c.Recompiles == 0:
		w.line("- %s", silent(p, "recompiles", "**No recompilation**.", "The log tells of no recompilation"))
	case answers.Untold(p) > 0 && m.Start.Log != "":
		w.line("- **At least %s**.", plural(c.Recompiles, "recompilation"))
	default:
		w.line("- **%s**.", plural(c.Recompiles, "recompilation"))
	}
	switch {
	case m.Start.Log != "": // there is no code to prove
	case c.Kept == c.Versions && c.Proven == c.Versions:
		w.line("- All of the versions were decompiled and **proved equal to the bytecode**, which is what runs: nothing was replaced.")
	case c.Kept == c.Versions:
		w.line("- %d of %s proved equal to the bytecode, which is what runs: nothing was replaced.", c.Proven, plural(c.Versions, "version"))
	case c.Shown == c.Versions:
		w.line("- All of the versions were decompiled, **proved equal to the bytecode**, and run from the files here.")
	default:
		w.line("- %d of %s proved equal to the bytecode; %d run from the files here. The rest runs as bytecode, as without depyf.",
			c.Proven, plural(c.Versions, "version"), c.Shown)
	}
	if len(m.Problems) > 0 {
		w.line("- %s while watching: see [below](#what-is-missing).", plural(len(m.Problems), "problem"))
	}
	w.line("")
}

// failures says how many calls and backward passes raised.
func (w *indexWriter) failures() {
	calls, backward := timesFailed(w.prog)
	if calls > 0 {
		w.line("- **%s raised an error** while being compiled: see [below](#what-failed).", plural(calls, "call"))
	}
	if backward > 0 {
		w.line("- Compiling a **backward pass raised an error** %s: see [below](#what-failed).", plural(backward, "time"))
	}
}

func timesFailed(p *explain.Program) (calls, backward int) {
	for _, f := range p.Failed {
		if f.Backward != nil {
			backward += f.Times
		} else {
			calls += f.Times
		}
	}
	return calls, backward
}

// nothingInLog says of a log that it tells of no code that was compiled.
func nothingInLog(p *explain.Program) string {
	if len(p.Files) > 0 {
		return "The log does not say which function the graphs below are of."
	}
	if p.Model.Start.Compiled {
		return "Something was compiled, but the log does not say which function."
	}
	return "The log tells of no function that was compiled."
}

// linkTo leads to a file beside the index.
func linkTo(file string) string { return fmt.Sprintf("[`%s`](%s)", file, file) }

// nothing explains an empty folder.
func (w *indexWriter) nothing() {
	if len(w.prog.Failed) > 0 {
		w.failures()
		w.line("- Nothing else was compiled.\n")
		return
	}
	if only := exportedOnly(w.facts); only != "" {
		w.line("**%s**\n", only)
		return
	}
	if raisedText(w.prog) != "" {
		w.line("**Nothing was compiled while depyf watched**: the %s ended with an error before: see [below](#what-failed).\n", watched(w.prog.Model.Raised))
		return
	}
	if w.prog.Model.Start.Log != "" { // why depyf has not seen more is no question: the log is all that there is
		w.line("**%s**\n", nothingInLog(w.prog))
		if lost := w.lost(every); len(lost) > 0 {
			w.line("Dynamo looked at %s and left it alone:\n", plural(len(lost), "function"))
			for _, s := range lost {
				w.line("- %s", markdown(s))
			}
			w.line("")
		}
		return
	}
	w.line("**Nothing was compiled while depyf watched.**\n")
	if lost := w.lost(every); len(lost) > 0 {
		w.line("Dynamo looked at %s and left it alone:\n", plural(len(lost), "function"))
		for _, s := range lost {
			w.line("- %s", markdown(s))
		}
		w.line("\nIf you expected others, the reason may be:\n")
	} else {
		w.line("What may be the reason:\n")
	}
	w.line("- The program has a `prepare_debug` block of its own: what is compiled inside of it is in that block's folder.")
	w.line("- The function had been compiled before `prepare_debug` was entered (by a warm-up call, say). Compiled code is kept: call `torch._dynamo.reset()` first, or enter `prepare_debug` earlier.")
	w.line("- No function under `torch.compile` was called inside the block, or `torch.compile` is off (`TORCHDYNAMO_DISABLE`, `torch.compiler.set_stance(\"force_eager\")`).")
	w.line("- Dynamo skips a function as a whole when a graph break lies in a loop, a `with` or a `try` block, or when it has no tensor operation. `TORCH_LOGS=graph_breaks` tells.")
	w.line("- The work was done in another process: give that one `DEPYF_DUMP`, or call `prepare_debug` there.\n")
}

func (w *indexWriter) primer() {
	w.line("<details><summary>The words used here</summary>\n")
	w.line("- **Dynamo** watches a function run once and records its tensor operations as a **graph**, which a backend compiles. What remains of the function is new code that calls the graph: the **transformed code**.")
	w.line("- A **guard** lists what Dynamo took for granted (shapes, types, values). If it does not hold for later arguments, the function is compiled again: a **recompilation**, one more version.")
	w.line("- At a line that Dynamo cannot record, the graph ends: a **graph break**. The line runs as plain Python, and the rest of the function becomes a **resume function**, which is compiled the same way.")
	w.line("- A **compile id** such as `0/1` counts functions and, after the slash, the versions of each.\n\n</details>\n")
}

// breaksOf lists the graph breaks of all versions of f, equal ones once.
func breaksOf(f *explain.Function) []explain.Break {
	var out []explain.Break
	seen := map[string]bool{}
	for _, v := range f.Versions {
		if v.Compile == nil {
			continue
		}
		for _, b := range v.Compile.Breaks {
			if k := breakAt(b); !seen[k] {
				seen[k] = true
				out = append(out, b)
			}
		}
	}
	return out
}

func (w *indexWriter) function(f *explain.Function) {
	w.line("## %s\n", code(f.Title))
	where := code(atFile(f.File, f.Line)) // in full: this is where to go
	if f.File == "" {
		where = "the log does not say where it is"
	}
	if f.Backward {
		where = origin(w.prog, f)
		if f.Recorded != nil {
			where += " in " + linkTo(f.Recorded.File)
		}
	}
	all := ""
	if !f.First.Logged { // else there is nothing to run, and no such file
		all = fmt.Sprintf(" · everything in %s", linkTo(fullName(f)))
	}
	w.line("%s · %s%s\n", where, plural(len(f.Versions), "version"), all)
	w.versions(f)
	w.resumes(f)
}

const recordedBackward = "a backward pass, recorded by compiled autograd"

// origin says where a function is from.
func origin(p *explain.Program, f *explain.Function) string {
	if f.Backward {
		return recordedBackward
	}
	return p.Places.Place(f.Where.File, f.Where.Line)
}

func (w *indexWriter) versions(f *explain.Function) {
	w.line("| version | runs | valid when | calls |\n|---|---|---|---|")
	for _, v := range f.Versions {
		id := fmt.Sprint(v.Number)
		if v.CompileID != "" {
			id += " (" + explain.CompileIDText(v.CompileID) + ")"
		}
		runs := cell(markdown(shortVerdict(v.Code)))
		if v.Code.HasText() {
			runs = linkTo(v.Code.File) + "<br>" + runs
		}
		w.line("| %s | %s | %s | %s |", id, runs, validWhen(w.prog, f, v), w.calls(v))
	}
	w.line("")
	if f.Limit != nil {
		w.limit(f)
	}
	for _, b := range breaksOf(f) {
		w.graphBreak(b)
	}
	if len(breaksOf(f)) == 0 {
		for _, v := range f.Versions {
			if len(v.Resumes) > 0 {
				w.line("**Graph break**: this version of torch does not say why.\n")
				break
			}
		}
	}
	for _, r := range recompilations(w.prog, f) {
		w.line("**Recompiled** as version %d, because:\n", r.Version)
		for _, why := range r.Reasons {
			w.line("- %s", markdown(why.Text))
		}
		if r.Again != "" {
			w.line("- %s as before", r.Again)
		}
		w.line("")
	}
	for _, v := range f.Versions {
		if v.Compile == nil {
			continue
		}
		if len(v.Compile.Symbols) > 0 {
			w.line("**Sizes and numbers that may vary** in version %d%s:\n", v.Number, uncheckedWords(v))
			for _, s := range v.Compile.Symbols {
				w.line("- %s is %s", code(s.Name), markdown(symbolText(w.prog, v.Compile, s)))
			}
			w.line("")
		}
	}
}

// uncheckedWords says that no call checks what a version takes for granted about sizes.
func uncheckedWords(v *explain.Version) string {
	if v.Unguarded() {
		return ", which no call checks: the program has left these guards out (`guard_filter_fn`)"
	}
	return ""
}

func (w *indexWriter) limit(f *explain.Function) {
	w.line("**No more versions**: the limit %s is reached. %s\n", limitTitle(f.Limit), markdown(limitText(f.Limit)))
	failed, advice := limitReasons(w.facts, f)
	if len(failed) > 0 {
		w.line("The checks that failed last:\n")
	}
	for _, s := range failed {
		w.line("- %s", markdown(s))
	}
	for _, s := range advice {
		w.line("- %s", markdown(s))
	}
	w.line("")
}

// answers says what to change, before anything is told in full.
func (w *indexWriter) answers() {
	folder := " " + w.dump() + "`"
	if w.prog.Model.Start.Log == "" {
		folder += " in this folder"
	}
	if s := Exported(w.facts); len(s.Items) > 0 {
		w.b.WriteString(s.Brief(mostCauses, 8, "`depyf "+s.Command+folder).Markdown(2))
	}
	if s := Wrong(w.facts); len(s.Items) > 0 {
		w.b.WriteString(s.Brief(mostCauses, 8, "`depyf "+s.Command+folder).Markdown(2))
	}
	if s := Recompilations(w.facts); len(s.Items) > 0 {
		w.b.WriteString(s.Brief(mostCauses, 3, "`depyf "+s.Command+folder).Markdown(2))
	}
	if s := Breaks(w.facts); len(s.Items) > 0 {
		w.b.WriteString(s.Brief(mostCauses, 2, "`depyf "+s.Command+folder).Markdown(2))
	}
	if s := CUDAGraphs(w.facts); len(s.Items) > 0 {
		w.b.WriteString(s.Brief(mostCauses, 2, "`depyf "+s.Command+folder).Markdown(2))
	}
	if s := Time(w.facts); len(s.Items) > 0 {
		w.b.WriteString(s.Brief(mostFunctions, 1, "`depyf "+s.Command+folder).Markdown(2))
	}
	if s := GuardsInShort(w.facts); len(s.Items) > 0 {
		w.b.WriteString(s.Markdown(2))
	}
	w.more()
}

// dump is what commands are to be given, in the folder of index.md: that folder, or the log that all is from.
func (w *indexWriter) dump() string {
	if log := w.prog.Model.Start.Log; log != "" {
		return path.Base(filepath.ToSlash(log))
	}
	return "."
}

// more names the commands for what a person asks next.
func (w *indexWriter) more() {
	w.line("## More questions\n")
	for _, q := range furtherQuestions(w.facts, w.dump()) {
		w.line("- %s `%s`", q[0], q[1])
	}
	w.line("")
}

// mostFunctions is for how many functions index.md tells the compile time.
const mostFunctions = 5

// mostCauses is how many causes or lines index.md begins with.
const mostCauses = 12

// failed tells what raised and which limits were reached.
func (w *indexWriter) failed() {
	if s := Trouble(w.facts); len(s.Items) > 0 {
		w.b.WriteString(s.Markdown(2))
	}
}

func (w *indexWriter) graphBreak(b explain.Break) {
	text := breakText(w.prog, b)
	w.line("**Graph break** at %s\n", markdown(text))
	if kind := breakKind(b); w.told[kind] != "" {
		for _, d := range append(fromDetail(w.prog, b), "cause and remedy as at "+w.told[kind]) {
			w.line("- %s", markdown(d))
		}
		w.line("")
		return
	} else if kind != "" {
		w.told[kind] = breakPlace(w.prog, b)
	}
	for _, d := range breakDetails(w.prog, b) {
		w.line("- %s", markdown(d))
	}
	if b.Link != "" {
		w.line("- more: <%s>", b.Link)
	}
	w.line("")
}

func (w *indexWriter) resumes(f *explain.Function) {
	sections, rows := splitResumes(resumesOf(f))
	for _, r := range sections {
		w.line("### %s\n", code(resumeName(r)))
		w.line("continues %s at line %d · %s\n", code(parentName(r)), r.First.Old.FirstLine, plural(len(r.Versions), "version"))
		w.versions(r)
	}
	w.resumeRows(rows)
}

// orphans lists resume functions that no code was seen to call.
func (w *indexWriter) orphans() {
	for _, f := range w.prog.Resumes {
		if f.Parent == nil {
			w.line("## %s\n", code(f.Title))
			w.line("A resume function at %s; which code calls it is not known.\n", code(atFile(f.File, f.Line)))
			w.versions(f)
		}
	}
}

// validWhen shows the first conditions of a version: those that tell it from others, then shapes.
func validWhen(p *explain.Program, f *explain.Function, v *explain.Version) string {
	if p.Dropped(v) {
		return "no more: `torch._dynamo.reset()` has dropped it"
	}
	if !v.HasGuards {
		return "not known"
	}
	const most = 4
	list := answers.ValidWhen(p, f, v)
	var out []string
	for _, c := range list[:min(most, len(list))] {
		if list[0].Telling() && !c.Telling() {
			break
		}
		out = append(out, cell(code(c.Text)))
	}
	if n := len(list) - len(out); n > 0 {
		out = append(out, fmt.Sprintf("and %d more", n))
	}
	switch {
	case len(out) > 0:
		return strings.Join(out, "<br>")
	case v.Unguarded():
		return "always: the guards on values were left out"
	}
	return "always"
}

func (w *indexWriter) calls(v *explain.Version) string {
	var out []string
	for _, g := range v.Graphs {
		out = append(out, "graph "+cell(code(g)))
	}
	for _, r := range v.Resumes {
		s := cell(code(r.Name))
		if arm := armText(v, r); arm != "" {
			s += ", " + arm
		}
		if r.To == nil {
			s += " (never compiled)"
		}
		out = append(out, s)
	}
	return strings.Join(out, "<br>")
}

// graphs lists each graph with its files.
func (w *indexWriter) graphs() {
	list := graphsOf(w.prog)
	if len(list) == 0 {
		return
	}
	w.line("## Graphs and kernels\n")
	w.line("| graph | from | files, in the order of the stages |\n|---|---|---|")
	w.graphRows(list)
	w.line("")
}

// graphFiles is one graph with its files, in the order of the stages.
type graphFiles struct {
	name, owner string
	files       []*explain.Artefact
}

func graphsOf(p *explain.Program) []*graphFiles {
	var out []*graphFiles
	byName := map[string]*graphFiles{}
	for _, a := range p.Files {
		g := byName[a.Graph]
		if g == nil {
			g = &graphFiles{name: a.Graph}
			if g.name == "" {
				g.name = "(not joined to a function)"
			}
			byName[a.Graph] = g
			out = append(out, g)
		}
		if g.owner == "" {
			g.owner = ownerOf(p.Model, a, p.Places.Place)
		}
		g.files = append(g.files, a)
	}
	for _, g := range out {
		slices.SortStableFunc(g.files, func(a, b *explain.Artefact) int { return stageRank(a.Stage) - stageRank(b.Stage) })
	}
	return out
}

// stageLabel is what tells the files of one graph apart.
func stageLabel(graph string, a *explain.Artefact) string {
	label := strings.TrimPrefix(a.File, graph+".")
	label = strings.TrimSuffix(label, path.Ext(label))
	if strings.Contains(a.Begin(200), "_backward'") {
		label += " (backward)" // Inductor begins its code with "# AOT ID: ['0_backward']"
	}
	return label
}

// missing says what could not be captured, and why.
func (w *indexWriter) missing() {
	items := missing(w.prog)
	if len(w.prog.Functions)+len(w.prog.Resumes) > 0 {
		items = append(w.lost(answers.Idle), items...)
	}
	if len(items) == 0 {
		return
	}
	w.line("## What is missing\n")
	w.items(items)
	w.line("")
}

// missing lists what could not be captured, in Markdown.
func missing(p *explain.Program) []string {
	m := p.Model
	var items []string
	for _, list := range [][]*explain.Function{p.Functions, p.Resumes} {
		for _, f := range list {
			for _, v := range f.Versions {
				if !v.HasGuards {
					items = append(items, fmt.Sprintf("The guards of %s version %d: torch did not tell them, or the function is gone.", code(f.Title), v.Number))
				}
				if !v.Code.Decompiled.Proven && !v.Code.Logged {
					items = append(items, fmt.Sprintf("A proof for %s: %s.", code(v.Code.File), strings.TrimSuffix(oneLine(verdictText(v.Code.Decompiled)), ".")))
				}
			}
		}
	}
	for _, c := range p.Cut {
		items = append(items, fmt.Sprintf("What becomes of %s (%s): it was being compiled when the program, or the recording, ended.", code(p.Model.TitleOf(c)), p.Places.Place(c.File, c.Line)))
	}
	if ids := cached(m); len(ids) > 0 {
		items = append(items, fmt.Sprintf("Stages that Inductor did not run, because it took the result from its cache: compile id %s. "+
			"Set `TORCHINDUCTOR_FORCE_DISABLE_CACHES=1` to see all of them.", strings.Join(ids, ", ")))
	}
	for _, pr := range m.Problems {
		if pr.Lost != "" {
			items = append(items, fmt.Sprintf("%s. (%s: %s)", oneLine(pr.Lost), pr.Where, code(oneLine(pr.Error))))
			continue
		}
		items = append(items, fmt.Sprintf("%s: %s.", pr.Where, code(oneLine(pr.Error))))
	}
	for _, n := range m.Notes {
		items = append(items, oneLine(n))
	}
	if m.CutOff {
		items = append(items, "What came later: the log ends in the middle of its compressed form.")
	}
	if m.Torn > 0 {
		items = append(items, fmt.Sprintf("Entries of the log that are not as torch wrote them: %d.", m.Torn))
	}
	if m.Skipped > 0 {
		if m.Start.Log != "" {
			return append(items, fmt.Sprintf("Lines of the log that are not torch's: %d.", m.Skipped))
		}
		items = append(items, plural(m.Skipped, "line")+" of the event log could not be read.")
	}
	return items
}

// cached lists the compile ids whose result came from a cache.
func cached(m *explain.Model) []string {
	var ids []string
	for _, c := range m.Compiles {
		if slices.ContainsFunc(c.Cache, func(s string) bool { return strings.HasSuffix(s, "_hit") }) {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

// left lists the functions that run as ordinary Python though there was something to compile in them.
func (w *indexWriter) left() {
	if items := w.lost(func(c *explain.Compile) bool { return !answers.Idle(c) }); len(items) > 0 && len(w.prog.Functions)+len(w.prog.Resumes) > 0 {
		w.line("## Left uncompiled\n")
		w.items(items)
		w.line("")
	}
}

// lost lists those of the functions that Dynamo looked at and left alone, and why.
func (w *indexWriter) lost(those func(*explain.Compile) bool) []string {
	var items []string
	for _, c := range w.prog.Lost {
		if those(c) {
			items = append(items, lostText(w.prog, c))
		}
	}
	return items
}

func every(*explain.Compile) bool { return true }
