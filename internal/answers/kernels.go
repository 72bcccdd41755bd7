package answers

import (
	"maps"
	"slices"
	"strings"

	"github.com/thuml/depyf/internal/explain"
	"github.com/thuml/depyf/internal/lazyregexp"
)

// Kernel is one call of a kernel in the code that Inductor made.
type Kernel struct {
	File        string          `json:"file"` // of the code, in the dump folder
	Row         int             `json:"row"`  // of the call in the code as Inductor wrote it, counted from 1
	Defined     int             `json:"defined,omitempty"`
	Graph       string          `json:"graph"` // the compiled function
	Compilation string          `json:"compilation"`
	Resets      int             `json:"resets,omitempty"`
	Pass        string          `json:"pass"` // "forward", "backward" or "inference"; "" where the code does not say
	Name        string          `json:"name"`
	Kind        string          `json:"kind"`             // "cpp", "triton", …: what Inductor wrote it in; "extern" for a library's
	Nodes       []string        `json:"nodes"`            // the operations that it computes, in order, of the graph behind Inductor's passes
	Copies      bool            `json:"copies,omitempty"` // it computes none: Nodes are the inputs that it copies into another layout
	Again       []string        `json:"again"`            // those of them that a kernel before has computed, too
	With        []string        `json:"with"`             // other kernels of the module that compute the same ones: each a part of them
	Sources     []string        `json:"sources"`          // the operations of Dynamo's graph that these were
	Aten        []string        `json:"aten"`             // what ATen calls them
	Places      []explain.Place `json:"places"`           // the user's lines that they come from
	Told        Told            `json:"told"`

	ends   int    // the last line of its definition
	behind string // the file of the graph whose operations Nodes are
}

// Told says how it is known what a kernel computes.
type Told string

// Ways of knowing what a kernel computes.
const (
	ToldByInductor Told = "inductor" // the program was watched while Inductor wrote the kernel
	ToldByComment  Told = "comment"  // the code says so
	ToldByNobody   Told = ""         // the code comes from Inductor's cache, and has no comment
)

// Kernels lists the calls of kernels, in the order of the code.
func Kernels(p *explain.Program) []Kernel {
	out := []Kernel{}
	kept := map[string]string{}
	before := map[string]map[string]bool{} // what the kernels of a compiled function have computed
	for _, a := range p.Files {
		if a.Stage != explain.StageKernel {
			continue
		}
		if before[a.Graph] == nil || a.Graph == "" {
			before[a.Graph] = map[string]bool{}
		}
		list := kernelsIn(p, a, before[a.Graph])
		for i := range list {
			list[i].clone(p, kept)
		}
		out = append(out, list...)
	}
	return out
}

// clone makes a kernel's texts ones of its own: a part of the code holds on to all of it. Files get the paths that they have in this session.
func (k *Kernel) clone(p *explain.Program, kept map[string]string) {
	one := func(s string) string {
		if _, ok := kept[s]; !ok {
			s = strings.Clone(s)
			kept[s] = s
		}
		return kept[s]
	}
	k.Name, k.Kind, k.Pass = one(k.Name), one(k.Kind), one(k.Pass)
	for _, list := range [][]string{k.Nodes, k.Again, k.With, k.Sources, k.Aten} {
		for i := range list {
			list[i] = one(list[i])
		}
	}
	places := []explain.Place{}
	for _, at := range k.Places {
		places = with(places, explain.Place{File: one(p.Places.Full(at.File)), Line: at.Line})
	}
	k.Places = places
}

var (
	kernelDefined = lazyregexp.New(`^(\w+) = async_compile\.(\w+)\(`)
	kernelCall    = lazyregexp.New(`^\s+(?:\w+ = )?((?:extern_kernels|torch\.ops|aten|inductor_ops|_quantized)\.[\w.]+|\w+)\(`)
	kernelRun     = lazyregexp.New(`^\s+(?:\w+ = )?(\w+)\.run\(`) // of a Triton kernel
	kernelComment = lazyregexp.New(`^\s*(?:#|//) (?:Topologically Sorted |Unsorted )?Source Nodes: \[(.*)\], Original ATen: \[(.*)\]`)
	kernelPass    = lazyregexp.New(`(?m)^# AOT ID: \['\w*?(forward|backward|inference)'\]`)
	codeEnds      = lazyregexp.New(`^(?:def (?:benchmark_compiled_module|get_args)\b|if __name__)`)
)

// usersKernel begins the comment above a kernel that the user wrote: define_user_defined_triton_kernel in
// torch/_inductor/codegen/wrapper.py.
const usersKernel = "# Original path: "

// noKernels are calls in Inductor's code that only provide memory.
var noKernels = map[string]bool{"inductor_ops": true, "torch.ops.inductor._reinterpret_tensor": true, "torch.ops.inductor._alloc_from_pool": true}

