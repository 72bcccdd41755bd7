package report

import (
	"embed"
	"fmt"
	"html/template"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/explain"
)

const htmlName = "report.html"

//go:embed assets
var assets embed.FS

// page is parsed when the first page is written: most commands write none.
var page = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("report.tmpl.html").Funcs(template.FuncMap{
		"plural": func(n int, word string) string {
			_, word, _ = strings.Cut(plural(n, word), " ")
			return word
		},
		"md":     func(string) template.HTML { panic("bound to the links of each page") },
		"strong": func(string) template.HTML { panic("bound to the links of each page") },
		"parts":  breakable,
		"first":  func(list any) any { return reflect.ValueOf(list).Slice(0, shown(list)).Interface() },
		"rest":   func(list any) any { v := reflect.ValueOf(list); return v.Slice(shown(list), v.Len()).Interface() },
		"plain":  func(s string) string { return strings.ReplaceAll(s, "**", "") },
		"item":   itemOf,
	}).ParseFS(assets, "assets/*.tmpl.html"))
})

// How many items of a list the page shows before the reader asks for more: of a long one, fewer.
const (
	mostShown   = 12
	shownOfALot = 8
	whatIsALot  = 2 * mostShown
)

func shown(list any) int {
	n := reflect.ValueOf(list).Len()
	if n > whatIsALot {
		return shownOfALot
	}
	return min(mostShown, n)
}

// render writes a page; what its texts name leads where l says.
func render(name string, l *links, v any) (string, error) {
	t, err := page().Clone()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	err = t.Funcs(template.FuncMap{"md": l.marked, "strong": l.plain}).ExecuteTemplate(&b, name, v)
	return b.String(), err
}

// mostInPage is how much of one artefact, in bytes, goes into the page; the file
// beside it has the rest. Packed it is a tenth, but opening it makes an element of each line.
const mostInPage = 1_000_000

// mostCode is how long transformed code may be, in bytes, to stand on the page for everybody to see.
const mostCode = 10_000

// pageText is the text of a page. The packed texts of a large log are most of it: they are written one after the other, and never
// copied into one text with the rest.
type pageText struct {
	before string
	packed []string // chunks, in base64
	after  string
}

// textsMark stands on the page where the packed texts go. No text of a program makes an element.
const textsMark = "<packed-texts>"

// WriteTo writes the page.
func (t pageText) WriteTo(w io.Writer) (n int64, err error) {
	put := func(s string) {
		if err == nil {
			var m int
			m, err = io.WriteString(w, s)
			n += int64(m)
		}
	}
	put(t.before)
	for i, chunk := range t.packed {
		put(`<script type="text/plain" id="texts-` + strconv.Itoa(i) + `">`)
		put(chunk)
		put("</script>\n")
	}
	put(t.after)
	return n, err
}

func (t pageText) String() string {
	var b strings.Builder
	_, _ = t.WriteTo(&b) // a builder takes everything
	return b.String()
}

// joinedAssets are files of the page, one after the other.
func joinedAssets(names ...string) (string, error) {
	var out strings.Builder
	for _, name := range names {
		part, err := assets.ReadFile("assets/" + name)
		if err != nil {
			return "", err
		}
		out.Write(part)
	}
	return out.String(), nil
}

// htmlPage is report.html: the session as one page that needs nothing beside
// it, neither network nor other files, so that it can be mailed. text gives the
// text of the file of an artefact.
func htmlPage(facts *answers.Facts, text func(a *explain.Artefact, owner string) string, guards guardTexts) (pageText, error) {
	style, err := joinedAssets("report.css", "joined.css")
	if err != nil {
		return pageText{}, err
	}
	script, err := joinedAssets("joined.js", "report.js")
	if err != nil {
		return pageText{}, err
	}
	v, links, packed := newPageView(facts, text, guards)
	v.Style, v.Script = template.CSS(style), template.JS(script)
	out, err := render("report.tmpl.html", links, v)
	if err != nil {
		return pageText{}, err
	}
	before, after, _ := strings.Cut(out, textsMark)
	return pageText{pyClean(explain.CleanName(before)), packed, pyText(explain.CleanName(after))}, nil
}

// pageView is what the template shows.
type pageView struct {
	Style     template.CSS
	Script    template.JS
	Command   string
	Torch     string
	Python    string
	Rank      string
	Counts    counts
	Seconds   float64
	Contents  []contentsView
	Answers   []Section
	Sources   []sourceView
	Functions []*functionView
	Orphans   []*functionView
	Trouble   *Section      // what failed, and limits that were reached; nil for nothing
	Failed    int           // of what failed: how much raised
	Skipped   []skippedView // left uncompiled
	Idle      []skippedView // for there was nothing in them to compile
	Exports   int           // calls of torch.export
	Exported  []*graphView  // their graphs
	Others    []*graphView  // graphs that belong to no version
	Missing   []string
	Nothing   bool
	Texts     template.HTML     // the mark of their place
	Places    []string          // by the numbers that packed texts have of them
	Empty     string            // of a session in which nothing was compiled
	silent    map[string]string // what the log would not tell
	Log       string            // what it lacks that is made from torch's own log; "" for a session that depyf watched
}

