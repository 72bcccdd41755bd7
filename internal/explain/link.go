package explain

import (
	"crypto/md5"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/thuml/depyf/internal/cfg"
	"github.com/thuml/depyf/internal/lazyregexp"
)

// Program is a model with everything joined that belongs together.
type Program struct {
	Model     *Model
	Functions []*Function    // functions of the user, in the order of their first compile
	Resumes   []*Function    // resume functions, the same way
	Lost      []*Compile     // functions that Dynamo left as they are
	Unused    []*Transformed // code whose compilation failed after it had been made: no call ever runs it
	Cut       []*Compile     // compilations that had not ended when the program did
	Failed    []*Failure     // calls that raised, because compiling failed
	Files     []*Artefact    // graphs and kernels, those of the structured log included
	Places    Files          // the names of the program's files
	resets    int            // of Dynamo before the last compilation
}

// Function is one original code object and what Dynamo made of it.
type Function struct {
	Key      string
	Name     string // co_name
	Title    string // what a person calls it: class and name of the method that a decorator has wrapped
	Where    Place  // where that begins
	IsResume bool
	Global   string // "__resume_at_94_2" for a resume function, else ""
	File     string
	Line     int
	First    *Transformed // of the first version: for signature and source
	Versions []*Version   // in the order in which they were compiled
	Tried    []*Version   // in the order in which Dynamo tried them at the end
	Number   int          // among the functions of that name that have a file
	Parent   *Function    // which function a resume function continues
	Backward bool         // a backward pass that compiled autograd has recorded
	Recorded *Artefact    // its graph, where that is known
	Limit    *Compile     // the compilation that the limit of recompilations prevented
}

// Version is one cache entry of a function.
type Version struct {
	Number    int // its place in Function.Versions
	Title     string
	Code      *Transformed
	CompileID string
	Guards    []*Guard // nil when none are known; versions share them
	HasGuards bool
	Graphs    []string // names of compiled functions it calls
	Resumes   []Resume
	Compile   *Compile // nil when torch did not tell
}

// Resume is a call of a resume function.
type Resume struct {
	Name string    // as it stands in the code
	To   *Function // nil when it has not been compiled
}

// Link joins the model. The model is not changed.
func Link(m *Model) *Program {
	p := &Program{Model: m}
	for _, c := range m.Compiles {
		_, resets := SplitCompileID(c.ID)
		p.resets = max(p.resets, resets)
	}
	byKey := map[string]*Function{}
	for _, c := range m.Codes {
		if m.Compile(c.CompileID).failed() {
			p.Unused = append(p.Unused, c)
			continue
		}
		f := byKey[c.OldKey]
		if f == nil {
			f = &Function{
				Key: c.OldKey, Name: c.Func, IsResume: c.IsResume || cfg.ResumeName(c.Func),
				File: c.SourceFile, Line: c.SourceLine, First: c,
			}
			byKey[c.OldKey] = f
			if f.IsResume {
				p.Resumes = append(p.Resumes, f)
			} else {
				p.Functions = append(p.Functions, f)
			}
		}
		v := &Version{Code: c, CompileID: c.CompileID, Graphs: c.called(), Compile: m.Compile(c.CompileID)}
		f.Versions = append(f.Versions, v)
	}
	numbers := map[string]int{}
	for _, f := range p.Functions {
		id := Identifier(f.Name)
		f.Number = numbers[id]
		numbers[id]++
	}
	p.linkResumes(byKey)
	read := newGuardReader(m.Identities)
	for _, f := range byKey {
		p.linkGuards(f, read)
	}
	p.linkTitles()
	p.linkFiles()
	p.linkAutograd()
	p.linkOutcomes()
	p.linkFileNames()
	return p
}

// Failed finds the version that a reason for a compilation is about, and takes the compile id off its words.
func (f *Function) Failed(c *Compile, reason string) (*Version, string) {
	id, words := PartReason(reason)
	if id == "" {
		return nil, reason
	}
	if _, resets, again := strings.Cut(c.ID, "@"); again {
		id += "@" + resets
	}
	for _, v := range f.Versions {
		if v.CompileID != "" && v.CompileID == CleanCompileID(id) {
			return v, words
		}
	}
	return nil, words // of a version that the log has no word of
}

// PartReason parts the compile id, which torch puts before a reason since 2.5, from its words; id is "" where there is none.
func PartReason(reason string) (id, words string) {
	id, words, ok := strings.Cut(reason, ":")
	if !ok || !strings.Contains(id, "/") || strings.Trim(id, "!/0123456789") != "" {
		return "", reason
	}
	return id, strings.TrimSpace(words)
}

