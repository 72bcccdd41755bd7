package explain

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/thuml/depyf/internal/torchlog"
)

// Model is everything that is known of one session, in the order in which it
// became known. Pointers are never nil inside the lists.
type Model struct {
	Start        Start
	Codes        []*Transformed // one per bytecode event
	Graphs       []*Artefact    // graph events
	Kernels      []*Artefact    // kernel events
	Globals      []Global
	Guards       []GuardSet
	Identities   Identities // of the objects that guards check
	Compiles     []*Compile // what torch's structured log told, by compile id
	Sources      []*Source
	Comparisons  []Comparison // of eager and compiled results
	Exports      []*Export    // calls of torch.export
	NoCUDAGraphs []*NoCUDAGraph
	Problems     []Problem
	Notes        []string
	Raised       *Raised // the error that ended what was watched; nil where it ended in order
	Ended        bool
	Abandoned    bool // by its program, which was killed, or ended by os._exit
	Skipped      int  // lines of the log that could not be read
	CutOff       bool // a compressed log ends in the middle
	Torn         int  // entries of torch's log whose text is not what torch wrote

	written   map[string]Written // by compile id
	sources   map[string]*Source
	byCompile map[string]*Compile
	codes     map[string][]*Transformed // by compile id
	told      map[string]string         // by compile id: the compiled function that a graph was told of
	called    map[string]string         // and the first that the code calls
	interned  map[int]string            // file names of the structured log
	kept      map[string]string         // texts that come again and again, once each
	held      int                       // bytes of text of artefacts from a log, so far: of large ones
	heldSmall int
	lies      torchlog.Part  // where the payload of the log's entry is that is being taken in
	counts    map[string]int // next number by file stem
	session   int            // a process may open several sessions in one folder
	exporting *Export        // the call of torch.export that has begun and not ended
	resets    int            // of Dynamo before the first of these sessions
	logResets int            // of Dynamo, as far as torch's own log lets them be seen
	files     []string       // every file that the log names
}

// Start says what was run.
type Start struct {
	Dir         string
	Below       bool // Dir is a folder that depyf has made below the one asked for
	Torch       string
	Python      string
	Argv        []string
	PID         int
	Rank        string
	Text        bool    // that log is what TORCH_LOGS writes
	Log         string  // the file of torch's own log that all of this is from; "" for a session that depyf watched
	Lacks       string  // what that log does not tell, in words
	Compiled    bool    // a log of text tells that something was compiled, be it without saying what
	Total       float64 // seconds that compiling took in all, of a log that does not tell more; of it in the backend
	Backend     float64
	Silent      map[string]string // kinds of answers that a log of text has nothing of, with the switch that asks for them, "" for none
	Run         string            // shared by the processes of one run
	LogBytecode bool
	Clean       bool
	Kept        bool   // nothing was to be exchanged: torch's own code runs
	token       string // of the process that wrote the log
}

// CodeInfo is what the reports need of a code object.
type CodeInfo struct {
	Name, QualName, Filename string
	FirstLine                int
	Args                     []string // positional and keyword-only, in order
	PosOnly, KwOnly          int
	VarArgs, VarKw           string
	FreeVars                 []string
	Names                    []string // co_names, raw: with UUIDs
	Inner                    []string // names of the code objects among the constants
	Instructions             int      // size in code units
	Blob                     string   // the code object itself, in .blobs
}

// Transformed is one code object that Dynamo made, and what became of it.
type Transformed struct {
	Key, OldKey string
	CompileID   string
	Old, New    CodeInfo
	Func        string // co_name
	IsResume    bool
	Source      string // the user's text of the function, "" if unknown
	SourceOK    bool   // Source is valid Python on its own
	SourceFile  string
	SourceLine  int
	Decompiled  DecompileResult // of New
	Original    DecompileResult // of Old, where no Source is known
	File        string          // name in the dump folder
	Def         string          // name of the function that File defines
	Swapped     *Swap
	Kept        bool // nothing was to be exchanged: New itself runs

	Logged bool     // torch's log tells of it: neither Old nor New is known, but for names, unless the log lists the code
	Calls  []string // of such a code: the compiled functions
}

// Shown reports whether the decompiled text is known to say what runs: it runs itself, or
// it is proven equal to New where nothing was to be exchanged.
func (c *Transformed) Shown() bool {
	return c.Swapped != nil && c.Swapped.OK || c.Kept && c.Decompiled.Proven
}

// HasText reports whether there is code to show, be it a stub.
func (c *Transformed) HasText() bool { return !c.Logged || c.Decompiled.Verdict != "" }