// Tells reports whether it would be known if there were any of a kind: a number of none is shown of nothing else.
func (v *pageView) Tells(kind string) bool {
	_, silent := v.silent[kind]
	return !silent
}

// itemView is an item of an answer, with the first of its details shown and the others folded away.
type itemView struct {
	Item
	open int
}

// itemOf shows an item with at most so many details open.
func itemOf(it Item, open int) itemView { return itemView{it, min(open, len(it.Details)-it.Folded)} }

// Shown are the details that everybody sees.
func (v itemView) Shown() []string { return v.Details[:v.open] }

// Hidden are those behind a click.
func (v itemView) Hidden() []string { return v.Details[v.open:] }

type functionView struct {
	ID, Name, Where string
	Resume          bool
	Of              string // which function a resume function continues
	Flow            template.HTML
	Breaks          []breakView
	Limit           *limitView
	Recompiled      []recompilation
	Guards          *guardTable
	Versions        []versionView
	Resumes         []*functionView
	Crowd           []*functionView // resume functions of which there is the same to say
	File            string
	Open            bool
}

type breakView struct {
	ID      string
	Text    string
	Details []string
	Link    string
}

type limitView struct {
	ID, Title, Text string
	Failed, Advice  []string
}

type versionView struct {
	ID, CompileID string
	Number        int
	Verdict       string
	Shown         bool
	Open          bool
	Guard         textRef
	Code          textRef       // if it is packed
	OpenCode      template.HTML // if not
	Packed        bool          // the code is
	Graphs        []*graphView
	Shared        []*graphView // graphs that another version shows
	Seconds       float64
	Backend       float64
	Later         float64 // seconds for the backward pass
	Cache         []string
	Symbols       []symbolView
	Unchecked     string // that no call checks these, in marked text
	File          string
}

type graphView struct {
	ID, Name, Owner string
	Stages          []stageView
	Export          bool // made for torch.export
	shown           bool
}

type stageView struct {
	Label, About, File string
	Text               textRef
	Cut                bool
}

type symbolView struct{ Name, About string }

type skippedView struct{ ID, Name, Where, Why string }

func newPageView(facts *answers.Facts, text func(a *explain.Artefact, owner string) string, guards guardTexts) (*pageView, *links, []string) {
	p := facts.Program
	m := p.Model
	v := &pageView{
		Command: strings.Join(m.Start.Argv, " "), Torch: orUnknown(m.Start.Torch), Python: orUnknown(m.Start.Python),
		Rank: m.Start.Rank, Counts: count(facts), Nothing: len(p.Functions)+len(p.Resumes) == 0,
	}
	v.Empty, v.silent = "Nothing was compiled while depyf watched.", m.Start.Silent
	if m.Start.Log != "" {
		v.Empty = nothingInLog(p)
		v.Log = "All of this is from torch's own log. " + m.Start.Lacks
	}
	for _, c := range m.Compiles {
		v.Seconds += c.Seconds + c.Later
	}
	if only := exportedOnly(facts); only != "" {
		v.Empty = only
	}
	v.Exports = len(facts.Exports())
	for _, s := range []Section{Exported(facts), Wrong(facts), Recompilations(facts), Breaks(facts), CUDAGraphs(facts), Time(facts), GuardsInShort(facts)} {
		if len(s.Items) > 0 {
			v.Answers = append(v.Answers, s)
		}
	}
	b := pageBuilder{
		facts: facts, prog: p, text: text, guards: guards, graphs: map[string]*graphView{}, seen: map[*explain.Function]bool{},
		packed: packer{prog: p}, links: newLinks(p), hinted: map[string]string{}, breakIDs: map[string]string{},
	}
	v.Sources = b.sources(facts.Sources())
	all := b.allGraphs()
	charts := flowFacts{prog: p, kernels: kernelCalls(facts.Kernels()), breaks: b.breakID, place: func(file string, n int) string {
		return b.links.places[p.Places.Place(file, n)]
	}}
	for _, f := range p.Functions {
		fv := b.function(f)
		fv.Flow = template.HTML(drawFlow(charts, f)) // drawFlow escapes
		v.Functions = append(v.Functions, fv)
	}
	for _, f := range p.Resumes {
		if !b.seen[f] {
			v.Orphans = append(v.Orphans, b.function(f))
		}
	}
	for _, g := range all {
		switch {
		case g.shown:
		case g.Export:
			v.Exported = append(v.Exported, g)
		default:
			v.Others = append(v.Others, g)
		}
	}
	if v.Failed = len(p.Failed); raisedText(p) != "" {
		v.Failed++
	}
	v.Failed += len(facts.Session().FailedExports())
	if s := Trouble(facts); len(s.Items) > 0 {
		v.Trouble = &s
	}
	for i, c := range p.Lost {
		id := fmt.Sprintf("left-%d", i)
		left := skippedView{id, p.Model.TitleOf(c), p.Places.Place(c.File, c.Line), lostWhy(p, c)}
		if answers.Idle(c) {
			v.Idle = append(v.Idle, left)
		} else {
			v.Skipped = append(v.Skipped, left)
		}
		b.links.place(p.Places.Place(c.File, c.Line), id)
		for _, br := range c.Breaks {
			b.links.place(p.Places.Place(br.File, br.Line), id)
		}
	}
	v.Missing = missing(p)
	v.Contents = contents(v)
	b.packed.flush()
	v.Texts, v.Places = textsMark, b.packed.names
	return v, b.links, b.packed.chunks
}