// kernelsIn reads the code of one module.
// before holds what has been computed when it is called: a backward pass may
// compute once more what the forward pass has not kept.
func kernelsIn(p *explain.Program, a *explain.Artefact, before map[string]bool) []Kernel {
	var out []Kernel
	kinds, rows, ends := map[string]string{}, map[string]int{}, map[string]int{}
	parts := map[string][]explain.KernelPart{}
	for _, part := range a.Parts {
		name := part.Kernel
		if len(part.Nodes) == 1 && strings.HasPrefix(part.Nodes[0], "triton_kernel_wrapper") {
			name = usersKernel // Inductor does not tell its name there
		}
		parts[name] = append(parts[name], part)
	}
	pass, body := "", a.Body()
	if m := kernelPass.FindStringSubmatch(body); m != nil {
		pass = m[1]
	}
	graphs := graphsBehind(p, a)
	computed, alike := map[string]bool{}, map[string]bool{}
	var comment []string
	above := fragments{}
	inText, defining := false, "" // within the text of a kernel, and of which
	own := map[string]bool{}      // kernels that the user wrote
	users := false                // the line above says that the user wrote what is defined next
	for i, line := range strings.Split(strings.TrimLeft(body, "\n"), "\n") {
		marks := strings.Count(line, "'''")
		if m := submatch(kernelDefined, "async_compile.", line); m != nil && !inText {
			defining = m[1]
			kinds[defining], rows[defining], ends[defining] = strings.TrimSuffix(m[2], "_pybinding"), i+1, i+1
			above.defined(defining)
			own[defining] = users
		} else if inText && marks > 0 {
			ends[defining] = i + 1
		}
		if inText = inText != (marks%2 == 1); inText || marks > 0 {
			continue
		}
		if (strings.HasPrefix(line, "def ") || strings.HasPrefix(line, "if ")) && codeEnds.MatchString(line) {
			break
		}
		if users = strings.HasPrefix(line, usersKernel); strings.HasPrefix(line, "#") {
			above.read(line)
			continue
		}
		if m := submatch(kernelComment, "Source Nodes: [", line); m != nil {
			comment = m
			continue
		}
		if line == "" || line[0] != ' ' && line[0] != '\t' {
			continue // a call stands in a function
		}
		m := submatch(kernelRun, ".run(", line)
		if m == nil {
			m = submatch(kernelCall, "(", line)
		}
		if m == nil {
			continue
		}
		name := m[1]
		kind := kinds[name]
		if kind == "" && strings.Contains(name, ".") && !noKernels[name] {
			kind = "extern"
		}
		if kind == "" {
			continue
		}
		k := Kernel{
			File: a.File, Row: i + 1, Defined: rows[name], ends: ends[name], Graph: a.Graph, Pass: pass, Name: name, Kind: kind, behind: graphs.file,
			Nodes: []string{}, Again: []string{}, Sources: []string{}, Aten: []string{}, Places: []explain.Place{},
		}
		k.Compilation, k.Resets = explain.SplitCompileID(a.CompileID)
		told := name
		if own[name] {
			told = usersKernel
		}
		if list := parts[told]; len(list) > 0 {
			parts[told] = list[1:]
			k.Told = ToldByInductor
			k.Nodes = graphs.inOrder(list[0].Nodes)
			k.Copies = len(k.Nodes) > 0 && !slices.ContainsFunc(k.Nodes, graphs.has)
			for _, n := range k.Nodes {
				if s := a.Sources[n]; len(s) == 2 {
					k.Sources, k.Aten = with(k.Sources, s[0]), with(k.Aten, s[1])
				}
			}
		} else if comment != nil {
			k.Told = ToldByComment
			k.Sources, k.Aten = listed(comment[1]), listed(comment[2])
			k.Nodes = above.nodes(name, comment)
		}
		comment = nil
		key := strings.Join(k.Nodes, " ")
		for _, n := range k.Nodes {
			if computed[n] && !alike[key] || before[n] && graphs.joint[n] {
				k.Again = append(k.Again, n)
			}
			computed[n] = true
		}
		alike[key] = true
		k.Places = graphs.at(k, a.Sources)
		out = append(out, k)
	}
	maps.Copy(before, computed)
	together(out)
	return out
}

// together notes which kernels of a module are told to compute the very same operations: each computes a part of them,
// and nothing tells which. A reduction takes two kernels; arguments of a kernel that the user wrote are copied for it.
func together(list []Kernel) {
	names := map[string][]string{}
	for _, k := range list {
		key := strings.Join(k.Nodes, " ")
		names[key] = with(names[key], k.Name)
	}
	for i := range list {
		k := &list[i]
		k.With = []string{}
		for _, name := range names[strings.Join(k.Nodes, " ")] {
			if name != k.Name && len(k.Nodes) > 0 && !k.Copies {
				k.With = append(k.With, name)
			}
		}
	}
}

// submatch is what re finds in a line; only one that has the word can match. Most lines of a module have none.
func submatch(re *lazyregexp.Regexp, word, line string) []string {
	if !strings.Contains(line, word) {
		return nil
	}
	return re.FindStringSubmatch(line)
}

func listed(text string) []string {
	out := []string{}
	for part := range strings.SplitSeq(text, ", ") {
		out = with(out, part)
	}
	return out
}