// Swap is the outcome of putting the decompiled code in the place of New.
type Swap struct {
	OK   bool
	Why  string
	Blob string // the recompiled code object
}

// Artefact is the text of a graph or a kernel.
type Artefact struct {
	Graph     string // "__compiled_fn_1", or "" if unknown
	Stage     string // "Captured_Graph", "kernel", …
	CompileID string
	Text      string // "" where lies is not empty: Body reads it
	Language  string
	Origin    string // path the text was loaded from
	File      string // name in the dump folder; "" if it was not written
	FromTrace bool
	FromText  bool                // what TORCH_LOGS writes has it
	Parts     []KernelPart        // of Inductor's output: what each call of a kernel computes; nil where that was not told
	Sources   map[string][]string // by operation in Parts: the one in Dynamo's graph that it was, and its name in ATen
	Export    *Export             // the call of torch.export that it was made in, or nil
	Runs      bool                // Python executes the file: its code must stay as it is
	log       string              // path of the log that has the text, or "",
	lies      torchlog.Part       // and where it has it
}

// Bounds for the text of artefacts, in bytes, that is held in memory when a log is read: what comes later is read again where it is
// asked for, as a log may have any size. Of small texts there are many, and reading one again costs as much as reading a large one.
const (
	smallText     = 8 << 10
	mostHeld      = 2 << 20
	mostHeldSmall = 16 << 20
)

// hold takes in the text of an artefact from the entry that is being read.
func (m *Model) hold(a *Artefact, text string) {
	held, most := &m.held, mostHeld
	if len(text) <= smallText {
		held, most = &m.heldSmall, mostHeldSmall
	}
	if *held += len(text); *held > most && m.lies.Size > 0 {
		a.log, a.lies = m.Start.Log, m.lies
		return
	}
	a.Text = text
}

// Body is the text of an artefact.
func (a *Artefact) Body() string {
	if a.lies.Size == 0 {
		return a.Text
	}
	return a.read(a.lies)
}

// Begin is how the text of an artefact begins: at most so many bytes of it.
func (a *Artefact) Begin(size int) string {
	if a.lies.Size == 0 {
		return a.Text[:min(size, len(a.Text))]
	}
	return a.read(a.lies.Begin(size))
}

func (a *Artefact) read(part torchlog.Part) string {
	f, err := os.Open(a.log)
	if err == nil {
		var text string
		text, err = part.Read(f)
		if err = errors.Join(err, f.Close()); err == nil {
			return text
		}
	}
	return fmt.Sprintf("# the log that has this text can no longer be read: %v\n", err)
}

// KernelPart is one call of a kernel: the operations that it computes, of the graph behind Inductor's own passes.
type KernelPart struct {
	Kernel string
	Nodes  []string
}

// Global is a name that a transformed code object uses and what it stands for.
type Global struct {
	Key, Name, Kind string
	Graph           string
	ResumeKey       string
}

// GuardSet is the cache of one function, in the order it is tried.
type GuardSet struct {
	OldKey  string
	Entries []GuardEntry
}

// GuardEntry is one cache entry.
type GuardEntry struct {
	CompileID string
	Key       string // of the bytecode event
	Order     int
	Parts     []GuardPart
}

// GuardPart is one guard as torch words it.
type GuardPart struct {
	Text      string
	Source    string
	FailCount int
	Stack     []string
}

// Problem is something that went wrong in depyf itself or its hooks.
type Problem struct {
	Where, Error, Traceback string
	Lost                    string // what the dump lacks for it, in words
}

// Legend explains a name that stands for an object without a literal.
type Legend struct {
	Name, Type, Text string
}

// Compile is what the structured log said about one compile id.
type Compile struct {
	Unfinished  bool // the log ends in the middle of it
	Closed      bool // a log of text tells that it came to an end
	Given       bool // its id is not torch's: the log has none
	ID          string
	Func        string
	File        string
	Line        int
	Stack       []Frame // of dynamo_start: outermost first
	Restarts    int     // how often Dynamo began anew
	Breaks      []Break
	Recompile   []string // newest first, each names the entry that failed
	Artefacts   []*Artefact
	Guards      []GuardPart // as torch made them; nil if it did not come to that, or nothing tells of it
	Over        bool        // torch has told its figures, which it does when a compilation ends, however it does
	Measured    bool        // torch has told how long it took
	Counted     bool        // torch has told Ops
	Start       float64     // when it began, in seconds since 1970; 0 if torch has not told
	Seconds     float64     // whole frame
	Backend     float64     // seconds of these in the backend
	Phases      Phases      // of Backend
	Later       float64     // seconds for the backward pass, which is compiled when gradients are asked for
	LaterStart  float64     // when the first of it began
	LaterPhases Phases      // of Later
	Outcome     *Outcome    // nil when it succeeded, or when no hook could tell
	Failure     string
	FailFile    string // the user's line at which it failed
	FailLine    int
	Backward    []BackwardFailure // attempts to compile the backward pass that raised
	Ops         int
	GuardN      int
	GuardTime   float64  // microseconds that checking the guards took when torch measured it; 0 where it did not
	Cache       []string // "fx_graph_cache_hit", …
	Symbols     []Symbol
	SizeGuards  []SizeGuard
	Errors      []string
}

