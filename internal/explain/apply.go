package explain

import (
	"fmt"
	"strings"
)

// apply changes the model by one record. It looks at nothing but the record.
func (m *Model) apply(r Record) {
	f, res := fields(r.Fields), fields(r.Result)
	m.files = append(m.files, res.strs("files")...)
	if name := res.str("file"); name != "" {
		m.files = append(m.files, name)
	}
	for _, p := range res.list("problems") {
		pf, _ := p.(map[string]any)
		m.problem(fields(pf))
	}
	switch r.Type {
	case "session_start":
		m.applyStart(f)
	case "bytecode":
		m.applyBytecode(f, res)
	case "swapped":
		if c := m.Code(m.key(f.str("key"))); c != nil {
			c.Swapped = &Swap{OK: f.bool("ok"), Why: f.str("why"), Blob: res.str("bytes")}
		}
	case "graph", "kernel":
		m.applyArtefact(r.Type, f, res)
	case "trace":
		m.applyTrace(f)
	case "global":
		m.Globals = append(m.Globals, Global{
			Key: m.key(f.str("key")), Name: f.str("name"), Kind: f.str("kind"),
			Graph: CleanName(f.str("graph")), ResumeKey: m.key(f.str("resume_key")),
		})
	case "function":
		m.applyFunction(f)
	case "source":
		m.applySource(f)
	case "objects":
		m.applyObjects(f)
	case "guards_made":
		m.applyGuardsMade(f)
	case "guards":
		m.applyGuards(f)
	case "outcome":
		m.applyOutcome(f)
	case "raised":
		m.Raised = &Raised{Block: f.bool("block"), Error: f.str("error_type"), Text: CleanText(f.str("error")), Stack: m.frames(f.list("error_stack"))}
	case "export":
		m.applyExport(f)
	case "wrong":
		m.applyWrong(f)
	case "no_cuda_graph":
		m.noCUDAGraph(m.id(f.str("compile_id")), f.str("text"), false)
	case "problem":
		m.problem(f)
	case "note":
		m.Abandoned = m.Abandoned || f.bool("abandoned")
		m.Notes = append(m.Notes, CleanText(f.str("text")))
	case "session_end":
		m.Ended = true
	}
}

func (m *Model) problem(f fields) {
	m.Problems = append(m.Problems, Problem{
		Where: f.str("where"), Error: CleanText(f.str("error")), Traceback: CleanText(f.str("traceback")),
		Lost: CleanText(f.str("lost")),
	})
}

func (m *Model) applyStart(f fields) {
	m.session++
	if m.session == 1 {
		m.resets = f.int("resets")
	}
	m.Ended, m.Abandoned = false, false
	m.Start = Start{
		Dir: f.str("dir"), Below: f.bool("below"), Torch: f.str("torch"), Python: versionText(f["python"]), Argv: f.strs("argv"),
		PID: f.int("pid"), Rank: rankText(f["rank"]), Run: f.str("run"), LogBytecode: f.bool("log_bytecode"),
		Clean: f.bool("clean_wild_fx_code"), Kept: f["swap"] == false, token: f.str("token"),
	}
}

// key makes a key of one session distinct from the same key of an earlier
// session of the process, whose numbers may have started anew.
func (m *Model) key(k string) string {
	if k == "" || m.session < 2 {
		return k
	}
	return strings.Repeat("'", m.session-1) + k
}

// id is a compile id in the model's form. Resets before the first session do not count.
func (m *Model) id(told string) string {
	torch, resets := SplitCompileID(CleanCompileID(told))
	if resets -= m.resets; resets > 0 {
		return fmt.Sprintf("%s@%d", torch, resets)
	}
	return torch
}

func (m *Model) applyBytecode(f, res fields) {
	c := &Transformed{
		Key: m.key(f.str("key")), OldKey: m.key(f.str("old_key")), CompileID: m.id(f.str("compile_id")),
		Old: infoFrom(f.sub("old")), New: infoFrom(f.sub("new")),
		Func: f.str("func"), IsResume: f.bool("is_resume"),
		Source: f.str("source"), SourceOK: res.bool("source_ok"),
		SourceFile: f.str("source_file"), SourceLine: f.int("source_line"),
		Decompiled: resultFrom(res.sub("new")), Original: resultFrom(res.sub("old")),
		File: res.str("file"), Def: res.str("def"), Kept: m.Start.Kept,
	}
	if c.Func == "" {
		c.Func = c.Old.Name
	}
	if c.OldKey == "" {
		// An older hook does not say which code objects are the same: equal
		// names at the same place are.
		c.OldKey = c.Old.Filename + ":" + c.Old.Name + ":" + strings.Join(c.Old.Args, ",")
	}
	if c.SourceFile == "" {
		c.SourceFile, c.SourceLine = c.Old.Filename, c.Old.FirstLine
	}
	m.addCode(c)
	m.taken("code:"+Identifier(c.Func), res.int("number"))
}

