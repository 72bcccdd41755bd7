package mcpserver

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"time"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/ask"
	"github.com/thuml/depyf/internal/recorded"
	"github.com/thuml/depyf/internal/report"
)

// tools adds all tools. Those for questions are made from the same table as the commands.
func (s *Server) tools() {
	add(s, "list_sessions", "List sessions", "List what is recorded below a folder, the newest first: dumps of depyf, and logs that TORCH_TRACE has asked torch for. "+
		"Their paths are what the other tools take.", s.list)
	for _, q := range ask.Questions() {
		name := strings.ReplaceAll(q.Name, "-", "_")
		says := strings.ToUpper(q.About[:1]) + q.About[1:] + ", in a recorded torch.compile session."
		title := strings.ToUpper(q.Name[:1]) + strings.ReplaceAll(q.Name[1:], "-", " ")
		switch {
		case q.Subject == "":
			add(s, name, title, says, func(in about) (reply, error) { return s.question(q, in, "") })
		case q.Optional:
			add(s, name, title, says, func(in aboutVersion) (reply, error) { return s.question(q, in.about, in.Version) })
		default:
			add(s, name, title, says, func(in aboutPlace) (reply, error) { return s.question(q, in.about, in.Where) })
		}
	}
	add(s, "source", "Source", "Show the code that torch.compile made: what runs in place of a function (decompiled, with a verdict on how far it is proven), its graphs, its kernels. "+
		"Without a file or a function: which functions, versions and files there are.", s.source)
	add(s, "diff", "Diff", "Say what is different between two recorded sessions: failures, graph breaks, causes of recompilation and functions left uncompiled that are new or gone, counts, functions that take longer to compile, changed graphs, kernels and guards. "+
		"Lines are known by their text, so the program may have been edited in between.", s.diff)
	add(s, "check", "Check", "Say whether a recorded session keeps to limits, or to what an earlier one had, and which lines are behind what exceeds them.", s.check)
	add(s, "ranks", "Ranks", "Say what not all ranks of a distributed run have: failures, graph breaks, recompilations, graphs, functions that one rank compiles more slowly.", s.ranks)
}

// about says which session is meant, and how much to tell.
type about struct {
	Path    string `json:"path,omitempty" about:"a dump folder, or what torch logged: a file or folder of TORCH_TRACE, or text of TORCH_LOGS. Absolute, or below a folder of this server. Default: the newest session."`
	Process string `json:"process,omitempty" about:"of a run of several processes this one alone, such as rank_0"`
	Top     *int   `json:"top,omitempty" about:"how many items of each list to give; they are in the order of what they cost. Default 20, 0 for all."`
}

type aboutVersion struct {
	about
	Version string `json:"version,omitempty" about:"one version by its compile id, such as 0/1, or those of a function by its name. Default: all."`
}

type aboutPlace struct {
	about
	Where string `json:"where" about:"a line (model.py:12), an operation of a graph (addmm_1 or __compiled_fn_1:addmm_1) or a kernel"`
}

const usual = 20

func (a about) top() (int, error) {
	switch {
	case a.Top == nil:
		return usual, nil
	case *a.Top < 0:
		return 0, errors.New("top is the number of items to give, or 0 for all")
	}
	return *a.Top, nil
}

// question answers one of package ask's.
func (s *Server) question(q ask.Question, a about, subject string) (reply, error) {
	path, list, err := s.store.read(a.Path)
	if err == nil {
		list, err = process(list, a.Process)
	}
	if err != nil {
		return reply{}, err
	}
	all, missing, err := q.All(list, subject)
	if err != nil {
		return reply{}, err
	}
	notes := ""
	for _, x := range list {
		for _, what := range recorded.Unread(x.Model) {
			notes += "Note: " + what + ".\n"
		}
	}
	for _, what := range missing {
		notes += "Note: " + what + "\n"
	}
	ranks := q.Together(list)
	r, err := words(path, ask.TogetherWords(ranks, false, path), all, a, len(list) > 1)
	if ranks != nil && err == nil {
		r.data["ranks"] = ranks
	}
	r.text = notes + r.text
	return r, err
}

// words are answers for each process, behind what is said of all of them, cut to what is asked for.
func words(path, together string, all []ask.Answer, a about, several bool) (reply, error) {
	top, err := a.top()
	if err != nil {
		return reply{}, err
	}
	text := path + "\n\n" + together
	var processes []map[string]any
	for _, x := range all {
		text += x.Words(false, several, top, "ask with a larger `top`", path)
		object := x.Object()
		left := map[string]int{}
		for name, data := range object {
			if kept, n := cut(data, top); n > 0 {
				object[name], left[name] = kept, n
			}
		}
		if len(left) > 0 {
			object["left_out"] = left
		}
		processes = append(processes, object)
	}
	return reply{text, map[string]any{"form": answers.Form, "path": path, "processes": processes}}, nil
}

// cut takes the first top of a list, all for 0, and says how many are left out.
func cut(data any, top int) (any, int) {
	v := reflect.ValueOf(data)
	if top == 0 || v.Kind() != reflect.Slice || v.Len() <= top {
		return data, 0
	}
	return v.Slice(0, top).Interface(), v.Len() - top
}

type inFolder struct {
	Folder string `json:"folder,omitempty" about:"where to look; default: all folders of this server"`
	Top    *int   `json:"top,omitempty" about:"how many sessions to list, the newest first. Default 20, 0 for all."`
}

// found is a session in a list.
type found struct {
	Path      string         `json:"path"`
	Kind      string         `json:"kind"` // "dump" or "torch log"
	Changed   string         `json:"changed"`
	Processes []foundProcess `json:"processes,omitempty"`
}

