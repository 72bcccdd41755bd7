package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/decompile"
	"github.com/thuml/depyf/internal/pass"
	"github.com/thuml/depyf/internal/pyc"
	"github.com/thuml/depyf/internal/pyworker"
	"github.com/thuml/depyf/internal/service"
)

// TestDynamo decompiles every recorded frame of torch.compile, six versions of
// it, and proves the source where a CPython of the frame's version is at hand.
func TestDynamo(t *testing.T) {
	files, err := filepath.Glob("../../testdata/dynamo/*/*.pkt")
	if err != nil || len(files) < 300 {
		t.Fatalf("%d recordings: %v", len(files), err)
	}
	folders := map[string][]string{}
	for _, f := range files {
		d := filepath.Base(filepath.Dir(f))
		folders[d] = append(folders[d], f)
	}
	for folder, files := range folders {
		t.Run(folder, func(t *testing.T) {
			t.Parallel()
			dynamoFolder(t, folder, files)
		})
	}
}

func dynamoFolder(t *testing.T, folder string, files []string) {
	var pool *pyworker.Pool
	var missing error // why the texts are made but not proven
	proven := 0
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		rec, err := service.ReadRecording(data)
		if err != nil {
			t.Errorf("%s: %v", f, err)
			continue
		}
		if pool == nil && missing == nil {
			if pool, missing = pyworker.NewPool(rec.New.Version, pyworker.Options{Workers: 1}); missing == nil {
				defer pool.Close()
			}
		}
		opt := decompile.Options{Dynamo: true, Watch: func(code *pyc.Code) *pass.Watch {
			return &pass.Watch{Broken: func(err error) { t.Errorf("%s, %s: %v", f, code.Name, err) }}
		}}
		if missing == nil {
			opt.Compile = pool.CompileFlags
		}
		r, err := decompile.Func(rec.New, opt)
		if err != nil {
			t.Errorf("%s: %v", f, err)
			continue
		}
		name := folder + "/" + strings.TrimSuffix(filepath.Base(f), ".pkt")
		if r.Verdict == decompile.Partial {
			t.Errorf("%s: %s %s", name, r.Verdict, r.Detail)
			continue
		}
		if missing != nil {
			continue
		}
		if !r.Verdict.Proven() {
			t.Errorf("%s: %s %s", name, r.Verdict, r.Detail)
		}
		if r.Verdict.Proven() {
			proven++
		}
		if len(r.Texts) > 0 {
			t.Errorf("%s: %s", name, r.Detail)
		}
		for _, bad := range []string{"BUILD_LIST", "extend(", "\x00"} {
			if strings.Contains(r.Source, bad) {
				t.Errorf("%s: %q is left in the source:\n%s", name, bad, r.Source)
			}
		}
	}
	if missing != nil {
		t.Skipf("NOT RUN: the texts are made, not proven: %v", missing)
	}
	t.Logf("%d of %d proven", proven, len(files))
}

// recordedFrame reads a recorded frame.
func recordedFrame(t *testing.T, path string) *service.Recording {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	rec, err := service.ReadRecording(data)
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

// TestToyReadsWell holds the entry frame of the documentation's example to what
// a person would write.
func TestToyReadsWell(t *testing.T) {
	for _, folder := range []string{"2.9.1-py3.11", "2.9.1-py3.13", "2.15.0-py3.13", "2.15.0-py3.14"} {
		rec := recordedFrame(t, "../../testdata/dynamo/"+folder+"/toy_0.pkt")
		r, err := decompile.Func(rec.New, decompile.Options{Dynamo: true})
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(r.Source), "\n")
		if len(lines) > 15 {
			t.Errorf("%s: %d lines:\n%s", folder, len(lines), r.Source)
		}
		if strings.Count(r.Source, "return __resume_at_") != 2 || !strings.Contains(r.Source, "__compiled_fn_1(a, b)") {
			t.Errorf("%s:\n%s", folder, r.Source)
		}
	}
}

// TestKeptAlive: torch has only weak references to the stream and the events of this frame, so its text keeps them in
// variables until it returns.
func TestKeptAlive(t *testing.T) {
	rec := recordedFrame(t, "../../testdata/dynamo/2.11.0-py3.12/events_0.pkt")
	r, err := decompile.Func(rec.New, decompile.Options{Dynamo: true})
	if err != nil {
		t.Fatal(err)
	}
	call := regexp.MustCompile(`(?s)\n    store_user_object_weakrefs\((.*?)\n    \)`).FindStringSubmatch(r.Source)
	if call == nil {
		t.Fatalf("nothing is kept:\n%s", r.Source)
	}
	names := strings.FieldsFunc(call[1], func(c rune) bool { return c == ',' || c == ' ' || c == '\n' })
	if len(names) != 3 {
		t.Errorf("kept are %q:\n%s", names, r.Source)
	}
	for _, n := range names {
		if !strings.Contains(r.Source, "\n    "+n+" = ") || strings.Contains(r.Source, "del "+n) {
			t.Errorf("%s is no variable that stays:\n%s", n, r.Source)
		}
	}
}

// A function inside of a frame whose text is not proven, or that has none, leaves the
// frame proven: the host runs the original's code in its place. The verdict says so.
func TestTextOfReplacedFunction(t *testing.T) {
	rec := recordedFrame(t, "../../testdata/dynamo/2.9.1-py3.13/pending_starred_0.pkt")
	const inner = "torch_dynamo_resume_in_build_at_170"
	for _, k := range rec.New.Consts {
		if c, ok := k.(*pyc.Code); ok && c.Name == inner {
			// An argument to which a list display adds, and not one of Dynamo's.
			c.LocalsPlusNames[slices.Index(c.LocalsPlusNames, "___stack0")] = "items"
		}
	}
	pool, err := pyworker.NewPool(rec.New.Version, pyworker.Options{Workers: 1})
	if err != nil {
		t.Skipf("NOT RUN: %v", err)
	}
	defer pool.Close()
	r, err := decompile.Func(rec.New, decompile.Options{Dynamo: true, Compile: pool.CompileFlags})
	if err != nil {
		t.Fatal(err)
	}
	if r.Verdict != decompile.Proved || len(r.Texts) != 1 || r.Texts[0].Name != inner || !strings.Contains(r.Detail, inner) {
		t.Errorf("%s: %s; texts %v", r.Verdict, r.Detail, r.Texts)
	}
	if !slices.ContainsFunc(r.Functions, func(f decompile.Replaced) bool { return f.At >= 0 }) {
		t.Errorf("no code object is put in its place: %v", r.Functions)
	}
	// The stub captures what the original captures, which the host needs.
	if !strings.Contains(r.Source, "nonlocal w\n") || !strings.Contains(r.Source, "raise NotImplementedError") {
		t.Error(r.Source)
	}
}
