package explain

import (
	"github.com/thuml/depyf/internal/decompile"
	"github.com/thuml/depyf/internal/pyc"
)

// Host is the Python process at the other end of the pipe.
type Host interface {
	// Compile compiles text with the host's own compiler. Nothing is executed.
	Compile(source, filename string, flags pyc.CodeFlags) (*pyc.Code, error)
}

// DecompileFunc decompiles one code object into the text of a function with
// the given name. params gives the parameter names of functions that the code
// calls by global name, after which temporaries are named; from says where the code
// comes from, for names and comments.
type DecompileFunc func(code *pyc.Code, name string, params map[string][]string, from decompile.Origin) (DecompileResult, error)

// DecompileResult is the outcome of decompiling one code object.
type DecompileResult struct {
	Source  string
	Verdict string // "exact", "proved", "differs at …", "partial"
	Detail  string
	Name    string // of the function that Source defines
	Proven  bool
	Legend  []Legend
	Wrapped bool // Source defines the function inside another one, for its free variables
	// Inside is the name of the code that is meant, where Source defines what the compiler makes it of.
	Inside string
	// Bare: the code runs without the handler for StopIteration that CPython puts around a
	// coroutine; BareUntil: in front of that line, counted from the function's first.
	Bare      bool
	BareUntil int
	// Functions says for each code object among the constants of the recompiled Source
	// which of the original's the host puts in its place.
	Functions []decompile.Replaced
	Renames   map[string]string // names in Source that stand for longer global names
}

// ResultOf is what decompiling came to, for the model.
func ResultOf(r *decompile.Result) DecompileResult {
	return DecompileResult{
		Source: r.Source, Verdict: string(r.Verdict), Detail: r.Detail, Name: r.Name,
		Proven: r.Verdict.Proven(), Wrapped: r.Wrapped, Inside: r.Inside, Bare: r.Bare, BareUntil: r.BareUntil, Renames: r.Renames, Functions: r.Functions,
	}
}

// Sink writes what a reader sees. It is told as soon as something is known;
// an error is recorded as a problem and stops nothing. Names of files have
// been chosen before and are part of the items.
type Sink interface {
	Code(m *Model, c *Transformed) error
	Artefact(m *Model, a *Artefact) error
	End(m *Model) (files []File, err error)
}

// File is one file of the dump folder.
type File struct {
	Path  string // relative to the folder
	About string
}

// Option sets what a session may use. Whatever is left out is done without.
type Option func(*Session)

// WithDecompiler gives the decompiler.
func WithDecompiler(f DecompileFunc) Option { return func(s *Session) { s.decompile = f } }

// WithSink gives the writer of files, made for the folder of the session.
func WithSink(f func(dir string) Sink) Option { return func(s *Session) { s.newSink = f } }
