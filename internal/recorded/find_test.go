package recorded

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// tree makes empty files below a folder; each is a minute younger than the one before.
func tree(t *testing.T, files ...string) string {
	t.Helper()
	top := t.TempDir()
	began := time.Now().Add(-time.Hour)
	for i, f := range files {
		path := filepath.Join(top, filepath.FromSlash(f))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		at := began.Add(time.Duration(i) * time.Minute)
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	return top
}

// show is what was found, in a line each.
func show(t *testing.T, top string) (string, bool) {
	t.Helper()
	list, all, err := Find(top)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, f := range list {
		rel, err := filepath.Rel(top, f.Path)
		if err != nil {
			t.Fatal(err)
		}
		kind := strings.Join(f.Processes, " ")
		if f.Trace {
			kind = "trace"
		}
		out = append(out, filepath.ToSlash(rel)+": "+kind)
	}
	return strings.Join(out, "\n"), all
}

func TestFind(t *testing.T) {
	top := tree(t,
		"old/events.jsonl",
		"traces/dedicated_log_torch_trace_rank_0_x.log",
		"traces/dedicated_log_torch_trace_rank_1_x.log.gz",
		"traces/other.log",
		"run/rank_1/events.jsonl", "run/rank_10/events.jsonl", "run/rank_2/events.jsonl",
		"venv/dump/events.jsonl", ".cache/events.jsonl", "x/node_modules/events.jsonl",
		"first/events.jsonl", "first/process_4711/events.jsonl",
		"both/events.jsonl", "both/dedicated_log_torch_trace_x.log",
	)
	got, all := show(t, top)
	want := "both: .\nfirst: . process_4711\nrun: rank_1 rank_2 rank_10\ntraces: trace\nold: ."
	if got != want || !all {
		t.Errorf("all is %v, got\n%s\nwant\n%s", all, got, want)
	}
	// The folder itself may be a dump, also one of a process.
	for _, name := range []string{"old", "run/rank_2"} {
		if got, _ := show(t, filepath.Join(top, filepath.FromSlash(name))); got != ".: ." {
			t.Errorf("%s: %s", name, got)
		}
	}
	if _, _, err := Find(filepath.Join(top, "nothing")); err == nil {
		t.Error("a folder that is not there is found")
	}
}

// What is too deep is not found, and that is said.
func TestFindSaysThatItStops(t *testing.T) {
	top := tree(t, strings.Repeat("a/", maxDepth+1)+"events.jsonl")
	if got, all := show(t, top); got != "" || all {
		t.Errorf("all is %v, got %s", all, got)
	}
	top = tree(t, strings.Repeat("a/", maxDepth)+"events.jsonl")
	if got, all := show(t, top); !strings.HasSuffix(got, "/a: .") || !all {
		t.Errorf("all is %v, got %s", all, got)
	}
}

// Files are all that reading opens, by whatever name a folder goes.
func TestFiles(t *testing.T) {
	top := tree(t, "odd [name]*/events.jsonl", "odd [name]*/.blobs/pack", "odd [name]*/index.md", "odd [name]*/rank_0/events.jsonl")
	dir := filepath.Join(top, "odd [name]*")
	got, err := Files(dir)
	want := []string{filepath.Join(dir, "events.jsonl"), filepath.Join(dir, ".blobs", "pack"), filepath.Join(dir, "rank_0", "events.jsonl")}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, got %q, want %q", err, got, want)
	}
}
