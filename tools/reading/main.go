// Reading measures how well the text of Dynamo's code reads, over dump folders:
//
//	go run ./tools/reading [-again] [-out FOLDER] DUMP...
//
// It counts the lines of the __transformed_code files below each folder. With
// -again the bytecode in the event logs is decompiled anew, and proven with the
// CPython of each where one is found; -out keeps these texts.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/thuml/depyf/internal/decompile"
	"github.com/thuml/depyf/internal/explain"
	"github.com/thuml/depyf/internal/pyc"
	"github.com/thuml/depyf/internal/pyworker"
	"github.com/thuml/depyf/internal/score"
	"github.com/thuml/depyf/internal/service"
)

var (
	again = flag.Bool("again", false, "decompile the bytecode in the event logs anew")
	keep  = flag.String("out", "", "write the texts made anew below this folder")
	prove = flag.Bool("prove", true, "with -again, recompile and compare")
)

// total is what all folders have.
type total struct {
	score.Reading
	files, displays, proven, frames int
}

func main() {
	flag.Parse()
	var all total
	for _, root := range flag.Args() {
		if err := folder(root, &all); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	r := all.Reading
	fmt.Printf("%d files, %d lines; %d aliases, %d lines with a numbered name; %d poor lines (%.2f %%); %d bare displays in %d files\n",
		all.files, r.Lines, r.Aliases, r.Numbered, r.Poor, 100*float64(r.Poor)/float64(max(1, r.Lines)), r.Displays, all.displays)
	if *again && *prove {
		fmt.Printf("%d of %d frames proven\n", all.proven, all.frames)
	}
	for _, p := range pools {
		if p != nil {
			p.Close()
		}
	}
}

func (t *total) add(text string) {
	r := score.Read(text)
	t.files++
	t.Add(r)
	if r.Displays > 0 {
		t.displays++
	}
}

func folder(root string, all *total) error {
	return filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		switch name := filepath.Base(p); {
		case err != nil:
			return err
		case *again && name == explain.LogName:
			return logged(root, p, all)
		case *again && strings.HasSuffix(name, ".pkt"):
			return recorded(root, p, all)
		case !*again && strings.HasPrefix(name, "__transformed_code_") && strings.HasSuffix(name, ".py"):
			text, err := os.ReadFile(p)
			if err == nil {
				all.add(string(text))
			}
			return err
		}
		return nil
	})
}

// logged decompiles what one event log holds.
func logged(root, path string, all *total) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	dir, err := filepath.Rel(root, filepath.Dir(path))
	if err != nil {
		return err
	}
	lines := bufio.NewReader(f)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) == 0 || err != nil {
			return nil
		}
		var e struct {
			Type   string
			Fields struct {
				New     struct{ Bytes string }
				Callees map[string][]string
			}
			Result struct{ Def, File string }
		}
		if json.Unmarshal(line, &e) != nil || e.Type != "bytecode" {
			continue
		}
		data, err := explain.ReadBlob(filepath.Dir(path), e.Fields.New.Bytes)
		if err != nil {
			return err
		}
		code, err := load(data)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		opt := decompile.Options{Dynamo: true, Name: e.Result.Def, ArgNames: e.Fields.Callees}
		if err := all.frame(code, opt, filepath.Join(*keep, filepath.Base(root), dir, e.Result.File)); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
}

// recorded decompiles one frame of testdata/dynamo.
func recorded(root, path string, all *total) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	rec, err := service.ReadRecording(data)
	if err != nil {
		return err
	}
	rel, err := filepath.Rel(root, path)
	if err != nil {
		return err
	}
	return all.frame(rec.New, decompile.Options{Dynamo: true}, filepath.Join(*keep, filepath.Base(root), strings.TrimSuffix(rel, ".pkt")+".py"))
}

func (t *total) frame(code *pyc.Code, opt decompile.Options, to string) error {
	if *prove {
		opt.Compile = compiler(code.Version)
	}
	r, err := decompile.Func(code, opt)
	if err != nil {
		return err
	}
	t.frames++
	switch {
	case r.Verdict.Proven():
		t.proven++
	case opt.Compile != nil:
		fmt.Println(to, r.Verdict, r.Detail)
	}
	t.add(r.Source)
	if *keep == "" {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	return os.WriteFile(to, []byte(r.Source), 0o644)
}

// load reads code kept as a .pyc file or as a packet.
func load(data []byte) (*pyc.Code, error) {
	if len(data) > 0 && data[0] == 7 {
		return service.ReadCodePacket(data)
	}
	f, err := pyc.ReadBytes(data)
	if err != nil {
		return nil, err
	}
	return f.Code, nil
}

var pools = map[pyc.Version]*pyworker.Pool{}

// compiler returns the means to prove for one CPython, nil where there is none.
func compiler(v pyc.Version) func(source, filename string, inherited pyc.CodeFlags) (*pyc.Code, error) {
	p, known := pools[v]
	if !known {
		p, _ = pyworker.NewPool(v, pyworker.Options{Workers: 1})
		pools[v] = p
	}
	if p == nil {
		return nil
	}
	return p.CompileFlags
}
