package explain

import "github.com/thuml/depyf/internal/pyc"

// The cells of a notebook are compiled under the names of files that are on no disk. Python tells the text of each and
// what people call it ("In[3]") before anything is compiled. Those that the program's events speak of become
// sources of the session; the others never reach the log, since they are nobody's business.

// cell is the text of a file that is on no disk.
type cell struct{ text, title string }

func (s *Session) takeCells(f fields) {
	if s.cells == nil {
		s.cells = map[string]cell{}
	}
	told := f.sub("cells")
	for file := range told {
		c := told.sub(file)
		s.cells[file] = cell{c.text("text"), c.str("title")}
	}
}

// keepCells keeps the cells that a record speaks of, each once.
func (s *Session) keepCells(r Record) {
	if len(s.cells) == 0 {
		return
	}
	files := s.mentioned(r)
	switch r.Type {
	case "trace":
		// What was begun may fail before anything else is told of it.
		for _, c := range s.model.Compiles {
			files = append(files, c.File)
		}
	case "outcome":
		files = append(files, fields(r.Fields).str("file"))
		for _, fr := range s.model.frames(fields(r.Fields).list("error_stack")) {
			files = append(files, fr.File)
		}
	}
	for _, file := range files {
		c, ok := s.cells[file]
		if !ok {
			continue
		}
		delete(s.cells, file)
		s.commit(Record{Type: "source", Fields: fields{"file": file, "text": c.text, "title": c.title}})
	}
}

// cellTitle is what a person calls the cell that code is from; "" for a file.
func (s *Session) cellTitle(code *pyc.Code) string {
	if code == nil {
		return ""
	}
	if kept := s.model.sources[slashes(code.Filename)]; kept != nil {
		return kept.Title
	}
	return s.cells[code.Filename].title
}