type pageBuilder struct {
	facts   *answers.Facts
	prog    *explain.Program
	text    func(a *explain.Artefact, owner string) string
	guards  guardTexts
	graphs  map[string]*graphView
	lowered map[string]bool // graphs that Inductor's passes have changed
	seen    map[*explain.Function]bool
	packed  packer
	links   *links
	hinted  map[string]string // kinds of graph breaks that have been explained, and where
	breaks  int

	breakIDs map[string]string // ids of notes about graph breaks, see breakAt
}

// breakAt tells graph breaks apart.
func breakAt(b explain.Break) string { return fmt.Sprint(b.File, b.Line, b.Reason) }

// breakID is the id of the note about a graph break; "" where there is none.
func (b *pageBuilder) breakID(br explain.Break) string { return b.breakIDs[breakAt(br)] }

// function shows f, and after it the resume functions that it leads to.
func (b *pageBuilder) function(f *explain.Function) *functionView {
	v := b.one(f, false)
	var after []*explain.Function
	for _, r := range resumesOf(f) {
		if !b.seen[r] {
			after = append(after, r)
		}
	}
	sections, rows := splitResumes(after)
	for _, r := range sections {
		v.Resumes = append(v.Resumes, b.one(r, false))
	}
	for _, r := range rows {
		v.Crowd = append(v.Crowd, b.one(r, true))
	}
	for _, r := range v.Resumes {
		r.Open = len(after) <= fewOpen
	}
	return v
}

// fewOpen is how many resume functions, or versions, stand open at once.
const fewOpen = 3

// one shows one function; folded is one that nobody sees at first.
func (b *pageBuilder) one(f *explain.Function, folded bool) *functionView {
	b.seen[f] = true
	v := &functionView{ID: anchor(f), Name: f.Title, Where: origin(b.prog, f), Resume: f.IsResume, Guards: compareGuards(b.prog, f)}
	if f.IsResume {
		v.Name, v.Of = resumeTitle(f), fmt.Sprintf("%s at line %d", parentName(f), f.First.Old.FirstLine)
	} else {
		if !f.First.Logged {
			v.File = fullName(f)
		}
	}
	for _, br := range breaksOf(f) {
		b.breaks++
		bv := breakView{fmt.Sprintf("break-%d", b.breaks), breakText(b.prog, br), breakDetails(b.prog, br), br.Link}
		b.links.place(b.prog.Places.Place(br.File, br.Line), bv.ID)
		b.breakIDs[breakAt(br)] = bv.ID
		if kind := breakKind(br); b.hinted[kind] != "" {
			bv.Details, bv.Link = append(fromDetail(b.prog, br), "cause and remedy as at "+b.hinted[kind]), ""
		} else if kind != "" {
			b.hinted[kind] = b.prog.Places.Place(br.File, br.Line)
		}
		v.Breaks = append(v.Breaks, bv)
	}
	if f.Limit != nil {
		failed, advice := limitReasons(b.facts, f)
		v.Limit = &limitView{limitID(f), limitTitle(f.Limit), limitText(f.Limit), failed, advice}
	}
	for _, version := range f.Versions {
		v.Versions = append(v.Versions, b.version(f, version, folded))
	}
	v.Recompiled = recompilations(b.prog, f)
	return v
}