// linkResumes finds for every resume function a code calls which function that
// is. The hooks tell it by "global" events; where they do not, names decide.
func (p *Program) linkResumes(byKey map[string]*Function) {
	told := map[string][]Global{}       // by the key of the code
	elsewhere := map[string]*Function{} // a global's name is unique in the module, so that it helps other codes
	for _, g := range p.Model.Globals {
		if g.Kind != "resume" {
			continue
		}
		told[g.Key] = append(told[g.Key], g)
		if to := byKey[g.ResumeKey]; to != nil && elsewhere[g.Name] == nil {
			elsewhere[g.Name] = to
		}
	}
	all := slices.Concat(p.Functions, p.Resumes)
	for _, f := range all {
		for _, v := range f.Versions {
			named := map[string]bool{}
			for _, g := range told[v.Code.Key] {
				if to := byKey[g.ResumeKey]; to != nil {
					named[g.Name] = true
					v.call(f, g.Name, to)
				}
			}
			for _, name := range resumeNames(v.Code.New.Names) {
				if !named[name] {
					v.call(f, name, elsewhere[name])
				}
			}
		}
	}
	for _, f := range all {
		p.guessResumes(f)
	}
}

// call notes that a version of f calls a resume function by that name; to may be nil.
func (v *Version) call(f *Function, name string, to *Function) {
	v.Resumes = append(v.Resumes, Resume{name, nil})
	v.join(f, len(v.Resumes)-1, to)
}

// join says which function the i-th resume call of a version of f is.
func (v *Version) join(f *Function, i int, to *Function) {
	if to == nil {
		return
	}
	v.Resumes[i].To = to
	if to.Global == "" && strings.HasPrefix(v.Resumes[i].Name, "__resume_at_") {
		to.Global = v.Resumes[i].Name
	}
	if to.Parent == nil && to != f {
		to.Parent = f
	}
}

// guessResumes joins what is left. With free variables, torch up to 2.9 makes
// the resume function inside the code, so that no global names it; and a hook
// may fail to look into the factory that later versions make it with.
func (p *Program) guessResumes(f *Function) {
	var free []*Function // those that continue a function of this name and that nothing calls
	for _, r := range p.Resumes {
		if r.Parent == nil && r != f && r.File == f.File && resumedName(r.Name) == resumedName(f.Name) {
			free = append(free, r)
		}
	}
	for _, v := range f.Versions {
		for _, r := range free {
			if slices.Contains(v.Code.New.Inner, r.Name) || v.goesOnAs(r) {
				v.call(f, r.Name, r)
			}
		}
		for i, r := range v.Resumes {
			if r.To == nil && len(free) == 1 {
				v.join(f, i, free[0])
			}
		}
	}
}

// resumes are the names that torch makes up for resume functions: the newer have the line, the older may not.
var resumes = lazyregexp.New(`^(?:(?:torch_dynamo_)?resume_in_(.+?)(?:_at_\d+)?|<resume in (.+)>)$`)

// resumedName is the name of the function that a resume function continues; any other name is its own.
func resumedName(name string) string {
	for cfg.ResumeName(name) {
		m := resumes.FindStringSubmatch(name)
		if m == nil {
			break
		}
		name = m[1] + m[2]
	}
	return name
}

func (p *Program) linkGuards(f *Function, read *guardReader) {
	order := map[*Version]int{}
	for _, set := range p.Model.Guards {
		if set.OldKey != f.Key {
			continue
		}
		for i, e := range set.Entries {
			if v := findVersion(f, e, i); v != nil {
				v.HasGuards = true
				v.Guards = read.all(e.Parts)
				order[v] = e.Order
			}
		}
	}
	// torch 2.4 and the offline logs give the guards as a tree of text only. So it is at the end of
	// a session for a version that torch has dropped, since a module or an optimizer of it is gone.
	for _, v := range f.Versions {
		if len(v.Guards) == 0 && v.Compile != nil && v.Compile.Guards != nil {
			v.HasGuards = true
			v.Guards = read.all(v.Compile.Guards)
		}
	}
	f.tellStates()
	for _, v := range f.Versions {
		if v.Compile == nil {
			continue
		}
		for _, r := range v.Compile.Recompile {
			if w, reason := f.Failed(v.Compile, r); w != nil {
				Blame(w.Guards, p.Model.Identities.Readable(reason))
			}
		}
	}
	// The cache is in the order of last use, which changes with every call.
	// Versions are listed and numbered in the order of compiling, which the
	// compile ids give; Tried keeps the other one.
	slices.SortStableFunc(f.Versions, func(a, b *Version) int {
		x, y := compileNumber(a.CompileID), compileNumber(b.CompileID)
		if x[1] < 0 || y[1] < 0 {
			return 0
		}
		return slices.Compare(x[:], y[:])
	})
	f.Tried = slices.Clone(f.Versions)
	if len(order) == len(f.Versions) {
		slices.SortStableFunc(f.Tried, func(a, b *Version) int { return order[a] - order[b] })
	}
	number, before := -1, ""
	for _, v := range f.Versions {
		number += 1 + p.untold(before, v)
		v.Number, before = number, v.CompileID
	}
}