// behind are the graphs that a module was made of, by what they say of their operations.
type behind struct {
	file     string                     // of the graph behind Inductor's passes
	order    map[string]int             // in the graph behind Inductor's passes
	places   []map[string]explain.Place // of operations by name, the best graph first
	dynamo   map[string]explain.Place   // the same of Dynamo's graph
	operands map[string][]string        // of operations without a line: those whose values they take
	users    map[string][]string        // of inputs: the operations that take them
	joint    map[string]bool            // operations of the joint graph: both passes call these by one name
}

// graphsBehind finds them. One compilation has a graph for the forward pass and one for the backward
// pass: that which has the operations is the one.
func graphsBehind(p *explain.Program, a *explain.Artefact) behind {
	b := behind{order: map[string]int{}, dynamo: map[string]explain.Place{}, joint: map[string]bool{}}
	var best []Node
	bestText := ""
	most := -1
	wanted := map[string]bool{}
	for _, part := range a.Parts {
		for _, n := range part.Nodes {
			wanted[n] = true
		}
	}
	var others [][]Node
	nth, seen := 0, 0 // without parts, the n-th module is of the n-th graph
	for _, k := range p.Files {
		if k == a {
			break
		}
		if k.Stage == explain.StageKernel && k.Graph == a.Graph {
			nth++
		}
	}
	for _, g := range p.Files {
		if g.Graph != a.Graph || g.Graph == "" {
			continue
		}
		switch g.Stage {
		case "Captured_Graph":
			for _, n := range Nodes(g.Body()) {
				b.dynamo[n.Name] = explain.Place{File: n.File, Line: n.Line}
			}
		case "AFTER_POST_GRAD":
			nodes := Nodes(g.Body())
			has := 0
			for _, n := range nodes {
				if wanted[n.Name] {
					has++
				}
			}
			if len(wanted) == 0 && seen == nth {
				has = 1
			}
			seen++
			if has > most {
				best, bestText, most = nodes, g.Body(), has
				b.file = g.File
			}
		case "Forward_graph", "Backward_graph", "Joint_graph":
			nodes := Nodes(g.Body())
			others = append(others, nodes)
			for _, n := range nodes {
				if g.Stage == "Joint_graph" {
					b.joint[n.Name] = true
				}
			}
		}
	}
	for i, n := range best {
		b.order[n.Name] = i
	}
	b.operands, b.users = operands(bestText, best)
	for _, nodes := range append([][]Node{best}, others...) {
		at := map[string]explain.Place{}
		for _, n := range nodes {
			at[n.Name] = explain.Place{File: n.File, Line: n.Line}
		}
		b.places = append(b.places, at)
	}
	return b
}

// has reports whether a name is that of an operation, rather than of an input.
func (b behind) has(name string) bool {
	_, ok := b.order[name]
	return ok || len(b.order) == 0
}

func (b behind) inOrder(names []string) []string {
	out := append([]string{}, names...)
	slices.SortStableFunc(out, func(x, y string) int { return b.order[x] - b.order[y] })
	return out
}

// place is the line of an operation, in whichever graph it has one.
func (b behind) place(name string, sources map[string][]string) explain.Place {
	for _, places := range b.places {
		if at := places[name]; at.File != "" {
			return at
		}
	}
	if s := sources[name]; len(s) == 2 {
		return b.dynamo[s[0]]
	}
	return explain.Place{}
}

// operands lists what operations take that have no line of their own: passes of Inductor's put one operation in the
// place of several, up to torch 2.8 without a word of where these came from. users lists what takes an input.
func operands(text string, nodes []Node) (operands, users map[string][]string) {
	known := map[string]bool{}
	for _, n := range nodes {
		known[n.Name] = true
	}
	operands, users = map[string][]string{}, map[string][]string{}
	lines := strings.Split(strings.Trim(text, "\n"), "\n")
	for _, n := range nodes {
		call, _, _ := strings.Cut(lines[n.Row-1], ";  ")
		_, call, _ = strings.Cut(call, " = ")
		for _, word := range words.FindAllString(call, -1) {
			switch {
			case word == n.Name:
			case !known[word]:
				users[word] = append(users[word], n.Name)
			case n.File == "":
				operands[n.Name] = append(operands[n.Name], word)
			}
		}
	}
	return operands, users
}

var words = lazyregexp.New(`[\w.]+`)

// at lists the lines of what a kernel computes.
func (b behind) at(k Kernel, sources map[string][]string) []explain.Place {
	out := []explain.Place{}
	add := func(at explain.Place) {
		if at.File != "" && !slices.Contains(out, at) {
			out = append(out, at)
		}
	}
	for _, n := range k.Nodes {
		if at := b.place(n, sources); at.File != "" {
			add(at)
			continue
		}
		for _, other := range slices.Concat(b.operands[n], b.users[n]) {
			add(b.place(other, sources))
		}
	}
	if k.Told == ToldByComment {
		for _, s := range k.Sources {
			at := b.dynamo[s]
			if at.File == "" {
				at = b.places[0][s] // of a backward pass, comments name its own operations
			}
			add(at)
		}
	}
	return out
}