// Break is a graph break.
type Break struct {
	Reason      string   // how torch introduces it
	Causes      []string // what could not be compiled, from torch 2.7 on; one led to the next
	Explanation string
	Hints       []string
	File        string
	Line        int
	Func        string // that the line stands in; "" where torch does not tell
	Code        string
	From        *Frame  // of a break in a library: the nearest line of the user's that leads there; without a line where that is not known
	Through     []Frame // from the function that is compiled on, the calls that led to the line, outermost first
	Link        string
	Raw         string
}

// keep is the one copy of a text. It holds on to nothing else, as a part of an entry of a log would.
func (m *Model) keep(s string) string {
	if one, ok := m.kept[s]; ok {
		return one
	}
	s = strings.Clone(s)
	m.kept[s] = s
	return s
}

func newModel() *Model {
	return &Model{
		Identities: Identities{},
		written:    map[string]Written{},
		sources:    map[string]*Source{},
		byCompile:  map[string]*Compile{},
		codes:      map[string][]*Transformed{},
		told:       map[string]string{},
		called:     map[string]string{},
		interned:   map[int]string{},
		kept:       map[string]string{},
		counts:     map[string]int{},
	}
}

// Code returns the transformed code with that key, or nil.
func (m *Model) Code(key string) *Transformed {
	for _, c := range m.Codes {
		if c.Key == key {
			return c
		}
	}
	return nil
}

// CodesOf lists the codes that one compilation made.
func (m *Model) CodesOf(compileID string) []*Transformed { return m.codes[compileID] }

// Compile returns the facts of a compile id, or nil.
func (m *Model) Compile(id string) *Compile {
	return m.byCompile[CleanCompileID(id)]
}

func (m *Model) compile(id string) *Compile {
	id = CleanCompileID(id)
	c := m.byCompile[id]
	if c == nil {
		c = &Compile{ID: id}
		m.byCompile[id] = c
		m.Compiles = append(m.Compiles, c)
	}
	return c
}

// addCode appends a code.
func (m *Model) addCode(c *Transformed) {
	m.Codes = append(m.Codes, c)
	if c.CompileID != "" {
		m.codes[c.CompileID] = append(m.codes[c.CompileID], c)
	}
	if names := c.called(); len(names) > 0 && c.CompileID != "" && m.called[c.CompileID] == "" {
		m.called[c.CompileID] = names[0]
	}
}

// addGraph appends a graph.
func (m *Model) addGraph(a *Artefact) {
	m.Graphs = append(m.Graphs, a)
	if a.CompileID != "" && m.told[a.CompileID] == "" {
		m.told[a.CompileID] = a.Graph
	}
}

// take returns the next number of a file stem.
func (m *Model) take(stem string) int {
	n := m.counts[stem]
	m.counts[stem] = n + 1
	return n
}

// taken tells the model, during apply, that a number is used.
func (m *Model) taken(stem string, n int) {
	if m.counts[stem] <= n {
		m.counts[stem] = n + 1
	}
}

// GraphOf returns the name of the compiled function that a compile id made, if
// it is known: torch's structured log names the compile id only.
func (m *Model) GraphOf(compileID string) string {
	id := CleanCompileID(compileID)
	if g := m.told[id]; g != "" {
		return g
	}
	return m.called[id]
}

// globalOf returns the global name of a resume function, if it has been told.
func (m *Model) globalOf(oldKey string) string {
	for _, g := range m.Globals {
		if oldKey != "" && g.ResumeKey == oldKey {
			return g.Name
		}
	}
	return ""
}

// artefact returns the graph or kernel of a file, or nil.
func (m *Model) artefact(file string) *Artefact {
	for _, list := range [][]*Artefact{m.Graphs, m.Kernels} {
		for _, a := range list {
			if a.File == file {
				return a
			}
		}
	}
	return nil
}
