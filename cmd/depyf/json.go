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
	Python   string       `json:"python"`
	Filename string       `json:"filename"`
	Verdict  string       `json:"verdict"`
	Detail   string       `json:"detail,omitempty"`
	Source   string       `json:"source"`
	Codes    []objectJSON `json:"code_objects"`
}

type objectJSON struct {
	QualName     string `json:"qualname"`
	OriginalLine int    `json:"original_line"`
	FirstLine    int    `json:"first_line"`
	LastLine     int    `json:"last_line"`
	Verdict      string `json:"verdict"`
	Detail       string `json:"detail,omitempty"`
}

func asJSON(path string, code *pyc.Code, r *decompile.Result) (string, error) {
	f := fileJSON{
		Path: path, Python: code.Version.String(), Filename: code.Filename,
		Verdict: string(r.Verdict), Detail: r.Detail, Source: r.Source, Codes: []objectJSON{},
	}
	for _, o := range r.Objects {
		f.Codes = append(f.Codes, objectJSON{o.QualName, o.Line, o.First, o.Last, string(o.Verdict), o.Detail})
	}
	data, err := json.Marshal(f)
	return string(data) + "\n", err
}
