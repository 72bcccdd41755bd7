package explain

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Files knows the files that a session speaks of. They are told apart by their full paths, and called
// by the shortest ends of these that no other file has.
type Files struct {
	byBase map[string][]string
	names  map[string]string
	called map[string]string // paths by the names that are not their ends
	moved  map[string]string // paths by those under which the same files were compiled elsewhere

	packaged map[string]string // paths of files of which nothing but the end is told, by that
}

// Add makes a file known. It comes before the first question.
func (f *Files) Add(file string) {
	file = slashes(file)
	if file == "" || f.byBase == nil {
		f.byBase = orMake(f.byBase)
	}
	if b := path.Base(file); file != "" && !slices.Contains(f.byBase[b], file) {
		f.byBase[b] = append(f.byBase[b], file)
		f.packaged = nil
	}
}

func orMake(m map[string][]string) map[string][]string {
	if m == nil {
		return map[string][]string{}
	}
	return m
}

// Full is the full path of a file of which only the end is told, or the name that it has: torch shortens paths in guards.
func (f *Files) Full(file string) string {
	file = slashes(file)
	if here, ok := f.moved[file]; ok {
		return here
	}
	if strings.HasPrefix(file, "/") {
		return file
	}
	if full, ok := f.Called(file); ok {
		return full
	}
	var found []string
	for _, known := range f.byBase[path.Base(file)] {
		// Where torch has only the root in common with the file, it cuts a letter too many: "roject/toy.py".
		if cut := len(known) - len(file); cut > 0 && strings.HasSuffix(known, file) && (known[cut-1] == '/' || cut == 2 && known[0] == '/') {
			found = append(found, known)
		}
	}
	if len(found) == 1 {
		return found[0]
	}
	return f.installed(file)
}

// installed is the path of a file of an installed package, "transformers/masking_utils.py", where another file of that package
// is known by its full path: torch leaves out what a path has in common with its own directory (torch/utils/_traceback.py,
// shorten_filename). Else it is the file as it was given, which would pass as the user's.
func (f *Files) installed(file string) string {
	if full, ok := f.packaged[file]; ok {
		return full
	}
	full := file
	if first, _, ok := strings.Cut(file, "/"); ok {
		full = f.inPackage(first, file)
	}
	if f.packaged == nil {
		f.packaged = map[string]string{}
	}
	f.packaged[file] = full
	return full
}

func (f *Files) inPackage(name, file string) string {
	found := ""
	for _, files := range f.byBase {
		for _, known := range files {
			for _, dir := range []string{"/site-packages/", "/dist-packages/"} {
				root, _, ok := strings.Cut(known, dir+name+"/")
				if !ok {
					continue
				}
				full := root + dir + file
				if found != "" && found != full {
					return file
				}
				found = full
			}
		}
	}
	return cmp.Or(found, file)
}

// Same reports whether two paths are of one file.
func (f *Files) Same(a, b string) bool { return f.Full(a) == f.Full(b) }

// Name is what a file is called in a report.
func (f *Files) Name(file string) string {
	full := f.Full(file)
	if n, ok := f.names[full]; ok {
		return n
	}
	parts := strings.Split(full, "/")
	others := map[string]bool{}
	for _, other := range f.byBase[path.Base(full)] {
		if other = f.Full(other); other != full {
			others[other] = true
		}
	}
	name := full
	least := 1
	if base := path.Base(full); base == "__init__.py" || base == "__main__.py" {
		least = 2 // alone, it says nothing
	}
	for n := min(least, len(parts)); n <= len(parts); n++ {
		end := strings.Join(parts[len(parts)-n:], "/")
		unique := true
		for other := range others {
			unique = unique && other != end && !strings.HasSuffix(other, "/"+end)
		}
		if unique && end != "" {
			name = end
			break
		}
	}
	if f.names == nil {
		f.names = map[string]string{}
	}
	f.names[full] = oneLine(name)
	return f.names[full]
}

