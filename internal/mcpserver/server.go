package mcpserver

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/thuml/depyf/internal/jsonrpc"
)

const instructions = `Answers questions about torch.compile: why code was compiled again, which lines break graphs, what failed, what became of a line, ` +
	`which number went wrong first. They come from dumps of depyf, or from what torch itself logged (TORCH_TRACE, TORCH_LOGS).

Begin with list_sessions, then explain. Where a path can be left out, the newest session is meant. Lines are named as file:line of the traced program. ` +
	`source shows the code that runs in place of a function, its graphs and its kernels.

To record a program, run "depyf run --out DUMP program.py" (or DEPYF_DUMP=DUMP in front of any command) in a shell; after a change, record again into another folder, and ask diff.`

// revisions are those of the protocol that are spoken, the newest first: of what is used here, they have the same.
var revisions = []string{"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}

// Server answers one client.
type Server struct {
	version string
	offered []tool

	calls sync.Mutex // over each call: the answers of one session are not made by two at once
	store store

	writing sync.Mutex
	out     io.Writer
}

// New is a server that reads these folders only.
func New(version string, folders []string) (*Server, error) {
	roots, err := newRoots(folders)
	if err != nil {
		return nil, err
	}
	s := &Server{version: version, store: store{roots: roots}}
	s.tools()
	return s, nil
}

// Serve answers a client until it goes away. What was asked before that is answered.
func (s *Server) Serve(in io.Reader, out io.Writer) error {
	s.out = out
	end := make(chan struct{})
	defer close(end)
	var running sync.WaitGroup
	defer running.Wait()
	for m := range jsonrpc.Lines.Listen(in, end) {
		var one *jsonrpc.Failure
		switch {
		case errors.As(m.Err, &one):
			s.send(jsonrpc.Message{ID: json.RawMessage("null"), Error: one})
		case errors.Is(m.Err, io.EOF):
			return nil
		case m.Err != nil:
			return m.Err
		case m.Method == "" || m.ID == nil:
			// a response, or a notification: there is none that changes anything
		case m.Method == "tools/call":
			running.Go(func() {
				answer, err := s.call(m.Message)
				s.send(jsonrpc.Reply(m.Message, answer, err))
			})
		default:
			answer, err := s.answer(m.Message)
			s.send(jsonrpc.Reply(m.Message, answer, err))
		}
	}
	return nil
}

func (s *Server) send(m jsonrpc.Message) {
	s.writing.Lock()
	defer s.writing.Unlock()
	_ = jsonrpc.Lines.Write(s.out, m) // a client that does not read has gone, which reading tells
}

// answer answers all but calls of tools.
func (s *Server) answer(m jsonrpc.Message) (any, error) {
	switch m.Method {
	case "initialize":
		p, err := jsonrpc.Decode[struct {
			ProtocolVersion string `json:"protocolVersion"`
		}](m.Params)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(revisions, p.ProtocolVersion) {
			p.ProtocolVersion = revisions[0]
		}
		return map[string]any{
			"protocolVersion": p.ProtocolVersion,
			"capabilities":    map[string]any{"tools": map[string]any{}},
			"serverInfo":      map[string]any{"name": "depyf", "title": "depyf: what torch.compile does", "version": s.version},
			"instructions":    instructions,
		}, nil
	case "ping":
		return map[string]any{}, nil
	case "tools/list":
		return map[string]any{"tools": s.offered}, nil
	}
	return nil, &jsonrpc.Failure{Code: jsonrpc.MethodNotFound, Message: "depyf does not know " + m.Method}
}

// result is what a tool says, as the protocol has it.
type result struct {
	Content    []content      `json:"content"`
	Structured map[string]any `json:"structuredContent,omitempty"`
	IsError    bool           `json:"isError,omitempty"`
}

type content struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

// most is how many characters of words a reply has. Agents pay for each, and have data besides.
const most = 60_000

// call calls a tool. What goes wrong in one is its result, so that the agent reads it.
func (s *Server) call(m jsonrpc.Message) (any, error) {
	p, err := jsonrpc.Decode[struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	}](m.Params)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(s.offered, func(t tool) bool { return t.Name == p.Name })
	if i < 0 {
		return nil, &jsonrpc.Failure{Code: jsonrpc.InvalidParams, Message: fmt.Sprintf("there is no tool %q", p.Name)}
	}
	r, err := s.guarded(s.offered[i], p.Arguments)
	if err != nil {
		return result{Content: []content{{"text", err.Error()}}, IsError: true}, nil
	}
	text := []rune(r.text)
	if left := len(text) - most; left > 0 {
		r.text = string(text[:most]) + fmt.Sprintf("\n… %d more characters: ask for one process, or for fewer items (top).\n", left)
	}
	return result{Content: []content{{"text", r.text}}, Structured: r.data}, nil
}

// guarded makes a failure of ours an error of the call.
func (s *Server) guarded(t tool, arguments json.RawMessage) (r reply, err error) {
	s.calls.Lock()
	defer s.calls.Unlock()
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("depyf failed to answer, which is a bug of depyf's: %v", p)
		}
	}()
	return t.answer(arguments)
}