type foundProcess struct {
	Process string `json:"process"`
	State   string `json:"state"`
	Summary string `json:"summary,omitempty"`
}

func (s *Server) list(in inFolder) (reply, error) {
	top, err := about{Top: in.Top}.top()
	if err != nil {
		return reply{}, err
	}
	where := s.store.roots
	if in.Folder != "" {
		real, err := s.store.roots.find(in.Folder)
		if err != nil {
			return reply{}, err
		}
		where = roots{{real, real}}
	}
	list, all, err := s.store.find(where)
	if err != nil {
		return reply{}, err
	}
	kept, left := cut(list, top)
	sessions := []found{}
	var b strings.Builder
	fmt.Fprintf(&b, "%d recorded in %s.\n\n", len(list), strings.Join(where.names(), ", "))
	for _, f := range kept.([]recorded.Found) {
		x := found{Path: f.Path, Kind: "dump", Changed: f.Changed.UTC().Format(time.RFC3339)}
		if f.Trace {
			x.Kind = "torch log"
		}
		fmt.Fprintf(&b, "* %s (%s, %s)\n", x.Path, x.Kind, x.Changed)
		for _, p := range f.Processes {
			dir := filepath.Join(f.Path, p)
			if _, err := s.store.roots.follow(filepath.Join(dir, "index.md")); err != nil && !errors.Is(err, os.ErrNotExist) {
				return reply{}, err
			}
			state, short := report.InShort(dir)
			x.Processes = append(x.Processes, foundProcess{p, state, short})
			fmt.Fprintf(&b, "    %s\n", strings.TrimSpace(p+" "+state+". "+short))
		}
		sessions = append(sessions, x)
	}
	if left > 0 {
		fmt.Fprintf(&b, "* and %d older: ask with a larger `top`\n", left)
	}
	if len(list) == 0 {
		b.WriteString("\"depyf run --out dump program.py\" records a program.\n")
	}
	if !all {
		b.WriteString("There is more below these folders than was searched: name a folder.\n")
	}
	return reply{b.String(), map[string]any{"form": answers.Form, "sessions": sessions, "left_out": left, "searched_all": all}}, nil
}

type two struct {
	Before  string `json:"before" about:"path of the earlier session, see list_sessions"`
	After   string `json:"after,omitempty" about:"path of the later session; default: the newest"`
	Process string `json:"process,omitempty" about:"of a run of several processes this one alone, such as rank_0"`
	Top     *int   `json:"top,omitempty" about:"how many differences to tell in words. Default 20, 0 for all."`
}

func (s *Server) diff(in two) (reply, error) {
	was, before, err := s.store.read(in.Before)
	if err != nil {
		return reply{}, err
	}
	path, after, err := s.store.read(in.After)
	if err == nil {
		after, err = process(after, in.Process)
	}
	if err != nil {
		return reply{}, err
	}
	if in.Process != "" { // a process that is asked for by its name is compared with the one of that name
		if before, err = process(before, in.Process); err != nil {
			return reply{}, fmt.Errorf("%s: %w", was, err)
		}
	}
	all := ask.Diff(before, after)
	r, err := words(path, "", all, about{Top: in.Top}, len(all) > 1)
	if err != nil {
		return reply{}, err
	}
	r.text = was + " → " + r.text
	r.data["before"] = was
	return r, nil
}

type limits struct {
	Path     string   `json:"path,omitempty" about:"the session; default: the newest"`
	Baseline string   `json:"baseline,omitempty" about:"path of a session of which no count may be exceeded"`
	Breaks   *float64 `json:"max_breaks,omitempty" about:"how many lines may break graphs; default: any number"`
	Again    *float64 `json:"max_recompiles,omitempty" about:"how many recompilations are allowed; default: any number"`
	Failures *float64 `json:"max_failures,omitempty" about:"how many compilations may raise; default 0"`
	Seconds  *float64 `json:"max_seconds,omitempty" about:"how long compiling may take; default: any time"`
}

func (s *Server) check(in limits) (reply, error) {
	path, now, err := s.store.read(in.Path)
	if err != nil {
		return reply{}, err
	}
	var before []recorded.Session
	if in.Baseline != "" {
		if _, before, err = s.store.read(in.Baseline); err != nil {
			return reply{}, err
		}
	}
	given := ask.Limits{"failures": 0}
	for name, v := range map[string]*float64{"breaks": in.Breaks, "recompilations": in.Again, "failures": in.Failures, "seconds": in.Seconds} {
		if v != nil && *v < 0 {
			return reply{}, fmt.Errorf("%s: a limit is not negative", name)
		}
		if v != nil {
			given[name] = *v
		}
	}
	all := ask.Check(now, before, given)
	text := path + "\n\n"
	for _, v := range all {
		text += v.Words(false)
	}
	return reply{text, map[string]any{"form": answers.Form, "path": path, "passed": ask.Passed(all), "verdicts": all}}, nil
}

type run struct {
	Path string `json:"path" about:"the folder that holds rank_0, rank_1, …, or the logs of the ranks"`
}

func (s *Server) ranks(in run) (reply, error) {
	path, err := s.store.roots.find(in.Path)
	if err != nil {
		return reply{}, err
	}
	if _, err := s.store.stamps(path); err != nil {
		return reply{}, err
	}
	ranks, err := ask.Ranks(path)
	if err != nil {
		return reply{}, err
	}
	return reply{report.RankDifferences(ranks).Text(), map[string]any{"form": answers.Form, "path": path, "ranks": ranks}}, nil
}
