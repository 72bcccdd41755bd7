package answers

import (
	"regexp"
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

var (
	assigned = regexp.MustCompile(`^(\w+)(?: ?: (?:"[^"]*"|[^=]+?))? = (.*)$`)
	noCall   = regexp.MustCompile(`^(?:[A-Za-z_][\w.]*|next\(args_iter\)|iter\(args_list\))$`)
)

// Nodes lists the operations in the text of a graph: what is called, but neither
// parameters nor attributes of the module that are merely named.
func Nodes(text string) []Node {
	out := []Node{}
	text = strings.Trim(text, "\n")
	places := explain.Places(text)
	for i, line := range strings.Split(text, "\n") {
		if !strings.HasPrefix(line, "    ") || strings.HasPrefix(strings.TrimSpace(line), "#") {
			continue
		}
		// "sin = x.sin();  x = None", and for what works in place "x += 1;  iadd = x;  x = None".
		parts := strings.Split(strings.TrimSpace(line), ";  ")
		m := assigned.FindStringSubmatch(parts[0])
		switch {
		case m != nil && noCall.MatchString(m[2]):
			continue
		case m == nil && strings.Contains(parts[0], "= ") && len(parts) > 1:
			m = assigned.FindStringSubmatch(parts[1])
		}
		if m != nil {
			out = append(out, Node{m[1], i + 1, places[i].File, places[i].Line})
		}
	}
	return out
}
