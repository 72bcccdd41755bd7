package lsp

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/recorded"
)

// dump is what was recorded last.
type dump struct {
	folder   string
	changed  time.Time
	sessions []recorded.Session
	sources  []traced
}

// traced is a file of the program as one process has seen it.
type traced struct {
	session *recorded.Session
	source  answers.Source
}

// covers reports whether the text that is kept has a line: what of a file has not been compared is not marked.
func (t traced) covers(line int) bool {
	return t.source.Whole || t.source.Text != nil && line >= t.source.First && line < t.source.First+len(plainLines(strings.TrimRight(*t.source.Text, "\n")))
}

// load reads a dump and finds what will be asked for most.
func load(folder string, changed time.Time) (*dump, error) {
	sessions, err := recorded.Read(folder)
	if err != nil {
		return nil, err
	}
	d := &dump{folder: folder, changed: changed, sessions: sessions}
	for i := range sessions {
		s := &sessions[i]
		for _, x := range s.Facts().Sources() {
			if x.Owner != answers.OwnerMachinery {
				d.sources = append(d.sources, traced{s, x})
			}
		}
		s.Facts().Session()
	}
	return d, nil
}

// dir is where the files of a process lie.
func (d *dump) dir(s *recorded.Session) string { return filepath.Join(d.folder, s.Name) }

// Whether a text is the one that was compiled.
type likeness int

const (
	foreign likeness = iota // the session knows of no such file
	same
	edited
	unknown // the session has no text to compare with
)

// find finds what the session knows of a file with this text. A file that lies elsewhere than when it was compiled is known by its name
// and its text, and from then on as what it was: "" if nothing is known of it yet.
func (d *dump) find(file, was, text string) ([]traced, likeness) {
	names := []string{filepath.ToSlash(file)}
	if was != "" {
		names = append(names, was)
	}
	if real, err := filepath.EvalSymlinks(file); err == nil && real != file {
		names = append(names, filepath.ToSlash(real))
	}
	lines := plainLines(text)
	var out, moved []traced
	like := foreign
	for _, t := range d.sources {
		here := slices.Contains(names, t.source.File)
		if !here && path.Base(t.source.File) != path.Base(names[0]) {
			continue
		}
		switch is := compare(t.source, lines); {
		case here && is == same:
			out, like = append(out, t), same
		case here && like != same:
			like = is
		case !here && is == same:
			moved = append(moved, t)
		}
	}
	if like == foreign && len(moved) > 0 {
		return moved, same
	}
	return out, like
}

// compare compares what was compiled with the lines of a file. A source that could not be read as a whole is the text of a function,
// without the indentation that it has in the file.
func compare(s answers.Source, lines []string) likeness {
	if s.Text == nil {
		return unknown
	}
	was := plainLines(*s.Text)
	if s.Whole {
		if slices.Equal(was, lines) {
			return same
		}
		return edited
	}
	for len(was) > 0 && strings.TrimSpace(was[len(was)-1]) == "" {
		was = was[:len(was)-1]
	}
	if s.First < 1 || s.First-1+len(was) > len(lines) {
		return edited
	}
	for i, l := range was {
		if strings.TrimSpace(l) != strings.TrimSpace(lines[s.First-1+i]) {
			return edited
		}
	}
	return same
}

// stamp is what the files of a dump look like from outside.
type stamp struct {
	file string
	size int64
	time time.Time
}

// stampsOf looks at the files that reading a dump opens, and at its index, which is the last to be written.
func stampsOf(folder string) []stamp {
	files, _ := recorded.Files(folder) // what has gone has no stamps
	if len(files) == 0 {
		return nil
	}
	var out []stamp
	for _, f := range append(files, filepath.Join(folder, "index.md")) {
		if st, err := os.Stat(f); err == nil {
			out = append(out, stamp{f, st.Size(), st.ModTime()})
		}
	}
	return out
}

// newest is the dump in or below the folders that changed last; its path is empty for none.
func newest(folders []string) (last recorded.Found) {
	for _, folder := range folders {
		list, _, _ := recorded.Find(folder) // a folder that cannot be read has none
		for _, f := range list {
			if !f.Trace && (last.Path == "" || f.Changed.After(last.Changed)) {
				last = f
			}
		}
	}
	return last
}
