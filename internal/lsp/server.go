package lsp

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/jsonrpc"
	"github.com/thuml/depyf/internal/recorded"
)

// How often is looked for changes: at the files that are known, and for other dumps. A large folder is searched less often, so that
// searching takes at most a twentieth of a core.
const (
	glance     = 500 * time.Millisecond
	search     = 3 * time.Second
	searchRest = 20
)

// Server is a language server for the dumps in some folders.
type Server struct {
	version string
	folders []string
	out     io.Writer
	outErr  error

	ready, stopped bool // between initialize and shutdown
	can            initializeParams
	nextID         int

	open  map[string]document // by URI
	told  map[string]bool     // URIs that have diagnostics
	watch map[string]stamp    // by path: files of the program that are not open
	moved map[string]string   // by path: what a file was called when it was compiled

	dump     *dump // nil for none
	shown    []stamp
	glanced  []stamp // at the last look
	target   recorded.Found
	searched time.Time // when the next search is due
	seeking  bool
	sought   chan sought
	loading  bool
	loaded   chan result
}

// document is a file in the editor.
type document struct {
	path    string
	text    string
	version *int
}

// result is a dump that has been read, and what it looked like before.
type result struct {
	dump   *dump
	stamps []stamp
	err    error
}

// sought is the newest dump that a search has found, with an empty path for none.
type sought struct {
	recorded.Found
	took time.Duration
}

// New is a server for the dumps in or below some folders; one that is not there yet is waited for.
func New(version string, folders ...string) *Server {
	return &Server{
		version: version, folders: folders, open: map[string]document{}, told: map[string]bool{}, watch: map[string]stamp{}, moved: map[string]string{},
		loaded: make(chan result, 1), sought: make(chan sought, 1),
	}
}

// notInitialized is a code of the Language Server Protocol.
const notInitialized = -32002

// ErrNoShutdown says that the client has ended the server without the request that goes before.
var ErrNoShutdown = errors.New("the client said exit without shutdown")

// Serve answers a client until it says so, or goes away.
func (s *Server) Serve(in io.Reader, out io.Writer) error {
	s.out = out
	end := make(chan struct{})
	defer close(end)
	inputs := jsonrpc.Headers.Listen(in, end)
	tick := time.NewTicker(glance)
	defer tick.Stop()
	for s.outErr == nil {
		select {
		case m := <-inputs:
			var one *jsonrpc.Failure
			switch {
			case errors.As(m.Err, &one):
				s.send(jsonrpc.Message{ID: json.RawMessage("null"), Error: one})
			case errors.Is(m.Err, io.EOF):
				return nil
			case m.Err != nil:
				return m.Err
			case m.Method == "exit" && !s.stopped:
				return ErrNoShutdown
			case m.Method == "exit":
				return nil
			default:
				s.handle(m.Message)
			}
		case f := <-s.sought:
			s.target, s.seeking = f.Found, false
			s.searched = time.Now().Add(max(search, searchRest*f.took))
			s.look()
		case r := <-s.loaded:
			s.take(r)
		case <-tick.C:
			if s.ready {
				s.look()
			}
		}
	}
	return nil // nobody reads any more
}

func (s *Server) send(m jsonrpc.Message) {
	if s.outErr == nil {
		s.outErr = jsonrpc.Headers.Write(s.out, m)
	}
}

func (s *Server) notify(method string, params any) {
	data, err := json.Marshal(params)
	if err == nil {
		s.send(jsonrpc.Message{Method: method, Params: data})
	}
}

// request asks the client for something; nothing is done with what it answers.
func (s *Server) request(method string, params any) {
	s.nextID++
	m := jsonrpc.Message{ID: json.RawMessage(fmt.Sprint(s.nextID)), Method: method}
	if params != nil {
		m.Params, _ = json.Marshal(params) // they are types of this package
	}
	s.send(m)
}

// say writes to the log that editors keep of a server.
func (s *Server) say(kind int, text string) { s.notify("window/logMessage", messageParams{kind, text}) }

// handle answers one message. A failure of ours is an error of that request alone.
func (s *Server) handle(m jsonrpc.Message) {
	if m.Method == "" {
		return // a response
	}
	answer, err := s.guarded(m)
	if m.ID == nil {
		return
	}
	s.send(jsonrpc.Reply(m, answer, err))
}

