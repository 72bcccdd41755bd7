package explain

import (
	"fmt"
	"strings"

	"github.com/thuml/depyf/internal/lazyregexp"
)

// TORCH_LOGS=graph writes a graph as a table of its nodes, until torch 2.2 (lazy_format_graph_tabular in torch/_dynamo/utils.py):
//
//	opcode         name    target                   args       kwargs
//	-------------  ------  -----------------------  ---------  --------
//	placeholder    l_x_    L_x_                     ()         {}
//	call_function  add     <built-in function add>  (l_x_, 1)  {}
//	output         output  output                   ((add,),)  {}

var (
	tableRule   = lazyregexp.New(`^-{6,}(?: +-{4,}){4}\s*$`)
	tableTarget = lazyregexp.New(`^<(?:built-in function|function|built-in method) ([\w.]+)(?: of type object)?(?: at 0x[0-9a-f]+)?>$`)
)

// isTable reports whether a text has such a table.
func isTable(text string) bool {
	for line := range strings.Lines(text) {
		if tableRule.MatchString(line) {
			return true
		}
	}
	return false
}

// graphOfTable is the code of the graph that a table shows, as torch itself would write it but for what the table lacks: types and places.
func graphOfTable(text string) string {
	var widths []int
	var parameters, body []string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if tableRule.MatchString(line) {
			for rule := range strings.FieldsSeq(line) {
				widths = append(widths, len(rule))
			}
			continue
		}
		if len(widths) == 0 || strings.TrimSpace(line) == "" {
			continue
		}
		c := cells(line, widths)
		op, name, target, args, kwargs := c[0], c[1], c[2], inParentheses(c[3]), c[4]
		if kwargs != "{}" && kwargs != "" {
			args = strings.TrimPrefix(args+", **"+kwargs, ", ")
		}
		switch op {
		case "placeholder":
			parameters = append(parameters, target)
			if name != target {
				body = append(body, name+" = "+target)
			}
		case "get_attr":
			body = append(body, name+" = self."+target)
		case "call_function":
			if m := tableTarget.FindStringSubmatch(target); m != nil {
				target = m[1]
			}
			body = append(body, fmt.Sprintf("%s = %s(%s)", name, target, args))
		case "call_method":
			self, rest, _ := strings.Cut(args, ", ")
			body = append(body, fmt.Sprintf("%s = %s.%s(%s)", name, self, target, rest))
		case "call_module":
			body = append(body, fmt.Sprintf("%s = self.%s(%s)", name, target, args))
		case "output":
			body = append(body, "return "+args)
		}
	}
	return "class GraphModule(torch.nn.Module):\n    def forward(" + strings.Join(append([]string{"self"}, parameters...), ", ") + "):\n        " + strings.Join(body, "\n        ") + "\n"
}

// cells parts a row by the widths of its columns, between which there are two spaces. The last has what is left.
func cells(line string, widths []int) []string {
	var out []string
	for i, w := range widths {
		w = min(w, len(line))
		if i == len(widths)-1 {
			w = len(line)
		}
		out = append(out, strings.TrimSpace(line[:w]))
		line = line[min(w+2, len(line)):]
	}
	return out
}

// inParentheses is what a tuple has between its parentheses.
func inParentheses(tuple string) string {
	inner := strings.TrimSuffix(strings.TrimPrefix(tuple, "("), ")")
	return strings.TrimSuffix(inner, ",")
}
