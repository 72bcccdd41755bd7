package explain

import (
	"slices"
	"strconv"
	"strings"
)

// What a log of text does not tell.

// wanted are the kinds of messages that answers need, with the switch that lets torch write them.
var wanted = []struct{ kind, lacks, by string }{
	{"starts", "who calls a function", "+dynamo"},
	{"recompiles", "why code was compiled again", "recompiles"},
	{"breaks", "graph breaks", "graph_breaks"},
	{"guards", "guards", "guards"},
	{"graphs", "Dynamo's graphs", "graph_code"},
	{"aot", "the graphs of AOTAutograd", "aot_graphs"},
	{"kernels", "kernels", "output_code"},
	{"code", "the code that Dynamo made", "bytecode"},
}

// lacks says what the log could have told and does not.
func (t *logText) lacks() string {
	var what, by []string
	for _, w := range wanted {
		if !t.told[w.kind] {
			what, by = append(what, w.lacks), append(by, w.by)
		}
	}
	s := "It is what TORCH_LOGS writes, which has no times by function; a log that TORCH_TRACE=FOLDER writes has them. "
	switch {
	case len(t.given) > 0 && !t.numbered:
		s += "It has no compile ids: those here are given in the order of the log. "
	case len(t.given) > 0:
		s += "It does not have all compile ids: " + InWords(slices.Compact(t.given)) + " are given here. "
	}
	if len(t.headCut) > 0 {
		s += "Of the guards of " + InWords(slices.Compact(t.headCut)) + " the first are not in it. "
	}
	if t.last.ID != "" && (t.last.Artifact == "guards" || strings.HasPrefix(t.last.Text, "TREE_GUARD_MANAGER:")) {
		s += "It ends with the guards of " + t.last.ID + ", of which there may be more. "
	}
	if len(what) > 0 {
		s += "It tells nothing of " + InWords(what) + ": either there was none, or TORCH_LOGS=\"" + strings.Join(by, ",") + "\" was not set. "
	}
	if t.told["code"] {
		s += "Its code is from listings, of which nothing is proven. "
	}
	return s
}

// silent is what the log has nothing of, for one question at a time.
func (t *logText) silent() map[string]string {
	out := map[string]string{"failures": "", "times": "a log that TORCH_TRACE=FOLDER writes"}
	for _, w := range wanted {
		if !t.told[w.kind] {
			out[w.kind] = w.by
		}
	}
	return out
}

// InWords is a list as one says it: "a, b and c".
func InWords(list []string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:len(list)-1], ", ") + " and " + list[len(list)-1]
}

// times takes in how long compiling took in all, of which torch writes a table at the end of a program. A function may have a
// time for each of its compilations.
func (t *logText) times(table string) {
	for _, m := range logTime.FindAllStringSubmatch(table, -1) {
		sum := 0.0
		for n := range strings.SplitSeq(m[2], ",") {
			x, _ := strconv.ParseFloat(strings.TrimSpace(n), 64)
			sum += x
		}
		if strings.HasPrefix(m[1], "_compile") {
			t.total = max(t.total, sum)
		} else {
			t.backend = sum
		}
	}
}