func (s *Server) guarded(m jsonrpc.Message) (answer any, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("depyf failed to answer %s, which is a bug of depyf's: %v", m.Method, p)
			s.say(messageWarning, err.Error())
		}
	}()
	switch {
	case m.Method == "initialize" && !s.ready:
		return s.initialize(m.Params)
	case !s.ready && m.ID != nil:
		return nil, &jsonrpc.Failure{Code: notInitialized, Message: "the server has not been initialized"}
	case s.stopped && m.ID != nil:
		return nil, &jsonrpc.Failure{Code: jsonrpc.InvalidRequest, Message: "the server has been shut down"}
	case !s.ready || s.stopped:
		return nil, nil
	}
	return s.dispatch(m)
}

func (s *Server) initialize(params json.RawMessage) (any, error) {
	p, err := jsonrpc.Decode[initializeParams](params)
	if err != nil {
		return nil, err
	}
	s.can, s.ready = p, true
	definition := p.InitializationOptions.Definition == nil || *p.InitializationOptions.Definition
	return map[string]any{
		"serverInfo": map[string]any{"name": "depyf", "version": s.version},
		"capabilities": map[string]any{
			"positionEncoding":       "utf-16",
			"textDocumentSync":       map[string]any{"openClose": true, "change": 1, "save": true},
			"hoverProvider":          true,
			"codeLensProvider":       map[string]any{},
			"definitionProvider":     definition,
			"implementationProvider": true,
			"executeCommandProvider": map[string]any{"commands": []string{openCommand, reportCommand}},
		},
	}, nil
}

func (s *Server) dispatch(m jsonrpc.Message) (any, error) {
	switch m.Method {
	case "initialized":
		for _, f := range s.folders {
			if _, err := os.Stat(f); err != nil {
				s.say(messageInfo, f+" is not there yet; it is waited for")
			}
		}
		s.look()
		return nil, nil
	case "shutdown":
		s.stopped = true
		return nil, nil
	case "textDocument/didOpen":
		p, err := jsonrpc.Decode[textDocumentParams](m.Params)
		if path, ok := pathOf(p.TextDocument.URI); err == nil && ok {
			s.open[p.TextDocument.URI] = document{path, p.TextDocument.Text, p.TextDocument.Version}
			s.publish(p.TextDocument.URI)
		}
		return nil, err
	case "textDocument/didChange":
		p, err := jsonrpc.Decode[didChangeParams](m.Params)
		if d, ok := s.open[p.TextDocument.URI]; err == nil && ok && len(p.ContentChanges) > 0 {
			d.text, d.version = p.ContentChanges[len(p.ContentChanges)-1].Text, p.TextDocument.Version
			s.open[p.TextDocument.URI] = d
			s.publish(p.TextDocument.URI)
		}
		return nil, err
	case "textDocument/didClose":
		p, err := jsonrpc.Decode[textDocumentParams](m.Params)
		if d, ok := s.open[p.TextDocument.URI]; err == nil && ok {
			delete(s.open, p.TextDocument.URI)
			s.publish(p.TextDocument.URI)
			s.watch[d.path] = stampOf(d.path)
		}
		return nil, err
	case "textDocument/didSave", "workspace/didChangeWatchedFiles":
		s.searched = time.Time{}
		return nil, nil
	case "textDocument/hover":
		return at(s, m, s.hover)
	case "textDocument/definition", "textDocument/implementation":
		return at(s, m, s.definition)
	case "textDocument/codeLens":
		return at(s, m, func(d document, _ int) any { return s.lenses(d) })
	case "workspace/executeCommand":
		p, err := jsonrpc.Decode[executeCommandParams](m.Params)
		if err != nil {
			return nil, err
		}
		return nil, s.execute(p)
	}
	if m.ID == nil {
		return nil, nil // a notification may be left alone
	}
	return nil, &jsonrpc.Failure{Code: jsonrpc.MethodNotFound, Message: "depyf does not know " + m.Method}
}

// at answers a question about a line, counted from 1, of a document.
func at(s *Server, m jsonrpc.Message, answer func(d document, line int) any) (any, error) {
	p, err := jsonrpc.Decode[textDocumentParams](m.Params)
	if err != nil {
		return nil, err
	}
	d, ok := s.open[p.TextDocument.URI]
	if !ok {
		return nil, &jsonrpc.Failure{Code: jsonrpc.InvalidParams, Message: p.TextDocument.URI + " is not open"}
	}
	return answer(d, p.Position.Line+1), nil
}

