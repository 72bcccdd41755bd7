package live

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/card"
	"github.com/thuml/depyf/internal/explain"
	"github.com/thuml/depyf/internal/report"
)

// Process is what is known of one process by now.
type Process struct {
	Name    string     `json:"name"`    // of its folder below the dump folder; "." for that itself
	Command string     `json:"command"` // how it was started
	State   string     `json:"state"`   // see the constants
	Last    float64    `json:"last"`    // time of its last event, in seconds since 1970
	Now     []Compiles `json:"now"`     // what it compiles at the moment
	HTML    string     `json:"html"`    // its card
	Trouble string     `json:"trouble"` // why its log cannot be read
	Gone    bool       `json:"gone"`    // the folder is there no more
}

// States of a process.
const (
	StateRunning = "running"
	StateEnded   = "ended"
	StateKilled  = "killed" // it left without a last word, and no process of its number is on this machine
)

// Compiles is a compilation in progress.
type Compiles struct {
	Function string  `json:"function"`
	Place    string  `json:"place"`
	ID       string  `json:"id"`
	Stage    string  `json:"stage"`
	Since    float64 `json:"since"`
}

// Watcher follows the event logs below a dump folder, which need not be there yet.
type Watcher struct {
	dir   string
	logs  map[string]*log
	order []string
}

type log struct {
	follower *explain.Follower
	seen     stamp
	shown    Process
}

// stamp is what a file looks like from outside. A change of it is worth a look inside.
type stamp struct {
	size int64
	time time.Time
}

// Watch follows the logs below a folder.
func Watch(dir string) *Watcher { return &Watcher{dir: dir, logs: map[string]*log{}} }

// Poll looks for what is new and returns the processes that are not as they were at the last look.
func (w *Watcher) Poll() []Process {
	names, err := report.Dumps(w.dir)
	if err != nil {
		names = nil // a pattern that is no pattern: there is nothing in the folder
	}
	var changed []Process
	here := map[string]bool{}
	for _, name := range names {
		here[name] = true
		l := w.logs[name]
		if l == nil {
			l = &log{follower: explain.Follow(filepath.Join(w.dir, name))}
			w.logs[name] = l
		}
		if l.look(w.dir, name) {
			changed = append(changed, l.shown)
		}
	}
	for _, name := range w.order {
		if !here[name] {
			delete(w.logs, name)
			changed = append(changed, Process{Name: name, Gone: true})
		}
	}
	w.order = names
	return changed
}

// All are all processes as they were at the last look.
func (w *Watcher) All() []Process {
	var out []Process
	for _, name := range w.order {
		out = append(out, w.logs[name].shown)
	}
	return out
}

// Page is report.html of a process, as far as it goes by now; ok is false if there is no such process.
func (w *Watcher) Page(name string) (text string, ok bool, err error) {
	l := w.logs[name]
	if l == nil {
		return "", false, nil
	}
	text, err = report.Page(answers.For(explain.Link(l.follower.Model())), filepath.Join(w.dir, name))
	return text, true, err
}

// look reads what is new and reports whether there is something else to show.
func (l *log) look(dir, name string) bool {
	now := stampOf(filepath.Join(dir, name, explain.LogName))
	state := l.state()
	if now == l.seen && state == l.shown.State {
		return false
	}
	l.seen = now
	read, err := l.follower.Read()
	state = l.state()
	if !read && err == nil && state == l.shown.State {
		return false
	}
	l.shown = show(l.follower, name, filepath.Join(dir, name))
	l.shown.State = state
	if err != nil {
		l.shown.Trouble = err.Error()
	}
	return true
}

func stampOf(path string) stamp {
	st, err := os.Stat(path)
	if err != nil {
		return stamp{}
	}
	return stamp{st.Size(), st.ModTime()}
}

// state says whether the process goes on. A process number says nothing of a program on another machine that writes
// to the same disk: then it is called running, or killed, and its events show what is true.
func (l *log) state() string {
	m := l.follower.Model()
	switch {
	case m.Ended:
		return StateEnded
	case m.Start.PID > 0 && gone(m.Start.PID):
		return StateKilled
	}
	return StateRunning
}

// show works out what is shown of a log. A log may hold what no model was made for: that costs its card, and
// nothing else.
func show(f *explain.Follower, name, dir string) (p Process) {
	m := f.Model()
	p = Process{Name: name, Command: report.Command(m), Last: f.Last(), Now: []Compiles{}}
	defer func() {
		if r := recover(); r != nil {
			p.Trouble = fmt.Sprintf("what the log says cannot be shown: %v", r)
		}
	}()
	program := explain.Link(m)
	facts := answers.For(program)
	for _, r := range answers.InProgress(program) {
		id, _ := explain.SplitCompileID(r.Compile.ID)
		p.Now = append(p.Now, Compiles{
			Function: r.Function, Place: program.Places.Place(r.Compile.File, r.Compile.Line), ID: id,
			Stage: cmp.Or(stageWords[r.Stage], "Dynamo reads it"), Since: f.Since(r.Compile),
		})
	}
	html, err := card.Sections(facts, card.Told{Dump: dir})
	if err != nil {
		p.Trouble = err.Error()
	}
	p.HTML = html
	return p
}

// stageWords say what happens to a compilation whose last graph was of a stage.
var stageWords = map[string]string{
	"Captured_Graph": "its graph goes to the backend",
	"Joint_graph":    "AOTAutograd works on its graph",
	"Forward_graph":  "the backend compiles its graph", "Backward_graph": "the backend compiles its graph",
	"BEFORE_POST_GRAD": "Inductor works on its graph", "AFTER_POST_GRAD": "Inductor makes kernels of it",
	explain.StageKernel: "its kernels are compiled",
}
