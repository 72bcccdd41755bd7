package explain_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/explain"
)

// message is a message of torch's log: what stands before each of its lines, and the lines.
type message struct {
	prefix, id, tag string
	lines           []string
}

var (
	wholePrefix = regexp.MustCompile(`^[A-Z]\d{4} \S+ \d+ \S+:\d+\] (?:(\[[!\d/_]+\]) )?(?:(\[__\w+\]) )?`)
	datedPrefix = regexp.MustCompile(`^\[\S+ \S+\] (?:(\[[!\d/_]+\]) )?torch[\w.]*?(\.__\w+)?: \[[A-Z]+\] ?`)
	begins      = regexp.MustCompile(`^(?:TRACED GRAPH|TREE_GUARD_MANAGER:|Guard eval latency|(?:Python|C\+\+) shape guard function|(?:ORIGINAL|MODIFIED) BYTECODE|Step \d|Output code)`)
)

// loggedVersions are the versions of torch of whose text there is a recording.
var loggedVersions = []string{"22", "26", "29", "212", "215"}

// messagesOf parts a log into its messages.
func messagesOf(text string) (list []message) {
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		g := wholePrefix.FindStringSubmatch(line)
		if g == nil {
			if g = datedPrefix.FindStringSubmatch(line); g == nil {
				continue
			}
			if g[2] != "" {
				g[2] = "[" + g[2][1:] + "]"
			}
		}
		rest := line[len(g[0]):]
		guard := g[2] == "[__guards]" && line[0] == '[' // of torch 2.2, which writes a message for each
		if n := len(list) - 1; n >= 0 && list[n].prefix == g[0] && !guard && !begins.MatchString(rest) {
			list[n].lines = append(list[n].lines, rest)
			continue
		}
		list = append(list, message{g[0], g[1], g[2], []string{rest}})
	}
	return list
}

// The ways in which loggers, servers and people pass a log on keep what it says.
func TestTextAsItIsPassedOn(t *testing.T) {
	tags := func(m message) string { return strings.TrimLeft(strings.TrimRight(m.id+" "+m.tag, " ")+" ", " ") }
	first := func(before func(message) string) func(message) string {
		return func(m message) string { return before(m) + strings.Join(m.lines, "\n") + "\n" }
	}
	each := func(before func(message) string) func(message) string {
		return func(m message) string {
			return before(m) + strings.Join(m.lines, "\n"+before(m)) + "\n"
		}
	}
	dated := func(m message) string {
		if m.prefix[0] == '[' {
			return m.prefix
		}
		level := map[byte]string{'V': "DEBUG", 'I': "INFO", 'W': "WARNING", 'E': "ERROR"}[m.prefix[0]]
		return "[2024-02-06 10:32:24,334] " + strings.TrimLeft(m.id+" ", " ") + m.logger() + ": [" + level + "] "
	}
	behind := func(s string) func(message) string { return func(m message) string { return s + m.prefix } }
	for name, pass := range map[string]func(message) string{
		"a prefix for each line":         each(behind("")),
		"a prefix for each message":      first(behind("")),
		"torch 2.2":                      each(dated),
		"torch 2.1":                      first(dated),
		"tags for each line":             each(tags),
		"tags for each message":          first(tags),
		"of a container":                 each(behind("worker-1  | ")),
		"of a cluster":                   each(behind("2026-11-23T01:35:29.123456789Z stderr F ")),
		"of torchrun":                    each(behind("[default0]:")),
		"of a job":                       each(behind("0: ")),
		"of a system's journal":          each(behind("Nov 23 01:35:29 host python[26699]: ")),
		"in a list of Markdown":          each(behind("    ")),
		"a quotation":                    each(behind("> ")),
		"a quotation of a quotation":     each(behind("> > ")),
		"a prefix for each, of a server": first(behind("2026-11-23T01:35:29.1234567Z ")),
	} {
		keepsWhatIsSaid(t, name, pass, said)
	}
}