// look looks for what has changed: the files of the dump, another dump, files of the program. A dump is read when its files have
// been left alone between two looks: a program that still writes it would have it read over and over.
func (s *Server) look() {
	if now := time.Now(); now.After(s.searched) && !s.seeking {
		s.seeking = true
		go func() {
			s.sought <- sought{newest(s.folders), time.Since(now)}
		}()
	}
	if s.loading {
		return
	}
	var stamps []stamp
	if s.target.Path != "" {
		stamps = stampsOf(s.target.Path)
	}
	quiet := slices.Equal(stamps, s.glanced)
	s.glanced = stamps
	switch {
	case len(stamps) == 0:
		if s.dump != nil {
			s.take(result{})
		}
	case quiet && !slices.Equal(stamps, s.shown):
		s.loading = true
		go func(folder string, changed time.Time) {
			r := result{stamps: stamps}
			defer func() {
				if p := recover(); p != nil {
					r.err = fmt.Errorf("a bug of depyf's: %v", p)
				}
				s.loaded <- r
			}()
			r.dump, r.err = load(folder, changed)
		}(s.target.Path, stamps[0].time)
	}
	for path, was := range s.watch {
		if is := stampOf(path); is != was {
			s.watch[path] = is
			s.publish(uriOf(path))
		}
	}
}

func stampOf(path string) stamp {
	st, err := os.Stat(path)
	if err != nil {
		return stamp{file: path}
	}
	return stamp{path, st.Size(), st.ModTime()}
}

// take shows a dump that has been read in the place of the one before, or none.
func (s *Server) take(r result) {
	s.loading = false
	s.shown = r.stamps
	if r.err != nil {
		s.say(messageWarning, fmt.Sprintf("%s cannot be read: %v", s.target.Path, r.err))
		return // what is shown is still the newest that can be
	}
	s.dump = r.dump
	s.watch = map[string]stamp{}
	if r.dump == nil {
		s.say(messageInfo, "there is no dump any more")
	} else {
		s.say(messageInfo, "showing "+r.dump.folder)
		for _, t := range r.dump.sources {
			if st := stampOf(t.source.File); t.source.Owner == answers.OwnerUser && !st.time.IsZero() {
				s.watch[st.file] = st
			}
		}
	}
	uris := map[string]bool{}
	for uri := range s.told {
		uris[uri] = true
	}
	for uri := range s.open {
		uris[uri] = true
	}
	for path := range s.watch {
		uris[uriOf(path)] = true
	}
	for uri := range uris {
		s.publish(uri)
	}
	if s.can.Capabilities.Workspace.CodeLens.RefreshSupport {
		s.request("workspace/codeLens/refresh", nil)
	}
}

// read is a document: as it is in the editor or, where it is not open, on disk.
func (s *Server) read(uri string) (document, bool) {
	if d, ok := s.open[uri]; ok {
		return d, true
	}
	path, ok := pathOf(uri)
	if !ok {
		return document{}, false
	}
	for _, d := range s.open {
		if d.path == path {
			return document{}, false // the editor has it, by a URI that is written in another way
		}
	}
	data, err := os.ReadFile(path)
	return document{path: path, text: string(data)}, err == nil
}

// publish sends what is to be known of a document; an empty list takes back what was told before.
func (s *Server) publish(uri string) {
	d, ok := s.read(uri)
	list := []diagnostic{}
	if ok && s.dump != nil {
		list = s.diagnostics(d)
	}
	if len(list) == 0 && !s.told[uri] {
		return
	}
	s.told[uri] = len(list) > 0
	s.notify("textDocument/publishDiagnostics", publishDiagnosticsParams{uri, d.version, list})
}

// find finds what the dump knows of a document.
func (s *Server) find(d document) ([]traced, likeness) {
	list, like := s.dump.find(d.path, s.moved[d.path], d.text)
	if like == same {
		s.moved[d.path] = list[0].source.File
	}
	return list, like
}

// diagnostics are the marks of a document, or that its text is not that of the dump.
func (s *Server) diagnostics(d document) []diagnostic {
	list, like := s.find(d)
	lines := plainLines(d.text)
	out := []diagnostic{}
	why := ""
	switch like {
	case foreign:
		return out
	case edited:
		why = "this file has changed since it was compiled, so that lines cannot be marked: run the program again (dump of " + s.dump.changed.Format("15:04:05") + ")"
	case unknown:
		why = "the dump does not hold the text of this file, so that lines cannot be marked"
	}
	if why != "" {
		return append(out, diagnostic{Range: wholeLine(lines, 1), Severity: severityInformation, Code: "changed", Source: "depyf", Message: why})
	}
	for _, m := range s.dump.marksOf(list) {
		x := diagnostic{Range: wholeLine(lines, m.line), Severity: m.severity, Code: m.code, Source: "depyf", Message: m.text}
		if m.link != "" {
			x.CodeDescription = &codeDescription{m.link}
		}
		out = append(out, x)
	}
	return out
}
