package live

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/explain"
)

const sessions = "../../testdata/sessions"

// recording is a recorded session: its log, which a test writes as a program would, and its blobs.
type recording struct {
	dir string
	log []byte
}

func record(t *testing.T, name, dir string) recording {
	t.Helper()
	from := filepath.Join(sessions, name)
	if err := os.CopyFS(filepath.Join(dir, explain.BlobsDir), os.DirFS(filepath.Join(from, explain.BlobsDir))); err != nil {
		t.Fatal(err)
	}
	log, err := os.ReadFile(filepath.Join(from, explain.LogName))
	if err != nil {
		t.Fatal(err)
	}
	return recording{dir, log}
}

// write appends the next bytes of the log.
func (r *recording) write(t *testing.T, n int) {
	t.Helper()
	n = min(n, len(r.log))
	f, err := os.OpenFile(filepath.Join(r.dir, explain.LogName), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Write(r.log[:n]); err != nil {
		t.Fatal(err)
	}
	r.log = r.log[n:]
}

// until is how many bytes of what is left go up to the line that holds the text, that line included.
func (r *recording) until(t *testing.T, text string) int {
	t.Helper()
	at := strings.Index(string(r.log), text)
	if at < 0 {
		t.Fatalf("there is no %q to come", text)
	}
	return at + strings.IndexByte(string(r.log[at:]), '\n') + 1
}

// Each recorded session, followed a piece at a time, comes to what its whole log says.
func TestFollowedAsReplayed(t *testing.T) {
	list, err := os.ReadDir(sessions)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range list {
		t.Run(d.Name(), func(t *testing.T) {
			dir := t.TempDir()
			w := Watch(dir)
			if changed := w.Poll(); len(changed) > 0 {
				t.Errorf("an empty folder: %+v", changed)
			}
			r := record(t, d.Name(), dir)
			for n := 1; len(r.log) > 0; n = n*2 + 37 {
				r.write(t, n)
				for _, p := range w.Poll() {
					if p.Trouble != "" {
						t.Errorf("with %d bytes to come: %s", len(r.log), p.Trouble)
					}
				}
			}
			m, err := explain.Replay(filepath.Join(sessions, d.Name()))
			if err != nil {
				t.Fatal(err)
			}
			got, _ := json.Marshal(answers.Of(explain.Link(w.logs["."].follower.Model())))
			want, _ := json.Marshal(answers.Of(explain.Link(m)))
			if string(got) != string(want) {
				t.Errorf("got  %.2000s\nwant %.2000s", got, want)
			}
			if all := w.All(); len(all) != 1 || all[0].State != StateEnded || len(all[0].Now) > 0 {
				t.Errorf("at the end: %+v", all)
			}
			if changed := w.Poll(); len(changed) > 0 {
				t.Errorf("nothing has changed, and is told: %+v", changed)
			}
		})
	}
}

// What is compiled at the moment is told, and is not what was left alone.
func TestInProgress(t *testing.T) {
	dir := t.TempDir()
	w := Watch(dir)
	r := record(t, "torch215_toy_inductor", dir)
	r.log = []byte(strings.Replace(string(r.log), `"pid": 1`, `"pid": `+ownPID(), 1))
	r.write(t, r.until(t, "dynamo_start"))
	p := w.Poll()[0]
	if p.State != StateRunning || len(p.Now) != 1 || p.Now[0].Function != "toy_example" || p.Now[0].Place != "toy_example.py:4" || p.Now[0].ID != "0/0" ||
		p.Now[0].Stage != "Dynamo reads it" || p.Now[0].Since < 1.7e9 || !strings.Contains(p.HTML, "Nothing has been compiled yet.") || strings.Contains(p.HTML, "<li>") {
		t.Errorf("at first: %+v", p)
	}
	r.write(t, r.until(t, "Captured_Graph"))
	if p := w.Poll()[0]; len(p.Now) != 1 || p.Now[0].Stage != "its graph goes to the backend" {
		t.Errorf("with a graph: %+v", p)
	}
	r.write(t, r.until(t, `"type": "session_end"`))
	if p := w.Poll()[0]; p.State != StateEnded || len(p.Now) != 0 || !strings.Contains(p.HTML, "toy_example.py:7") {
		t.Errorf("at the end: %+v", p)
	}
	if text, ok, err := w.Page("."); err != nil || !ok || !strings.Contains(text, `<span class="verdict">`) {
		t.Errorf("the page: %v, %v", ok, err)
	}
	if _, ok, _ := w.Page("rank_7"); ok {
		t.Error("a page of a process that is not there")
	}
}

func ownPID() string {
	data, _ := json.Marshal(os.Getpid())
	return string(data)
}

// A program that is gone without a last word is not running.
func TestKilled(t *testing.T) {
	other := exec.Command("sleep", "600")
	if err := other.Start(); err != nil {
		t.Skipf("there is no sleep: %v", err)
	}
	dir := t.TempDir()
	w := Watch(dir)
	r := record(t, "torch215_toy_eager", dir)
	pid, _ := json.Marshal(other.Process.Pid)
	r.log = []byte(strings.Replace(string(r.log), `"pid": 1`, `"pid": `+string(pid), 1))
	r.write(t, len(r.log)*2/3)
	if p := w.Poll()[0]; p.State != StateRunning {
		t.Errorf("while it lives: %s", p.State)
	}
	_ = other.Process.Kill()
	_ = other.Wait()
	if p := w.Poll(); len(p) != 1 || p[0].State != StateKilled || p[0].Trouble != "" || !strings.Contains(p[0].HTML, "toy_example") {
		t.Errorf("afterwards: %+v", p)
	}
}

// Several processes, one that comes later, one whose folder goes, and one whose log is junk.
func TestProcesses(t *testing.T) {
	dir := t.TempDir()
	w := Watch(dir)
	first, second := record(t, "torch215_toy_eager", filepath.Join(dir, "rank_0")), record(t, "torch215_limit_eager", filepath.Join(dir, "rank_1"))
	first.write(t, len(first.log))
	if p := w.Poll(); len(p) != 1 || p[0].Name != "rank_0" {
		t.Errorf("one: %+v", p)
	}
	second.write(t, len(second.log)/2)
	junk := recording{filepath.Join(dir, "process_7"), []byte("\x00\xff{]\n{\"type\":\"trace\"}\n{\"type\":\"bytecode\",\"fields\":{\"old\":3,\"new\":[]}}\n" + strings.Repeat("x", 1<<20))}
	if err := os.Mkdir(junk.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	junk.write(t, len(junk.log))
	if p := w.Poll(); len(p) != 2 || p[0].Name != "rank_1" || p[1].Name != "process_7" {
		t.Errorf("two more: %+v", p)
	}
	if err := os.RemoveAll(first.dir); err != nil {
		t.Fatal(err)
	}
	if p := w.Poll(); len(p) != 1 || !p[0].Gone || p[0].Name != "rank_0" {
		t.Errorf("one less: %+v", p)
	}
	if all := w.All(); len(all) != 2 {
		t.Errorf("all: %+v", all)
	}
}