func (m *Model) applyArtefact(typ string, f, res fields) {
	a := &Artefact{
		Graph: res.str("graph"), Stage: f.str("stage"), CompileID: m.id(f.str("compile_id")),
		Text: f.text("text"), Language: f.str("language"), Origin: f.str("original_path"), File: res.str("file"),
		Runs: f.bool("executable"), Export: m.exporting,
	}
	if a.Stage == StageExported && a.Export != nil {
		a.Export.Graph = a.Graph
	}
	for _, x := range f.list("parts") {
		p, _ := x.(map[string]any)
		a.Parts = append(a.Parts, KernelPart{fields(p).str("kernel"), fields(p).strs("nodes")})
	}
	for name := range f.sub("sources") {
		if a.Sources == nil {
			a.Sources = map[string][]string{}
		}
		a.Sources[name] = f.sub("sources").strs(name)
	}
	if old := m.artefact(a.File); old != nil && res.bool("replaces") {
		old.Text, old.Runs = a.Text, a.Runs
		return
	}
	if typ == "kernel" {
		a.Stage = StageKernel
		m.Kernels = append(m.Kernels, a)
	} else {
		m.addGraph(a)
	}
	if a.File != "" {
		m.taken(artefactStem(a), res.int("number"))
	}
}

func (m *Model) applyObjects(f fields) {
	objects, _ := f["objects"].(map[string]any)
	for address, x := range objects {
		o, _ := x.(map[string]any)
		m.Identities[address] = Object{Name: fields(o).str("name"), About: CleanText(fields(o).str("about"))}
	}
}

// applyGuardsMade takes in the guards of a version when torch has made them.
func (m *Model) applyGuardsMade(f fields) {
	parts := []GuardPart{}
	for _, x := range f.list("checks") {
		check, _ := x.([]any)
		if len(check) < 2 {
			continue
		}
		source, _ := check[0].(string)
		texts, _ := check[1].([]any)
		var stack []string
		if len(check) > 2 {
			s, _ := check[2].(string)
			stack = linesOf(s)
		}
		for _, t := range texts {
			text, _ := t.(string)
			parts = append(parts, GuardPart{Text: text, Source: source, Stack: stack})
		}
	}
	if id := m.id(f.str("compile_id")); id != "" {
		m.compile(id).Guards = parts
	}
}

// linesOf is a text by lines; none of an empty one.
func linesOf(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, "\n")
}

func (m *Model) applyGuards(f fields) {
	set := GuardSet{OldKey: m.key(f.str("key"))}
	for _, x := range f.list("entries") {
		e, _ := x.(map[string]any)
		ef := fields(e)
		entry := GuardEntry{
			CompileID: m.id(ef.str("compile_id")), Key: m.key(ef.str("key")), Order: ef.int("order"),
		}
		if c, known := m.byCompile[entry.CompileID]; known && ef.bool("as_made") {
			entry.Parts = c.Guards
		}
		for _, y := range ef.list("parts") {
			p, _ := y.(map[string]any)
			pf := fields(p)
			stack := pf.strs("user_stack")
			if s := pf.str("user_stack"); s != "" {
				stack = linesOf(s)
			}
			entry.Parts = append(entry.Parts, GuardPart{
				Text: pf.str("text"), Source: pf.str("source"), FailCount: pf.int("fail_count"), Stack: stack,
			})
		}
		set.Entries = append(set.Entries, entry)
	}
	// Guards may be told more than once for a function; the last word counts.
	for i := range m.Guards {
		if m.Guards[i].OldKey == set.OldKey {
			m.Guards[i] = set
			return
		}
	}
	m.Guards = append(m.Guards, set)
}

func resultFrom(f fields) DecompileResult {
	r := DecompileResult{
		Source: f.str("source"), Verdict: f.str("verdict"), Detail: f.str("detail"),
		Name: f.str("name"), Proven: f.bool("proven"),
		Wrapped: f.bool("wrapped"), Bare: f.bool("bare"),
	}
	for _, x := range f.list("legend") {
		l, _ := x.(map[string]any)
		lf := fields(l)
		r.Legend = append(r.Legend, Legend{lf.str("name"), lf.str("type"), lf.str("text")})
	}
	return r
}

func (r DecompileResult) fields() map[string]any {
	legend := make([]any, 0, len(r.Legend))
	for _, l := range r.Legend {
		legend = append(legend, map[string]any{"name": l.Name, "type": l.Type, "text": l.Text})
	}
	out := map[string]any{
		"source": r.Source, "verdict": r.Verdict, "detail": r.Detail, "name": r.Name, "proven": r.Proven, "legend": legend,
		"wrapped": r.Wrapped,
	}
	if r.Bare {
		out["bare"] = true
	}
	return out
}