// keepsWhatIsSaid asks whether a log that is passed on in some way says what it said.
func keepsWhatIsSaid(t *testing.T, name string, pass func(message) string, said func(*testing.T, *explain.Model) string) {
	for _, version := range loggedVersions {
		text := unpacked(t, "torch"+version+".log.gz")
		want := said(t, readLog(t, text)[0])
		var b strings.Builder
		for _, m := range messagesOf(text) {
			b.WriteString(pass(m))
		}
		models := readLog(t, b.String())
		if got := said(t, models[0]); got != want || len(models) != 1 {
			t.Errorf("%s, torch %s: %d processes: %s", name, version, len(models), difference(got, want))
		}
	}
}

// logger is the name of a message's logger.
func (m message) logger() string {
	if m.prefix[0] == '[' {
		return regexp.MustCompile(`torch[\w.]*`).FindString(m.prefix)
	}
	module := regexp.MustCompile(`torch/\S*\.py`).FindString(m.prefix)
	name := strings.ReplaceAll(strings.TrimSuffix(module, ".py"), "/", ".")
	if m.tag != "" {
		name += "." + strings.Trim(m.tag, "[]")
	}
	return name
}

// Without compile ids nobody knows which version a message is of. What varies, which line breaks the graph and what
// the graphs do does not depend on them.
func TestTextWithoutCompileIDs(t *testing.T) {
	for name, pass := range map[string]func(message) string{
		"no prefixes":            func(m message) string { return strings.Join(m.lines, "\n") + "\n" },
		"in a list":              func(m message) string { return "   " + strings.Join(m.lines, "\n   ") + "\n" },
		"a quotation":            func(m message) string { return "> " + strings.Join(m.lines, "\n> ") + "\n" },
		"Python's own formatter": func(m message) string { return "DEBUG:" + m.logger() + ":" + strings.Join(m.lines, "\n") + "\n" },
	} {
		keepsWhatIsSaid(t, name, pass, saidOfTheProgram)
	}
}

// saidOfTheProgram is what a log tells without saying of which version.
func saidOfTheProgram(t *testing.T, m *explain.Model) string {
	s := answers.Of(explain.Link(m))
	var list []string
	for _, c := range s.Causes {
		if c.Kind == answers.KindValue { // the value that it has now may be known from a guard of a version
			c.Values = c.Values[:1]
		}
		list = append(list, fmt.Sprintf("cause %s %v %d", c.Title, c.Values, c.Recompilations))
	}
	for _, b := range s.BreakLines {
		list = append(list, fmt.Sprintf("break %s:%d %s %v %v", b.File, b.Line, b.Cause, b.Causes, b.Remedies))
	}
	for _, g := range s.Graphs {
		if g.Stage != "Joint_graph" {
			ops := fmt.Sprint("graph ", g.Stage)
			for _, n := range g.Nodes {
				ops += fmt.Sprint(" ", n.Name)
			}
			list = append(list, ops)
		}
	}
	slices.Sort(list)
	return strings.Join(list, "\n")
}

// A part of a log, of a few switches or cut off at both ends, says nothing that the whole contradicts.
func TestTextOfAPart(t *testing.T) {
	tags := []string{"", "[__bytecode]", "[__graph_breaks]", "[__graph_code]", "[__aot_graphs]", "[__guards]", "[__recompiles]"}
	for _, version := range loggedVersions {
		text := unpacked(t, "torch"+version+".log.gz")
		whole := answers.Of(explain.Link(readLog(t, text)[0]))
		messages := messagesOf(text)
		try := func(name, text string) {
			path := filepath.Join(t.TempDir(), "torch.log")
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			models, err := explain.ReadLog(path)
			if errors.Is(err, explain.ErrNoEntries) {
				return
			}
			if err != nil {
				t.Errorf("torch %s, %s: %v", version, name, err)
				return
			}
			for _, lie := range contradictions(answers.Of(explain.Link(models[0])), whole, models[0].Start.Lacks) {
				t.Errorf("torch %s, %s: %s", version, name, lie)
			}
		}
		for set := 1; set < 1<<len(tags); set++ {
			var b strings.Builder
			for _, m := range messages {
				if set>>slices.Index(tags, m.tag)&1 == 1 {
					b.WriteString(m.prefix + strings.Join(m.lines, "\n"+m.prefix) + "\n")
				}
			}
			try(fmt.Sprintf("switches %b", set), b.String())
		}
		lines := strings.SplitAfter(text, "\n")
		for n := 7; n < len(lines); n += 13 {
			try(fmt.Sprintf("without the first %d lines", n), strings.Join(lines[n:], ""))
			try(fmt.Sprintf("the first %d lines", n), strings.Join(lines[:n], ""))
		}
	}
}

