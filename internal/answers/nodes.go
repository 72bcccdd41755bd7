package answers

import (
	"strings"

	"github.com/thuml/depyf/internal/explain"
)

// Node is one operation of a graph and the user's line that it comes from.
type Node struct {
	Name string `json:"name"`
	Row  int    `json:"row"` // in the text of the graph, counted from 1
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
}

// assigned parts "name = value" and "name: type = value"; the type may be a text in quotes. Regular
// expressions took a third of the time of writing the dump of a large model.
func assigned(line string) (name, value string, ok bool) {
	n := word(line)
	name, rest := line[:n], line[n:]
	if n == 0 {
		return "", "", false
	}
	if value, ok := strings.CutPrefix(rest, " = "); ok {
		return name, value, true
	}
	kind, ok := strings.CutPrefix(strings.TrimPrefix(rest, " "), ": ")
	if !ok {
		return "", "", false
	}
	if quoted, ok := strings.CutPrefix(kind, `"`); ok {
		if _, rest, ok := strings.Cut(quoted, `"`); ok {
			if value, ok := strings.CutPrefix(rest, " = "); ok {
				return name, value, true
			}
		}
	}
	i := strings.IndexByte(kind, '=')
	if i < 2 || kind[i-1] != ' ' || !strings.HasPrefix(kind[i:], "= ") {
		return "", "", false
	}
	return name, kind[i+2:], true
}

// word is how many bytes of a name a text begins with.
func word(s string) int {
	for i := range len(s) {
		if c := s[i]; c != '_' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return i
		}
	}
	return len(s)
}

// named reports whether a value is only something's name, or how a graph takes its arguments.
func named(value string) bool {
	if value == "next(args_iter)" || value == "iter(args_list)" {
		return true
	}
	if value == "" || value[0] == '.' || '0' <= value[0] && value[0] <= '9' {
		return false
	}
	for part := range strings.SplitSeq(value, ".") {
		if word(part) != len(part) {
			return false
		}
	}
	return true
}

// Nodes lists the operations in the text of a graph: what is called, but neither
// parameters nor attributes of the module that are merely named.
func Nodes(text string) []Node {
	text = strings.Trim(text, "\n")
	return nodesAt(text, explain.Places(text))
}

// nodesAt is Nodes where the places of the lines are known.
func nodesAt(text string, places []explain.Place) []Node {
	out := []Node{}
	for i, line := range strings.Split(text, "\n") {
		if !strings.HasPrefix(line, "    ") || strings.HasPrefix(strings.TrimSpace(line), "#") {
			continue
		}
		// "sin = x.sin();  x = None", and for what works in place "x += 1;  iadd = x;  x = None".
		parts := strings.Split(strings.TrimSpace(line), ";  ")
		name, value, ok := assigned(parts[0])
		switch {
		case ok && named(value):
			continue
		case !ok && strings.Contains(parts[0], "= ") && len(parts) > 1:
			name, _, ok = assigned(parts[1])
		}
		if ok {
			out = append(out, Node{name, i + 1, places[i].File, places[i].Line})
		}
	}
	return out
}
