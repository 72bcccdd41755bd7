package main

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// input is one file to decompile.
type input struct {
	path string // "-" for standard input
	rel  string // its place below the folder that was named
	out  string // the file to write; "" for standard output
}

// findInputs lists the files that the arguments stand for, in their order. bad
// says that something could not be listed; a message has been written.
func findInputs(args []string, recursive bool, stderr io.Writer) (out []input, bad bool) {
	complain := func(path string, err error) {
		fmt.Fprintf(stderr, "depyf decompile: %s: %v\n", path, plain(err))
		bad = true
	}
	for _, a := range args {
		if a == "-" || !isFolder(a) {
			out = append(out, input{path: a, rel: localName(a)})
			continue
		}
		if !recursive {
			complain(a, fmt.Errorf("it is a folder; use -r to descend into folders"))
			continue
		}
		n := len(out)
		_ = filepath.WalkDir(a, func(p string, d fs.DirEntry, err error) error {
			if err != nil {
				complain(p, err)
				if d != nil && d.IsDir() {
					return fs.SkipDir
				}
				return nil
			}
			// A link to a file counts, one to a folder could lead in circles.
			st, err := os.Stat(p)
			if d.IsDir() || !strings.HasSuffix(p, ".pyc") || err == nil && !st.Mode().IsRegular() {
				return nil
			}
			rel, err := filepath.Rel(a, p)
			if err != nil {
				rel = localName(p)
			}
			out = append(out, input{path: p, rel: rel})
			return nil
		})
		if len(out) == n && !bad {
			complain(a, fmt.Errorf("no .pyc file lies below this folder"))
		}
	}
	return out, bad
}

// localName is the name of a file that was named itself.
func localName(path string) string {
	if path == "-" {
		return "stdin.pyc"
	}
	return filepath.Base(path)
}

func isFolder(p string) bool {
	st, err := os.Stat(p)
	return err == nil && st.IsDir()
}

// planOutputs decides where the text of each input goes: for one file to out
// itself, else below the folder out, like the sources lay: pkg/m.pyc and
// pkg/__pycache__/m.cpython-312.pyc become pkg/m.py. Where two inputs would
// share a file, the later ones keep their full names.
func planOutputs(inputs []input, out string, folder bool, suffix string) {
	if out == "" {
		return
	}
	if !folder && len(inputs) == 1 && !isFolder(out) {
		inputs[0].out = out
		return
	}
	taken := map[string]bool{}
	for i := range inputs {
		p := sourceName(inputs[i].rel)
		if taken[p] {
			p = strings.TrimSuffix(inputs[i].rel, ".pyc")
		}
		for base, n := p, 2; taken[p]; n++ {
			p = fmt.Sprintf("%s_%d", base, n)
		}
		taken[p] = true
		inputs[i].out = filepath.Join(out, p+suffix)
	}
}

// sourceName is the path of the source that a .pyc file was made of, without ".py".
func sourceName(rel string) string {
	dir, name := filepath.Split(strings.TrimSuffix(rel, ".pyc"))
	if filepath.Base(dir) == "__pycache__" {
		if stem, _, ok := strings.Cut(name, ".cpython-"); ok {
			return filepath.Join(filepath.Dir(filepath.Clean(dir)), stem)
		}
	}
	return filepath.Join(dir, name)
}