// contradictions are the statements of a part that the whole does not have.
func contradictions(part, whole *answers.Session, lacks string) (lies []string) {
	lie := func(format string, a ...any) { lies = append(lies, fmt.Sprintf(format, a...)) }
	versions := map[string]answers.Compilation{}
	for _, c := range whole.Compilations {
		versions[c.ID] = c
	}
	guardsCut := func(id string) bool {
		return strings.Contains(lacks, "It ends with the guards of "+id+", ") || strings.Contains(lacks, "Of the guards of "+id+" the first are not in it")
	}
	for _, c := range part.Compilations {
		w, ok := versions[c.ID]
		switch {
		case !ok:
			lie("there is no %s", c.ID)
			continue
		case c.Line > 0 && (c.Function != w.Function || c.File != w.File || c.Line != w.Line):
			lie("%s is of %s:%d %s", c.ID, c.File, c.Line, c.Function)
		case len(c.Recompiled) > 0 && !slices.Equal(c.Recompiled, w.Recompiled) && c.Recompiled[0] != explain.CutReason:
			lie("%s was made for %q", c.ID, c.Recompiled)
		case c.Guards != nil && len(c.Guards) != len(w.Guards) && !guardsCut(c.ID):
			lie("%s has %d guards", c.ID, len(c.Guards))
		case c.Failure != nil && w.Failure == nil:
			lie("%s failed: %+v", c.ID, *c.Failure)
		}
		for _, s := range c.Symbols {
			if !slices.ContainsFunc(w.Symbols, func(o answers.Symbol) bool { return o.Name == s.Name }) {
				lie("%s has %s", c.ID, s.Name)
			}
		}
	}
	for _, c := range part.Causes {
		i := slices.IndexFunc(whole.Causes, func(w answers.Cause) bool {
			return w.Kind == c.Kind && !slices.ContainsFunc(c.Subjects, func(s string) bool { return !slices.Contains(w.Subjects, s) })
		})
		if i < 0 {
			if c.Title != "the log is cut off before torch says why" {
				lie("cause %s", c.Title)
			}
			continue
		}
		for _, id := range c.IDs {
			if !slices.Contains(whole.Causes[i].IDs, id) {
				lie("cause %s of %s", c.Title, id)
			}
		}
		for _, v := range c.Values {
			if !slices.Contains(whole.Causes[i].Values, v) {
				lie("cause %s with the value %s", c.Title, v)
			}
		}
	}
	for _, b := range part.BreakLines {
		i := slices.IndexFunc(whole.BreakLines, func(w answers.BreakLine) bool { return w.File == b.File && w.Line == b.Line })
		if i < 0 {
			lie("break at %s:%d", b.File, b.Line)
			continue
		}
		for _, id := range b.IDs {
			if !slices.Contains(whole.BreakLines[i].IDs, id) {
				lie("break in %s", id)
			}
		}
	}
	nodes := map[string]int{}
	for _, g := range whole.Graphs {
		nodes[g.Compilation+" "+g.Stage] = len(g.Nodes)
	}
	for _, g := range part.Graphs { // one that is cut off says so in its file
		if most := nodes[g.Compilation+" "+g.Stage]; len(g.Nodes) > most {
			lie("%s of %s has %d nodes, not %d", g.Stage, g.Compilation, len(g.Nodes), most)
		}
	}
	return lies
}