func (b *pageBuilder) version(f *explain.Function, v *explain.Version, folded bool) versionView {
	name := f.Name
	if f.IsResume && f.Global != "" {
		name = f.Global
	}
	out := versionView{
		ID: versionID(f, v), CompileID: explain.CompileIDText(v.CompileID), Number: v.Number,
		Verdict: shortVerdict(v.Code), Shown: v.Code.Shown(),
		Open: len(f.Versions) <= fewOpen, File: v.Code.File,
	}
	guard := b.guards.of(b.prog, guardName(explain.Identifier(name), v), v)
	out.Guard = b.guard(v, guard)
	code := codeText(v.Code)
	if out.Packed = folded || !out.Open || len(code) > mostCode; out.Packed {
		out.Code = b.code(v, code)
	} else {
		out.OpenCode = b.openCode(v, code)
	}
	b.links.code(out.CompileID, out.ID)
	for _, g := range v.Graphs {
		switch gv := b.graphs[g]; {
		case gv == nil:
		case gv.shown:
			out.Shared = append(out.Shared, gv)
		default:
			gv.shown = true
			out.Graphs = append(out.Graphs, gv)
		}
	}
	if c := v.Compile; c != nil {
		out.Seconds = c.Seconds
		for _, event := range c.Cache {
			if s := cacheText(event); !slices.Contains(out.Cache, s) {
				out.Cache = append(out.Cache, s)
			}
		}
		if c.Backend >= 0.01 {
			out.Backend = c.Backend
		}
		if c.Later >= 0.01 {
			out.Later = c.Later
		}
		for _, s := range c.Symbols {
			out.Symbols = append(out.Symbols, symbolView{s.Name, symbolText(b.prog, c, s)})
		}
		out.Unchecked = uncheckedWords(v)
	}
	return out
}

// cacheText says in words what torch logs as fx_graph_cache_hit or aotautograd_cache_miss.
func cacheText(event string) string {
	cache := "Inductor's cache"
	if strings.HasPrefix(event, "aotautograd_cache_") {
		cache = "AOTAutograd's cache"
	}
	switch event[strings.LastIndexByte(event, '_')+1:] {
	case "hit":
		return "taken from " + cache
	case "miss":
		return "not in " + cache + " before"
	case "bypass":
		return cache + " cannot hold it"
	}
	return event
}

// allGraphs lists each graph with its stages, in the order of the stages.
func (b *pageBuilder) allGraphs() []*graphView {
	var out []*graphView
	b.lowered = map[string]bool{}
	for _, a := range b.prog.Files {
		b.lowered[a.Graph] = b.lowered[a.Graph] || a.Stage == "AFTER_POST_GRAD"
	}
	for _, g := range graphsOf(b.prog) {
		gv := &graphView{ID: "graph-" + explain.Identifier(g.name), Name: g.name, Owner: g.owner, Export: g.files[0].Export != nil}
		for _, a := range g.files {
			owner := ownerOf(b.prog.Model, a, atFile)
			text := b.text(a, owner) // as in the file
			s := stageView{Label: stageLabel(g.name, a), About: about(a.Stage), File: a.File}
			lang := ""
			if a.Language != "" && a.Language != "python" {
				lang = "cpp"
			}
			if len(text) > mostInPage {
				text, s.Cut = strings.ToValidUTF8(text[:mostInPage], ""), true
			}
			s.Text = b.stage(a, text, lang, strings.Count(artefactHead(a, owner), "\n"))
			gv.Stages = append(gv.Stages, s)
		}
		b.graphs[g.name] = gv
		b.links.code(g.name, gv.ID)
		out = append(out, gv)
	}
	return out
}

// anchor is the id of a function's part of the page.
func anchor(f *explain.Function) string { return "f-" + explain.Identifier(f.Key) }

// limitID is the id of what is said of the limit that a function has reached.
func limitID(f *explain.Function) string { return anchor(f) + "-limit" }

// resumeTitle is the name by which the code calls a resume function.
func resumeTitle(f *explain.Function) string {
	if f.Global != "" {
		return f.Global
	}
	return f.Name
}

// counts is the session in numbers.
type counts struct {
	Functions, Resumes, Versions, Graphs, Breaks, Recompiles, Limits, Proven, Shown, Kept int
}

func count(facts *answers.Facts) counts {
	p := facts.Program
	c := counts{Functions: len(p.Functions), Resumes: len(p.Resumes)}
	for _, f := range slices.Concat(p.Functions, p.Resumes) {
		c.Versions += answers.VersionsOf(p, f)
		if f.Limit != nil {
			c.Limits++
		}
		for _, v := range f.Versions {
			if v.Code.Decompiled.Proven {
				c.Proven++
			}
			if v.Code.Shown() {
				c.Shown++
			}
			if v.Code.Kept {
				c.Kept++
			}
		}
	}
	c.Breaks = len(answers.BreakPlaces(facts.BreakLines()))
	c.Recompiles = answers.Untold(p)
	for _, x := range facts.Causes() {
		c.Recompiles += x.Recompilations
	}
	c.Graphs = facts.Session().GraphCount()
	return c
}
