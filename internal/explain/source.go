package explain

import (
	"os"
	"strings"
	"unicode/utf8"
)

// Source is the text of a file of the program, or of a library's that it uses, as it was when the session first
// heard of the file. The file may have been edited since.
type Source struct {
	File  string
	Text  string
	Title string // what a person calls it, where that is not the end of its path: "In[3]" for the cell of a notebook
}

func (m *Model) applySource(f fields) {
	file := slashes(f.str("file"))
	if file != "" && m.sources[file] == nil {
		s := &Source{file, f.text("text"), f.str("title")}
		m.sources[file] = s
		m.Sources = append(m.Sources, s)
	}
}

// SourceOf returns the text of a file; ok is false where the session has none.
func (m *Model) SourceOf(file string) (text string, ok bool) {
	if s := m.sources[slashes(file)]; s != nil {
		return s.Text, true
	}
	return "", false
}

// maxSource bounds the files that are kept: larger ones were hardly written by a person.
const maxSource = 4 << 20

// keepSources reads the files that a record speaks of, each once.
func (s *Session) keepSources(r Record) {
	for _, file := range s.mentioned(r) {
		if s.read[file] || file == "" || strings.HasPrefix(file, "<") {
			continue
		}
		if s.read == nil {
			s.read = map[string]bool{}
		}
		s.read[file] = true
		if st, err := os.Stat(file); err != nil || !st.Mode().IsRegular() || st.Size() > maxSource {
			continue // the text of its functions, which Python tells, has to do
		}
		data, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		text := string(data)
		if !utf8.ValidString(text) {
			text = strings.ToValidUTF8(text, "\uFFFD")
		}
		s.commit(Record{Type: "source", Fields: fields{"file": file, "text": strings.ReplaceAll(text, "\r\n", "\n")}})
	}
}

// mentioned lists the files that a record speaks of, which the model knows already.
func (s *Session) mentioned(r Record) []string {
	f := fields(r.Fields)
	switch r.Type {
	case "bytecode":
		return []string{f.str("source_file")}
	case "function":
		return []string{f.str("file")}
	case "graph":
		return filesIn(f.text("text"))
	case "trace":
		switch envelope := f.str("envelope"); {
		case strings.Contains(envelope, "dynamo_start"):
			// What is compiled may be a library's: of the user's there is the line that leads there.
			if c := s.model.byCompile[CleanCompileID(f.str("compile_id"))]; c != nil {
				if at, ok := UsersLine(c.Stack); ok && !LibraryFile(at.File) {
					return []string{at.File}
				}
			}
		case strings.Contains(envelope, "dynamo_graph_break_reason"):
			b := ParseBreak(f.text("payload"))
			out := []string{b.File}
			for _, fr := range breakStack(b.Raw) {
				if !LibraryFile(fr.File) {
					out = append(out, fr.File)
				}
			}
			return out
		}
	}
	return nil
}

// filesIn lists the files that the text of a graph names.
func filesIn(text string) []string {
	var out []string
	last := ""
	for line := range strings.Lines(text) {
		if fr, ok := OriginOf(line); ok && fr.File != last {
			last = fr.File
			out = append(out, last)
		}
	}
	return out
}
