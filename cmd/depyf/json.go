package main

import (
	"encoding/json"

	"github.com/thuml/depyf/internal/decompile"
	"github.com/thuml/depyf/internal/pyc"
)

// fileJSON is what "depyf decompile --format json" writes for one file, on one
// line. Lines count from 1; first_line and last_line are lines of source, 0 for
// code objects without a statement of their own (lambdas, comprehensions).
type fileJSON struct {
	Path     string       `json:"path"`
	Error    string       `json:"error,omitempty"` // why the file could not be read; then nothing else is given
	Python   string       `json:"python,omitempty"`
	Filename string       `json:"filename,omitempty"`
	Verdict  string       `json:"verdict,omitempty"`
	Detail   string       `json:"detail,omitempty"`
	FirstTry int          `json:"exact_first_try"`    // code objects proven as they were decided at first
	Repaired int          `json:"exact_after_repair"` // and with those that the search found the decisions for
	Source   string       `json:"source"`
	Codes    []objectJSON `json:"code_objects"`
}

type objectJSON struct {
	QualName     string     `json:"qualname"`
	OriginalLine int        `json:"original_line"`
	FirstLine    int        `json:"first_line"`
	LastLine     int        `json:"last_line"`
	Verdict      string     `json:"verdict"`
	Detail       string     `json:"detail,omitempty"`
	Differs      *placeJSON `json:"differs_at,omitempty"`
}

// placeJSON is the first pair of instructions that differ: byte offsets into the
// bytecode and line numbers, -1 for none.
type placeJSON struct {
	OriginalOffset   int `json:"original_offset"`
	OriginalLine     int `json:"original_line"`
	RecompiledOffset int `json:"recompiled_offset"`
	SourceLine       int `json:"source_line"`
}

func asJSON(path string, code *pyc.Code, r *decompile.Result) (string, error) {
	f := fileJSON{
		Path: path, Python: code.Version.String(), Filename: code.Filename,
		Verdict: string(r.Verdict), Detail: r.Detail, Source: r.Source, Codes: []objectJSON{},
	}
	for _, o := range r.Objects {
		j := objectJSON{
			QualName: o.QualName, OriginalLine: o.Line, FirstLine: o.First, LastLine: o.Last,
			Verdict: string(o.Verdict), Detail: o.Detail,
		}
		if p := o.Differs; p != nil {
			j.Differs = &placeJSON{p.Offset, p.Line, p.AgainOffset, p.AgainLine}
		}
		if o.Verdict.Proven() {
			f.Repaired++
			if !o.Searched {
				f.FirstTry++
			}
		}
		f.Codes = append(f.Codes, j)
	}
	data, err := json.Marshal(f)
	return string(data) + "\n", err
}

// moduleJSON decompiles code and writes its line.
func moduleJSON(path string, code *pyc.Code, compile func(source, filename string, inherited pyc.CodeFlags) (*pyc.Code, error)) (string, error) {
	r, err := decompile.Module(code, decompile.Options{Compile: compile})
	if err != nil {
		return "", err
	}
	return asJSON(path, code, r)
}

// errorJSON is the line of a file that could not be read.
func errorJSON(path string, err error) string {
	data, _ := json.Marshal(struct {
		Path  string `json:"path"`
		Error string `json:"error"`
	}{path, err.Error()})
	return string(data) + "\n"
}
