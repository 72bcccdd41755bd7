package lsp

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/thuml/depyf/internal/jsonrpc"
)

// Commands that a client may ask for.
const (
	openCommand   = "depyf.open"   // opens a file: its arguments are a URI and a line, counted from 0
	reportCommand = "depyf.report" // opens the page of the dump; it has no arguments
)

// execute does what a command says.
func (s *Server) execute(p executeCommandParams) error {
	switch p.Command {
	case openCommand:
		return s.openFile(p.Arguments)
	case reportCommand:
		s.openReport()
		return nil
	}
	return &jsonrpc.Failure{Code: jsonrpc.InvalidParams, Message: "there is no command " + p.Command}
}

// openFile opens a file of the dump.
func (s *Server) openFile(arguments []any) error {
	uri, row := "", 0.0
	if len(arguments) > 0 {
		uri, _ = arguments[0].(string)
	}
	if len(arguments) > 1 {
		row, _ = arguments[1].(float64)
	}
	path, ok := pathOf(uri)
	if !ok {
		return &jsonrpc.Failure{Code: jsonrpc.InvalidParams, Message: openCommand + " takes the URI of a file, and a line"}
	}
	at := startOf(int(row) + 1)
	s.show(path, showDocumentParams{URI: uri, TakeFocus: true, Selection: &at})
	return nil
}

// pages are what tells all of a dump, the first that is there: of several processes, and of one.
var pages = []string{"processes.html", "report.html"}

// openReport opens the page of the dump outside of the editor, which has no browser. Both are written when the program ends.
func (s *Server) openReport() {
	if s.dump == nil {
		s.notify("window/showMessage", messageParams{messageWarning, "There is no dump yet in or below " + strings.Join(s.folders, " or ") + ": `depyf run` makes one."})
		return
	}
	for _, name := range pages {
		path := filepath.Join(s.dump.folder, name)
		if _, err := os.Stat(path); err == nil {
			s.show(path, showDocumentParams{URI: uriOf(path), External: true, TakeFocus: true})
			return
		}
	}
	s.notify("window/showMessage", messageParams{messageWarning, s.dump.folder + " has no page yet: it is written when the program ends."})
}

// show shows a file in the editor or outside of it, or says where it is.
func (s *Server) show(path string, p showDocumentParams) {
	if s.can.Capabilities.Window.ShowDocument.Support {
		s.request("window/showDocument", p)
	} else {
		s.notify("window/showMessage", messageParams{messageInfo, path})
	}
}
