package cases

import (
	"archive/zip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"github.com/thuml/depyf/internal/pyc"
)

// Case is one file.
type Case struct {
	Name     string // TOPIC/NAME
	Path     string
	sections map[string]string
}

// Load reads all cases below dir, sorted by name.
func Load(dir string) ([]*Case, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*", "*.txtar"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s holds no cases", dir)
	}
	var out []*Case
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return nil, err
		}
		out = append(out, &Case{
			Name: strings.TrimSuffix(filepath.ToSlash(rel), ".txtar"),
			Path: path, sections: Sections(string(text)),
		})
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out, nil
}

// About is the first line of the case: what it shows.
func (c *Case) About() string {
	line, _, _ := strings.Cut(strings.TrimSpace(c.sections[""]), "\n")
	return line
}

// Source is the Python text of the case.
func (c *Case) Source() string { return c.sections["source.py"] }

// Applies reports whether v can compile the case.
func (c *Case) Applies(v pyc.Version) bool {
	spec := strings.TrimSpace(c.sections["versions"])
	return spec == "" || inVersions(spec, v)
}

// Want is the text that the decompiler must make of the case on v.
func (c *Case) Want(v pyc.Version) string {
	for name, body := range c.sections {
		if spec, ok := strings.CutPrefix(name, "want-"); ok && inVersions(strings.TrimSuffix(spec, ".py"), v) {
			return body
		}
	}
	if body, ok := c.sections["want.py"]; ok {
		return body
	}
	return c.Source()
}

// SetWants writes the file with new wanted texts, those of neighbouring versions
// joined where they agree.
func (c *Case) SetWants(of map[pyc.Version]string) error {
	body := map[pyc.Version]string{}
	for v := pyc.Oldest; v <= pyc.Newest; v++ {
		if text, ok := of[v]; ok {
			body[v] = text
		} else {
			body[v] = c.Want(v)
		}
	}
	for name := range c.sections {
		if strings.HasPrefix(name, "want") {
			delete(c.sections, name)
		}
	}
	for a := pyc.Oldest; a <= pyc.Newest; {
		if !c.Applies(a) {
			a++
			continue
		}
		b := a
		for b < pyc.Newest && c.Applies(b+1) && body[b+1] == body[a] {
			b++
		}
		switch {
		case body[a] == c.Source():
		case a == pyc.Oldest && b == pyc.Newest:
			c.sections["want.py"] = body[a]
		case a == b:
			c.sections[fmt.Sprintf("want-%v.py", a)] = body[a]
		default:
			c.sections[fmt.Sprintf("want-%v-%v.py", a, b)] = body[a]
		}
		a = b + 1
	}
	return os.WriteFile(c.Path, []byte(c.join()), 0o644)
}

// Open says why the text of v is not proven yet, or "".
func (c *Case) Open(v pyc.Version) string {
	for _, line := range strings.Split(c.sections["open"], "\n") {
		spec, why, _ := strings.Cut(strings.TrimSpace(line), " ")
		if spec != "" && inVersions(spec, v) {
			return why
		}
	}
	return ""
}

// Compiled reads the compiled cases of one version, by name.
func Compiled(dir string, v pyc.Version) (map[string]*pyc.Code, error) {
	z, err := zip.OpenReader(filepath.Join(dir, v.String()+".zip"))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	out := map[string]*pyc.Code{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			return nil, err
		}
		data, err := io.ReadAll(r)
		r.Close()
		if err != nil {
			return nil, err
		}
		file, err := pyc.ReadBytes(data)
		if err != nil {
			return nil, fmt.Errorf("%s of %v: %w", f.Name, v, err)
		}
		out[strings.TrimSuffix(f.Name, ".pyc")] = file.Code
	}
	return out, nil
}

// inVersions reports whether v is in a range such as 3.8-3.10, 3.8- or 3.8.
func inVersions(spec string, v pyc.Version) bool {
	low, high, isRange := strings.Cut(spec, "-")
	var a, b pyc.Version
	if _, err := fmt.Sscanf(low, "3.%d", &a); err != nil {
		return false
	}
	switch {
	case !isRange:
		return v == a
	case high == "":
		return v >= a
	}
	if _, err := fmt.Sscanf(high, "3.%d", &b); err != nil {
		return false
	}
	return v >= a && v <= b
}

// Sections takes a txtar file apart; what comes before its first section has the
// name "".
func Sections(text string) map[string]string {
	out := map[string]string{}
	name := ""
	for _, line := range strings.SplitAfter(text, "\n") {
		if s := strings.TrimSpace(line); strings.HasPrefix(line, "-- ") && strings.HasSuffix(s, " --") {
			name = s[3 : len(s)-3]
			out[name] = ""
			continue
		}
		out[name] += line
	}
	return out
}

// join writes the sections in a fixed order.
func (c *Case) join() string {
	rank := func(name string) int {
		if i := slices.Index([]string{"versions", "open", "source.py"}, name); i >= 0 {
			return i
		}
		return 9
	}
	var names []string
	for n := range c.sections {
		if n != "" {
			names = append(names, n)
		}
	}
	sort.Slice(names, func(i, j int) bool {
		if a, b := rank(names[i]), rank(names[j]); a != b {
			return a < b
		}
		return names[i] < names[j]
	})
	out := c.sections[""]
	for _, n := range names {
		out += "-- " + n + " --\n" + c.sections[n]
	}
	return out
}
