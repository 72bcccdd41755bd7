package main

import (
	"path/filepath"
	"testing"

	"github.com/thuml/depyf/internal/decompile"
	"github.com/thuml/depyf/internal/score"
)

// TestDynamoReadsWell holds the text of all recorded frames to ceilings: how many
// lines only hand a value on, or name one by a number. The numbers may only fall, or grow with new recordings.
func TestDynamoReadsWell(t *testing.T) {
	const (
		aliases  = 266
		numbered = 24
		displays = 2
	)
	files, err := filepath.Glob("../../testdata/dynamo/*/*.pkt")
	if err != nil || len(files) < 300 {
		t.Fatalf("%d recordings: %v", len(files), err)
	}
	var all score.Reading
	for _, f := range files {
		rec := recordedFrame(t, f)
		r, err := decompile.Func(rec.New, decompile.Options{Dynamo: true})
		if err != nil {
			t.Fatal(err)
		}
		all.Add(score.Read(r.Source))
	}
	if all.Lines < 5000 {
		t.Fatalf("only %d lines", all.Lines)
	}
	t.Logf("%+v: poor %.2f %%", all, 100*float64(all.Poor)/float64(all.Lines))
	for _, c := range []struct {
		what       string
		n, ceiling int
	}{
		{"aliases", all.Aliases, aliases},
		{"lines with a numbered name", all.Numbered, numbered},
		{"displays for nobody", all.Displays, displays},
	} {
		if c.n > c.ceiling {
			t.Errorf("%d %s; the ceiling is %d", c.n, c.what, c.ceiling)
		}
	}
}
