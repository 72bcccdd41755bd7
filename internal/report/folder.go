package report

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/explain"
)

// Folder writes into a dump folder. It is the sink of a live session and, by
// Write, of a replayed one.
type Folder struct {
	dir   string         // where to write
	live  bool           // it is the folder of the log itself
	blobs *explain.Blobs // of the model
	facts *answers.Facts // of the session; nil until it ends

	// What has been made of artefacts: the page at the end shows the texts of the files.
	texts      map[*explain.Artefact]artefactCopy
	remembered int // bytes of text in it
	written    map[*explain.Artefact]artefactWritten
}

// artefactCopy is the text of an artefact and what it was made from: a graph may be told anew.
type artefactCopy struct {
	from string
	runs bool
	text string
}

// NewFolder is the sink for a session's folder, which exists.
func NewFolder(dir string) *Folder { return newFolder(dir, dir) }

// textsOf gives the texts of a session's files.
func textsOf(facts *answers.Facts, blobs string) *Folder {
	f := newFolder("", blobs)
	f.facts = facts
	return f
}

func newFolder(dir, blobs string) *Folder {
	return &Folder{dir: dir, live: dir == blobs, blobs: explain.OpenBlobs(blobs), texts: map[*explain.Artefact]artefactCopy{}, written: map[*explain.Artefact]artefactWritten{}}
}

// NewSession opens a session that writes its folder. It is what the service uses.
func NewSession(start map[string]any, host explain.Host, decompile explain.DecompileFunc) (*explain.Session, error) {
	return explain.NewSession(start, host, explain.WithDecompiler(decompile),
		explain.WithSink(func(dir string) explain.Sink { return NewFolder(dir) }))
}

// Write writes all files of a model, whose log lies in src, into dst.
func Write(m *explain.Model, src, dst string) ([]explain.File, error) {
	if err := os.MkdirAll(dst, 0o755); err != nil {
		return nil, err
	}
	f := newFolder(dst, src)
	var errs []error
	for _, c := range m.Codes {
		if !c.HasText() {
			continue // there is no code to write
		}
		// The second half of Code needs the outcome of the swap, so that the
		// replay of a finished session needs two calls, as the session did.
		swapped := c.Swapped
		c.Swapped = nil
		errs = append(errs, f.Code(m, c))
		if c.Swapped = swapped; swapped != nil {
			errs = append(errs, f.Code(m, c))
		}
	}
	for _, list := range [][]*explain.Artefact{m.Graphs, m.Kernels} {
		for _, a := range list {
			errs = append(errs, f.Artefact(m, a))
		}
	}
	files, err := f.End(m)
	return files, errors.Join(append(errs, err)...)
}

func (f *Folder) write(name, text string) error {
	return f.writeFrom(name, strings.NewReader(pyText(text)))
}

