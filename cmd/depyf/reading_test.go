package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/thuml/depyf/internal/decompile"
	"github.com/thuml/depyf/internal/score"
	"github.com/thuml/depyf/internal/service"
)

// TestDynamoReadsWell holds the text of all recorded frames to ceilings: how many
// lines only hand a value on, or name one by a number. The share may only fall.
func TestDynamoReadsWell(t *testing.T) {
	const (
		aliases  = 2.5 // per cent of the lines
		poor     = 2.7 // aliases, and lines with a numbered name
		displays = 2
	)
	files, err := filepath.Glob("../../testdata/dynamo/*/*.pkt")
	if err != nil || len(files) < 300 {
		t.Fatalf("%d recordings: %v", len(files), err)
	}
	var all score.Reading
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		rec, err := service.ReadRecording(data)
		if err != nil {
			t.Fatal(err)
		}
		r, err := decompile.Func(rec.New, decompile.Options{Dynamo: true})
		if err != nil {
			t.Fatal(err)
		}
		all.Add(score.Read(r.Source))
	}
	if all.Lines < 5000 {
		t.Fatalf("only %d lines", all.Lines)
	}
	share := func(n int) float64 { return 100 * float64(n) / float64(all.Lines) }
	t.Logf("%+v: aliases %.2f %%, poor %.2f %%", all, share(all.Aliases), share(all.Poor))
	if s := share(all.Aliases); s > aliases {
		t.Errorf("%.2f %% of the lines are aliases; the ceiling is %.2f %%", s, aliases)
	}
	if s := share(all.Poor); s > poor {
		t.Errorf("%.2f %% of the lines are aliases or have a numbered name; the ceiling is %.2f %%", s, poor)
	}
	if all.Displays > displays {
		t.Errorf("%d displays are made for nobody; the ceiling is %d", all.Displays, displays)
	}
}