// untold counts the compilations between two versions that a log has no word of: it may be cut off at its beginning,
// or tell of the last recompilation alone.
func (p *Program) untold(before string, v *Version) int {
	frame, resets := frameNumber(v.CompileID)
	id := func(n int) string {
		if resets > 0 {
			return fmt.Sprintf("%s/%d@%d", frame, n, resets)
		}
		return fmt.Sprintf("%s/%d", frame, n)
	}
	count := 0
	for n := compileNumber(v.CompileID)[1] - 1; v.Code.Logged && n >= 0 && id(n) != before; n-- {
		if p.Model.Compile(id(n)) == nil {
			count++
		}
	}
	return count
}

func findVersion(f *Function, e GuardEntry, i int) *Version {
	for _, v := range f.Versions {
		if e.Key != "" && v.Code.Key == e.Key || e.Key == "" && e.CompileID != "" && v.CompileID == e.CompileID {
			return v
		}
	}
	// Without a key or an id the entries come in the order of compiling.
	if e.Key == "" && e.CompileID == "" && i < len(f.Versions) {
		return f.Versions[i]
	}
	return nil
}

// compileNumber is what orders the versions of a function: how often Dynamo had been reset, then the part
// of the compile id that counts the versions, or -1.
func compileNumber(id string) [2]int {
	id, resets := SplitCompileID(id)
	i := strings.LastIndexByte(id, '/')
	n, err := strconv.Atoi(id[i+1:])
	if i < 0 || err != nil {
		n = -1
	}
	return [2]int{resets, n}
}

// linkFiles lists all graphs and kernels. What the hooks did not deliver is
// taken from the structured log: a stage is used if no event told that stage of
// that compile.
func (p *Program) linkFiles() {
	m := p.Model
	have := map[string]bool{}       // graph + stage
	texts := map[artefactKey]bool{} // before- and after-stages are often equal
	numbers := map[string]int{}
	for _, list := range [][]*Artefact{m.Graphs, m.Kernels} {
		for _, a := range list {
			p.Files = append(p.Files, a)
			have[graphKey(m, a)+a.Stage] = true
			texts[textKey(m, a)] = true
			numbers[artefactStem(a)]++
		}
	}
	for _, c := range m.Compiles {
		for _, a := range c.Artefacts {
			b := *a
			b.Graph = m.graphName("", b.Stage, c.ID)
			if have[graphKey(m, &b)+b.Stage] {
				continue
			}
			if aside(b.Stage) && (texts[textKey(m, &b)] || unchanged(c, a)) {
				continue
			}
			texts[textKey(m, &b)] = true
			stem := artefactStem(&b)
			b.File = ArtefactFile(&b, numbers[stem])
			numbers[stem]++
			p.Files = append(p.Files, &b)
		}
	}
}

// artefactKey is what a graph and a text are known by.
type artefactKey struct {
	graph string
	text  [md5.Size]byte
}

func textKey(m *Model, a *Artefact) artefactKey {
	if a.lies.Size > 0 {
		return artefactKey{graphKey(m, a), a.lies.Sum}
	}
	return artefactKey{graphKey(m, a), md5.Sum([]byte(a.Text))}
}

// aside reports whether a stage is shown only when it tells something new.
func aside(stage string) bool {
	return stage != "AFTER_POST_GRAD" && (strings.HasPrefix(stage, "BEFORE_") || strings.HasPrefix(stage, "AFTER_"))
}

// unchanged reports whether the passes between a and its partner, BEFORE_X and
// AFTER_X, did nothing.
func unchanged(c *Compile, a *Artefact) bool {
	when, what, _ := strings.Cut(a.Stage, "_")
	partner := map[string]string{"BEFORE": "AFTER_", "AFTER": "BEFORE_"}[when] + what
	for _, b := range c.Artefacts {
		if b.Stage == partner && b.Body() == a.Body() {
			return true
		}
	}
	return false
}

// graphKey names the compile that an artefact belongs to.
func graphKey(m *Model, a *Artefact) string {
	g := a.Graph
	if g == "" {
		g = m.GraphOf(a.CompileID)
	}
	if g == "" {
		g = a.CompileID
	}
	return g + "\x00"
}

// ArtefactsOf lists the graphs and kernels of one compiled function.
func (p *Program) ArtefactsOf(graph string) []*Artefact {
	var out []*Artefact
	for _, a := range p.Files {
		if a.Graph == graph {
			out = append(out, a)
		}
	}
	return out
}
