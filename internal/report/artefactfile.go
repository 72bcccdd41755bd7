package report

import (
	"fmt"
	"strings"

	"github.com/thuml/depyf/internal/explain"
	"github.com/thuml/depyf/internal/lazyregexp"
)

// stages says what each kind of file is, in the order in which they are made.
var stages = []struct{ name, about string }{
	{"Captured_Graph", "the operations that Dynamo recorded from your code"},
	{"BEFORE_PRE_GRAD", "the graph before Inductor's first passes"},
	{"AFTER_PRE_GRAD", "the graph after Inductor's first passes"},
	{"DDP_Split_Graph", "the graph as split for distributed data parallel"},
	{"DDP_Split_Child", "one part of the split graph"},
	{"BEFORE_JOINT", "the joint graph before Inductor's passes"},
	{"AFTER_JOINT", "the joint graph after Inductor's passes"},
	{"Joint_graph", "forward and backward as one graph of basic operations, before it is split"},
	{"Forward_graph", "the forward graph in basic (ATen) operations"},
	{"Backward_graph", "the backward graph in basic (ATen) operations"},
	{explain.StageAutograd, "a whole backward pass as compiled autograd recorded it; Dynamo compiles it like a function"},
	{"BEFORE_POST_GRAD", "the graph before Inductor's last passes"},
	{"AFTER_POST_GRAD", "the graph after Inductor's last passes, just before kernels are made of it"},
	{explain.StageKernel, "the code that Inductor made: kernels and the function that calls them"},
	{explain.StageExported, "the program that torch.export made"},
	{explain.StageRunnable, "a script by torch that repeats this compilation on its own"},
}

// stageRank is the place of a stage in the order of compiling.
func stageRank(stage string) int {
	for i, s := range stages {
		if s.name == stage {
			return i
		}
	}
	return len(stages)
}

func about(stage string) string {
	if i := stageRank(stage); i < len(stages) {
		return stages[i].about
	}
	return "the graph at the stage " + oneLine(stage)
}

// artefactFile is the text of a graph or kernel file: a header and the text as
// it came. Python may execute it, so that addresses, UUIDs and temporary paths
// are removed from comments only.
func (f *Folder) artefactFile(a *explain.Artefact, owner string) string {
	if head := artefactHead(a, owner); head != "" {
		text := f.artefactText(a)
		if f.facts != nil {
			text = withKernelNotes(f.facts, a, text)
		}
		return head + text
	}
	return a.Body()
}

// artefactHead says what a file is; "" where it is no Python.
func artefactHead(a *explain.Artefact, owner string) string {
	if a.Language != "" && !strings.EqualFold(a.Language, "python") {
		return ""
	}
	var b strings.Builder
	name := a.Graph
	if name == "" {
		name = "a graph that depyf could not join to a function"
	}
	fmt.Fprintf(&b, "# %s: %s.\n", name, about(a.Stage))
	if a.CompileID != "" {
		fmt.Fprintf(&b, "# compile id: %s", explain.CompileIDText(a.CompileID))
		if owner != "" {
			fmt.Fprintf(&b, ", from %s", oneLine(owner))
		}
		b.WriteString("\n")
	}
	if a.Runs {
		fmt.Fprintf(&b, "# A backend that runs this graph as it is%s runs it from this file.\n", asRunner(a.Stage))
	}
	if a.FromText {
		b.WriteString("# source: what TORCH_LOGS writes\n")
	} else if a.FromTrace {
		b.WriteString("# source: torch's structured log\n")
	}
	b.WriteString("\n")
	return b.String()
}

// asRunner names the backend of torch's that runs the graph of a stage as it is.
func asRunner(stage string) string {
	switch stage {
	case "Captured_Graph":
		return ", as eager does,"
	case "Forward_graph", "Backward_graph":
		return ", as aot_eager does,"
	}
	return ""
}

// artefactText is the text of an artefact as Python, whatever torch has printed.
func artefactText(a *explain.Artefact) string {
	text, bad := explain.CleanComments(a.Body())
	if !a.Runs && strings.Contains(text, "class <") {
		// torch prints the class of a graph by the name of what it was made
		// from, which may be a lambda.
		text = withClassNames(text)
	}
	if a.Stage == explain.StageRunnable {
		text = runnable(text)
		bad = explain.Balanced(text)
	}
	if bad != "" {
		// Not Python after all: torch prints some graphs as plain text.
		return comment("", text)
	}
	return strings.TrimLeft(text, "\n")
}

// withClassNames gives classes names. A graph may be a megabyte, and has one line of these.
func withClassNames(text string) string {
	var b strings.Builder
	for {
		at := strings.Index(text, "class <")
		if at < 0 {
			b.WriteString(text)
			return b.String()
		}
		start := strings.LastIndexByte(text[:at], '\n') + 1
		end := len(text)
		if n := strings.IndexByte(text[at:], '\n'); n >= 0 {
			end = at + n
		}
		b.WriteString(text[:start])
		b.WriteString(oddClass.ReplaceAllString(text[start:end], "${1}${2}_("))
		text = text[end:]
	}
}

var oddClass = lazyregexp.New(`^(\s*class )<(\w+)>\(`)