// call gives a file a name of its own. It comes before the first question.
func (f *Files) call(file, name string) {
	if f.called == nil {
		f.names, f.called = map[string]string{}, map[string]string{}
	}
	name = oneLine(name)
	f.names[slashes(file)], f.called[name] = name, slashes(file)
}

// Called is the path of the file of that name, where it is not the end of its path: "In[3]".
func (f *Files) Called(name string) (file string, ok bool) {
	file, ok = f.called[name]
	return file, ok
}

// Place is "toy.py:19".
func (f *Files) Place(file string, line int) string {
	switch {
	case file == "":
		return "an unknown place"
	case line <= 0:
		return f.Name(file)
	}
	return f.Name(file) + ":" + strconv.Itoa(line)
}

func slashes(file string) string { return strings.ReplaceAll(file, `\`, "/") }

// linkFileNames collects the files of a session.
func (p *Program) linkFileNames() {
	m := p.Model
	for _, s := range m.Sources {
		if s.Title != "" {
			p.Places.call(s.File, s.Title)
		}
	}
	for _, c := range m.Codes {
		p.Places.Add(c.SourceFile)
		p.Places.Add(c.Old.Filename)
	}
	for _, w := range m.written {
		p.Places.Add(w.File)
	}
	for _, c := range m.Compiles {
		p.Places.Add(c.File)
		p.Places.Add(c.FailFile)
		for _, b := range c.Breaks {
			p.Places.Add(b.File)
			for _, fr := range b.Through {
				p.Places.Add(fr.File)
			}
		}
		for _, s := range c.Symbols {
			p.Places.Add(s.At.File)
		}
		for _, s := range c.SizeGuards {
			p.Places.Add(s.At.File)
		}
		if c.Outcome != nil {
			for _, fr := range c.Outcome.Stack {
				p.Places.Add(fr.File)
			}
			for _, fr := range stackIn(c.Outcome.Text) {
				p.Places.Add(fr.File)
			}
		}
	}
	for _, set := range m.Guards {
		for _, e := range set.Entries {
			for _, part := range e.Parts {
				for _, fr := range stackIn(strings.Join(part.Stack, "\n")) {
					p.Places.Add(fr.File)
				}
			}
		}
	}
	var cached []string // files that nothing but graphs from a cache names, by now
	for _, early := range []bool{true, false} {
		for _, a := range p.Files {
			if (a.Stage == "Captured_Graph") != early {
				continue
			}
			for _, file := range filesIn(a.Body()) {
				if !early && m.fromCache(a) && !p.Places.has(file) {
					cached = append(cached, slashes(file))
				} else {
					p.Places.Add(file)
				}
			}
		}
	}
	for _, file := range cached {
		p.Places.move(file)
	}
}

// fromCache reports whether what comes after Dynamo's graph was taken from a cache of torch's.
func (m *Model) fromCache(a *Artefact) bool {
	c := m.byCompile[CleanCompileID(a.CompileID)]
	return c != nil && slices.ContainsFunc(c.Cache, func(event string) bool { return strings.HasSuffix(event, "_cache_hit") })
}

func (f *Files) has(file string) bool {
	file = slashes(file)
	return slices.Contains(f.byBase[path.Base(file)], file)
}

// move takes in a file that only a graph from a cache names. All operations come from lines that Dynamo has seen, so that it is a
// file of this session, compiled when it had another path: the one that has most of the end of its path.
func (f *Files) move(file string) {
	best, most, several := "", 0, false
	for _, known := range f.byBase[path.Base(file)] {
		switch n := CommonEnd(known, file); {
		case n > most:
			best, most, several = known, n, false
		case n == most:
			several = true
		}
	}
	if best == "" || several || best == file {
		f.Add(file)
		return
	}
	if f.moved == nil {
		f.moved = map[string]string{}
	}
	f.moved[file] = best
}

// CommonEnd is of how many names the longest end is that two paths have in common.
func CommonEnd(a, b string) int {
	x, y := strings.Split(a, "/"), strings.Split(b, "/")
	n := 0
	for n < len(x) && n < len(y) && x[len(x)-1-n] == y[len(y)-1-n] {
		n++
	}
	return n
}