// writeFrom writes a file of what text gives, as it is.
func (f *Folder) writeFrom(name string, text io.WriterTo) error {
	if !filepath.IsLocal(name) || strings.ContainsAny(name, `/\`) {
		return fmt.Errorf("%q is no name for a file", name)
	}
	path := filepath.Join(f.dir, name)
	if !f.live { // nobody reads there yet, and the index, which names the files, comes last
		out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if err == nil {
			_, err = text.WriteTo(out)
			return errors.Join(err, out.Close())
		}
	}
	return explain.WriteFileFrom(path, text)
}

// Code writes the file of a transformed code object. Once the code has been
// swapped it only adds the recompiled bytecode: the text is already running.
func (f *Folder) Code(m *explain.Model, c *explain.Transformed) error {
	stem := strings.TrimSuffix(c.File, ".py")
	if c.Swapped != nil {
		return f.bytecode(m, stem+recompiledExt, c.Swapped.Blob)
	}
	return errors.Join(
		f.write(c.File, codeFile(c, m.Title(c))),
		f.bytecode(m, stem+originalExt, c.Old.Blob),
		f.bytecode(m, stem+transformedExt, c.New.Blob),
	)
}

// Endings of the files that log_bytecode asks for.
const (
	originalExt    = ".original_bytecode"
	transformedExt = ".transformed_bytecode"
	recompiledExt  = ".decompiled_and_compiled_back_bytecode"
)

func (f *Folder) bytecode(m *explain.Model, name, blob string) error {
	if !m.Start.LogBytecode || blob == "" {
		return nil
	}
	data, err := f.blobs.Get(blob)
	if err != nil {
		return err
	}
	return explain.WriteFile(filepath.Join(f.dir, name), data)
}

// Artefact writes the file of a graph or a kernel.
func (f *Folder) Artefact(m *explain.Model, a *explain.Artefact) error {
	if a.File == "" {
		return nil
	}
	owner := ownerOf(m, a, atFile)
	text := f.artefactFile(a, owner)
	err := f.write(a.File, text)
	if head := len(artefactHead(a, owner)); err == nil && head > 0 && strings.HasSuffix(text, "\n") && utf8.ValidString(text) && !strings.Contains(text, "\x00") {
		f.written[a] = artefactWritten{a.Text, a.Runs, head, len(text) - head}
	}
	return err
}

// artefactText is artefactText, remembered: reading a large graph takes long.
func (f *Folder) artefactText(a *explain.Artefact) string {
	known, ok := f.texts[a]
	if !ok {
		if text, ok := f.reread(a); ok {
			return text
		}
	}
	if !ok || known.runs != a.Runs || known.from != a.Text {
		known = artefactCopy{a.Text, a.Runs, artefactText(a)}
		if len(known.text) > smallText {
			if f.remembered += len(known.text); f.remembered > mostRemembered {
				return known.text
			}
		}
		f.texts[a] = known
	}
	return known.text
}

// reread is the text of an artefact whose file has been written and that nothing remembers.
func (f *Folder) reread(a *explain.Artefact) (string, bool) {
	w, ok := f.written[a]
	if !ok || w.from != a.Text || w.runs != a.Runs {
		return "", false
	}
	data, err := os.ReadFile(filepath.Join(f.dir, a.File))
	if err != nil || len(data) != w.head+w.text {
		return "", false
	}
	return string(data[w.head:]), true
}

// artefactWritten is what the file of an artefact is made up of.
type artefactWritten struct {
	from       string
	runs       bool
	head, text int
}

// mostRemembered is how much of large texts, in bytes, is remembered: the others are read from their files.
const (
	smallText      = 8 << 10
	mostRemembered = 4 << 20
)

// ownerOf names the user's function that a graph was recorded from.
func ownerOf(m *explain.Model, a *explain.Artefact, place func(file string, line int) string) string {
	if a.Stage == explain.StageAutograd {
		return "autograd's engine"
	}
	if e := a.Export; e != nil {
		return "torch.export of " + e.Name + " (" + place(e.File, e.Line) + ")"
	}
	for _, c := range m.CodesOf(a.CompileID) {
		if explain.IsBackward(c.Old) {
			return c.Func + " (" + recordedBackward + ")"
		}
	}
	if c := m.Compile(a.CompileID); c != nil && c.Func != "" {
		return m.TitleOf(c) + " (" + place(c.File, c.Line) + ")"
	}
	for _, c := range m.CodesOf(a.CompileID) {
		return m.Title(c) + " (" + place(c.SourceFile, c.SourceLine) + ")"
	}
	return ""
}

// atFile is a place in full: the file of a graph is written before all files of the program are known.
func atFile(file string, line int) string {
	if file == "" {
		return "an unknown place"
	}
	if line <= 0 {
		return oneLine(file)
	}
	return fmt.Sprintf("%s:%d", oneLine(file), line)
}

// End writes what needs the whole session: the artefacts that only the
// structured log has, full_code_for_… and index.md. The list of files begins
// with the one to open first.
func (f *Folder) End(m *explain.Model) ([]explain.File, error) {
	p := explain.Link(m)
	facts := answers.For(p)
	f.facts = facts
	var errs []error
	for _, a := range p.Files {
		if a.FromTrace || a.Stage == explain.StageKernel { // now it is known what kernels compute
			errs = append(errs, f.Artefact(m, a))
		}
	}
	guards := guardTexts{}
	for _, fn := range p.Functions {
		if fn.First.Logged {
			continue // there is nothing to run
		}
		errs = append(errs, f.write(fullName(fn), fullCode(p, fn, guards)))
	}
	files := listFiles(p)
	page, err := htmlPage(facts, f.artefactFile, guards)
	if err == nil {
		err = f.writeFrom(htmlName, page)
	}
	// The index comes last: where it is, all that it names is.
	errs = append(errs, err, f.write(indexName, index(facts, files)), f.processes(m))
	return files, errors.Join(errs...)
}
