package explain

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/thuml/depyf/internal/lazyregexp"
)

// GuardKind says how much a guard tells about the user's program.
type GuardKind uint8

const (
	// GuardUser is a condition on the user's values.
	GuardUser GuardKind = iota
	// GuardWorld says that a function, module or class that the code uses is
	// still the same object. It fails when somebody patches it.
	GuardWorld
	// GuardNoise is about the state of the framework and hardly ever fails.
	GuardNoise
	// GuardState is about that state, too, and tells versions of one function apart: grad mode, autocast.
	GuardState
)

// OfCalls reports whether a guard tells for which calls a version is.
func (k GuardKind) OfCalls() bool { return k == GuardUser || k == GuardState }

// Guard is one condition, made readable.
type Guard struct {
	Kind   GuardKind
	Conds  []string // Python expressions, all must hold; nil if the text is none
	Text   string   // torch's words, without addresses and origin
	Source string   // what is guarded, "L['a']"
	At     Frame    // the line of the user that caused it; torch may have told the end of the path only
	Note   string   // what torch adds in words
	Fails  int      // how often a check of this value failed
	Reason string   // how torch words the failure that led to a recompilation

	state globalState // of the check of torch's state
}

var (
	dynamoMark  = lazyregexp.New(`'_dynamo_\w*'\)`)
	checkTensor = lazyregexp.New(`^check_tensor\((.+), (\w+(?:\.\w+)*), DispatchKeySet\(([^)]*)\), (torch\.\w+), device=(None|\d+), requires_grad=(True|False), size=\[([^\]]*)\], stride=\[([^\]]*)\]\)$`)
	noAliasing  = lazyregexp.New(`^check_no_aliasing\(([^,]+), ([^,]+)\)$`)
	sizeOf      = lazyregexp.New(`\.size\(\)\[(\d+)\]`)
	bigNumber   = lazyregexp.New(`\b\d{13,}\b`)
	guardSource = lazyregexp.New(`[LG]\['[^']*'\](?:\.\w+|\['[^']*'\]|\[\d+\])*`)
	guardOrigin = lazyregexp.New(`^#\s*(?:(.*\S)\s+#\s+)?([^#]*?):(\d+) in (\S+)(?:\s+(\(.*\)))?\s*$`)
)

// noiseWords are in guards of the framework's own state.
var noiseWords = []string{
	"___check_global_state", "___check_torch_function_mode_stack", "CURRENT_DEVICE", "___guarded_code",
	"___skip_backend_check", "___current_backend", "___compile_config_hash", "___needs_nopython", "top_saved_tensors_hooks", "___is_grad_enabled",
	"___are_deterministic", "deterministic_algorithms", "___functorch", "__builtins_dict__", "__import_torch", "dual_level", "___is_torch_function",
}

// isNoise reports whether a guard is about the framework. There are thousands of guards:
// plain words are found many times faster than by a regular expression.
func isNoise(expr string) bool {
	for _, w := range noiseWords {
		if strings.Contains(expr, w) {
			return true
		}
	}
	return strings.Contains(expr, "'_dynamo_") && dynamoMark.MatchString(expr)
}

// frameworkFiles begin the paths that torch prints for its own files.
var frameworkFiles = []string{"_dynamo/", "_functorch/", "_inductor/", "_subclasses/", "torch/", "_higher_order_ops/", "fx/", "nn/", "utils/", "_ops.py"}

// Guards makes the guards of one cache entry readable. Equal ones, which the
// tree of guards has many of, are listed once.
func Guards(parts []GuardPart, ids Identities) []*Guard {
	return newGuardReader(ids).all(parts)
}

func newGuardReader(ids Identities) *guardReader {
	return &guardReader{ids: ids, origins: map[string]Guard{}, forms: map[string]Guard{}, sources: map[string]string{}, bare: map[string]*Guard{}}
}

func (r *guardReader) all(parts []GuardPart) []*Guard {
	out := make([]*Guard, 0, len(parts))
	at := make(map[string]int, len(parts))
	for _, p := range parts {
		g := r.read(p)
		if g.Fails > 0 && !countsForItself(p, parts) {
			g.Fails = 0 // it is no shared one
		}
		if g.Text == "" {
			continue
		}
		if i, ok := at[g.Text]; ok {
			if old := out[i]; g.Fails > old.Fails || old.At.File == "" && g.At.File != "" {
				both := *old
				both.Fails = max(old.Fails, g.Fails)
				if old.At.File == "" {
					both.At = g.At
				}
				out[i] = &both
			}
			continue
		}
		at[g.Text] = len(out)
		out = append(out, g)
	}
	return out
}

// countsForItself reports whether the fail count that comes with a guard is its own. torch counts in the
// tree of values: for all guards of a value together, and what fails below counts above, too.
func countsForItself(p GuardPart, parts []GuardPart) bool {
	if p.FailCount == 0 || p.Source == "" || p.Source == "L" || p.Source == "G" {
		return false
	}
	guards := 0
	for _, q := range parts {
		rest, below := strings.CutPrefix(q.Source, p.Source)
		if below && rest != "" && (rest[0] == '.' || rest[0] == '[') {
			return false
		}
		if below && rest == "" {
			guards++
		}
	}
	return guards == 1
}

var localName = lazyregexp.New(`\bL\['(\w+)'\]`)

// Blame finds the guard that a reason for recompiling speaks of, and notes it
// there. Without its compile id a reason reads "tensor 'a' size mismatch at index 0.
// expected 10, actual 12", "GLOBAL_STATE changed: grad_mode" or repeats the guard, in
// torch 2.15 with n for L['n'].
func Blame(guards []*Guard, reason string) {
	expr, _ := splitComment(reason)
	expr = sizeOf.ReplaceAllString(expr, ".shape[$1]")
	for i, g := range guards {
		hit := g.Text != "" && (expr == g.Text || strings.Contains(expr, g.Text))
		hit = hit || expr != "" && expr == localName.ReplaceAllString(g.Text, "$1")
		hit = hit || strings.HasPrefix(expr, "GLOBAL_STATE") && strings.HasPrefix(g.Text, "___check_global_state")
		if named := strings.HasPrefix(expr, "tensor '"); named && g.Source != "" && checkTensor.MatchString(g.Text) {
			v := localName.ReplaceAllString(g.Source, "$1")
			hit = hit || strings.HasPrefix(expr, "tensor '"+v+"' ") || strings.HasPrefix(expr, "tensor '"+g.Source+"' ")
		}
		if hit {
			blamed := *g // other versions may have the same one
			blamed.Reason = expr
			guards[i] = &blamed
			return
		}
	}
}

// guardReader makes guards readable. Those of a large model are a few texts, said of
// each of its modules and tensors, and share a few lines of the user's: each is read once. So is one that several
// versions have, as they have most of them.
type guardReader struct {
	ids     Identities
	origins map[string]Guard  // by comment
	forms   map[string]Guard  // by text, with a stand-in for what is checked
	sources map[string]string // what is checked, and the stand-in for it; "" for one that has none
	bare    map[string]*Guard // by text, of those of which the text is all that is told: one for all versions, never changed
}

func (r *guardReader) read(p GuardPart) *Guard {
	if p.Source != "" || len(p.Stack) > 0 || p.FailCount > 0 {
		return r.readAnew(p)
	}
	g, known := r.bare[p.Text]
	if !known {
		g = r.readAnew(p)
		r.bare[p.Text] = g
	}
	return g
}

func (r *guardReader) readAnew(p GuardPart) *Guard {
	expr, comment := splitComment(p.Text)
	var g Guard
	if in := r.standIn(p.Source); in != "" && strings.Contains(expr, p.Source) {
		text := strings.ReplaceAll(expr, p.Source, in)
		form, known := r.forms[text]
		if !known {
			form = r.worded(text, in)
			r.forms[text] = form
		}
		g = form.of(in, p.Source)
	} else {
		g = r.worded(expr, p.Source)
	}
	g.Fails = p.FailCount
	if len(p.Stack) > 0 {
		g.origin(comment, p.Stack)
		return &g
	}
	from, known := r.origins[comment]
	if !known {
		from.origin(comment, nil)
		r.origins[comment] = from
	}
	g.At, g.Note = from.At, from.Note
	return &g
}

// standIn is what stands for a source in the text of a guard that is read for many
// sources: L['%'] for L['self'].layers[3]. A source that is itself worded
// otherwise than torch words it has none.
func (r *guardReader) standIn(source string) string {
	if in, known := r.sources[source]; known {
		return in
	}
	in := ""
	if isPath(source) && !isNoise(source) && wording(r.ids, source) == source {
		in = source[:2] + "'%']"
	}
	r.sources[source] = in
	return in
}

// isPath reports whether a source is a local or a global variable, or a part of one by
// attributes, numbers and texts: most are. The others are few, and are read one by one.
func isPath(source string) bool {
	if !strings.HasPrefix(source, "L['") && !strings.HasPrefix(source, "G['") {
		return false
	}
	for at := 1; at < len(source); {
		rest := source[at+1:]
		end := 0
		switch {
		case source[at] == '.':
			for end < len(rest) && (isIdent(rest[end]) || isDigit(rest[end])) {
				end++
			}
			if end == 0 || pyKeywords[rest[:end]] || isDigit(rest[0]) {
				return false
			}
			at += 1 + end
			continue
		case source[at] != '[' || rest == "":
			return false
		case rest[0] == '\'':
			if end = strings.IndexAny(rest[1:], "'\\\n") + 1; end == 0 || rest[end] != '\'' {
				return false
			}
			end++
		default:
			for end < len(rest) && isDigit(rest[end]) {
				end++
			}
			if end == 0 || end > 1 && rest[0] == '0' {
				return false
			}
		}
		if end >= len(rest) || rest[end] != ']' {
			return false
		}
		at += 1 + end + 1
	}
	return true
}

// of is a guard that has been read with a stand-in, of the source itself.
func (g Guard) of(in, source string) Guard {
	g.Source = source
	g.Text = strings.ReplaceAll(g.Text, in, source)
	conds := g.Conds
	g.Conds = nil
	for _, c := range conds {
		g.Conds = append(g.Conds, strings.ReplaceAll(c, in, source))
	}
	return g
}

// worded is a guard as it follows from its text alone.
func (r *guardReader) worded(expr, source string) Guard {
	g := Guard{Text: expr, Source: source, Kind: GuardUser}
	if strings.HasPrefix(expr, checkState+" against ") {
		g.Text, g.state = checkState, readGlobalState(expr)
	}
	if g.Source == "" || g.Source == "L" || g.Source == "G" {
		if m := guardSource.FindString(expr); m != "" {
			g.Source = m
		}
	}
	if isNoise(expr) {
		g.Kind = GuardNoise
	}
	if c, n := identityCheck(g.Text); n == len(g.Text) && n > 0 {
		if g.Kind == GuardUser && !strings.HasPrefix(c.what, "L[") {
			g.Kind = GuardWorld
		}
		g.Text = r.ids.words(c)
	} else {
		g.Text = wording(r.ids, g.Text)
	}
	if m := submatch(checkTensor, "check_tensor(", g.Text); m != nil {
		g.Conds = tensorConds(m)
	} else if m := submatch(noAliasing, "check_no_aliasing(", g.Text); m != nil {
		g.Conds = []string{m[1] + " is not " + m[2]}
	} else {
		g.Conds = []string{g.Text}
	}
	for _, c := range g.Conds {
		if !IsExpression(c) {
			g.Conds = nil
			break
		}
	}
	return g
}

// wording is a condition without addresses, and with sizes as a program asks for them.
func wording(ids Identities, text string) string {
	text = ids.Readable(text)
	if strings.HasPrefix(text, "___") || strings.HasPrefix(text, "(___") || strings.Contains(text, "id(") {
		text = bigNumber.ReplaceAllString(text, "...")
	}
	text = CleanText(text)
	if strings.Contains(text, ".size()[") {
		text = sizeOf.ReplaceAllString(text, ".shape[$1]")
	}
	return text
}

// submatch is what re finds in a text; only one that begins with prefix can match.
func submatch(re *lazyregexp.Regexp, prefix, text string) []string {
	if !strings.HasPrefix(text, prefix) {
		return nil
	}
	return re.FindStringSubmatch(text)
}

// hint begins what torch appends to a condition in words, behind its comment or, where it has none, without one.
const hint = "(HINT: "

// splitComment separates the condition from the comment and the hint that torch appends.
func splitComment(text string) (expr, comment string) {
	if !strings.Contains(text, "#") && !strings.Contains(text, hint) {
		return oneLine(text), ""
	}
	at := len(text)
	if i := strings.IndexByte(text, '#'); i > 0 && plainQuotes(text[:i]) && !strings.Contains(text[:i], hint) {
		return oneLine(text[:i]), oneLine(text[i:])
	}
	s := scan{src: text}
	s.each(func(t token) {
		if t.kind == tokComment || t.kind == tokOp && strings.HasPrefix(text[t.start:], hint) {
			at = min(at, t.start)
		}
	})
	return oneLine(text[:at]), oneLine(text[at:])
}

// plainQuotes reports whether it can be seen without scanning that no string is open at
// the end of s, a part of a line.
func plainQuotes(s string) bool {
	return !strings.ContainsAny(s, "\"\\\n") && strings.Count(s, "'")%2 == 0
}

func oneLine(s string) string {
	s = strings.TrimSpace(s)
	if strings.ContainsAny(s, "\n\r") {
		s = strings.Join(strings.Fields(s), " ")
	}
	return s
}

// origin reads "# code  # path:line in function (words)". torch names the innermost line, which may be its own;
// the stack, where there is one, has the user's.
func (g *Guard) origin(comment string, stack []string) {
	var at Frame
	if own, ok := strings.CutPrefix(comment, "# ("); ok { // torch alone asks for it
		comment = "# " + strings.TrimSuffix(own, ")")
	}
	if m := submatch(guardOrigin, "#", comment); m != nil {
		g.Note = CleanText(strings.Trim(m[5], "()"))
		at = Frame{File: m[2], Name: m[4], Code: strings.TrimSpace(strings.TrimPrefix(m[1], "# "))}
		at.Line, _ = strconv.Atoi(m[3])
	} else if c := strings.TrimLeft(comment, "# "); c != "" {
		g.Note = CleanText(strings.Trim(c, "()"))
	}
	user, ok := UsersLine(stackIn(strings.Join(stack, "\n")))
	same := ok && user.Line == at.Line && strings.HasSuffix(slashes(user.File), slashes(at.File))
	switch {
	case at.File != "" && (same || !frameworkFile(at.File) && !LibraryFile(at.File)):
		g.At = at
	case ok && (at.File == "" || !LibraryFile(user.File)):
		g.At = user
	}
}

// ReadReason parts a reason for recompiling, as torch words it, into the check that
// failed, the line of the user that the check is from, and what torch adds in words.
func ReadReason(reason string) (check string, at Frame, note string) {
	first, rest, _ := strings.Cut(strings.TrimSpace(reason), "\n") // a stack may follow
	check, comment := splitComment(first)
	var g Guard
	g.origin(comment, []string{rest})
	// What torch advises on parameters and modules stands behind the sizes (torch/_dynamo/guards.py).
	if head, advice, ok := strings.Cut(check, ". Guard failed on "); ok {
		check, g.Note = head, "HINT: Guard failed on "+advice
	}
	return check, g.At, g.Note
}

// frameworkFile reports whether a path is of torch itself; guards have the end of one.
func frameworkFile(p string) bool {
	for _, pre := range frameworkFiles {
		if strings.HasPrefix(p, pre) {
			return true
		}
	}
	return strings.Contains(p, "site-packages/torch/")
}

// tensorConds spells check_tensor out. The dispatch keys stay unsaid, but for
// the device that they imply: no user asks for them.
func tensorConds(m []string) []string {
	if m == nil {
		return nil
	}
	x, typ, keys, dtype, index, grad, size, stride := m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8]
	switch typ {
	case "Tensor":
		typ = "torch.Tensor"
	case "Parameter", "Buffer":
		typ = "torch.nn." + typ
	}
	out := []string{"type(" + x + ") is " + typ}
	out = append(out, dims(x, ".shape", size)...)
	out = append(out, x+".dtype == "+dtype)
	if d := deviceOf(keys); d != "" {
		if index == "None" {
			out = append(out, x+".device.type == "+pyQuote(d))
		} else {
			out = append(out, x+".device == torch.device("+pyQuote(d+":"+index)+")")
		}
	}
	if grad == "True" {
		out = append(out, x+".requires_grad")
	} else {
		out = append(out, "not "+x+".requires_grad")
	}
	return append(out, dims(x, ".stride()", stride)...)
}

// dims spells a list of sizes; None is a size that may vary.
func dims(x, attr, list string) []string {
	list = strings.TrimSpace(list)
	if list == "" {
		return []string{x + attr + " == ()"}
	}
	sizes := strings.Split(list, ",")
	var some []string
	for i := range sizes {
		sizes[i] = strings.TrimSpace(sizes[i])
		if sizes[i] != "None" {
			some = append(some, fmt.Sprintf("%s%s[%d] == %s", x, attr, i, sizes[i]))
		}
	}
	if len(some) < len(sizes) {
		if attr == ".shape" {
			return append([]string{fmt.Sprintf("%s.ndim == %d", x, len(sizes))}, some...)
		}
		return some
	}
	if len(sizes) == 1 {
		return []string{x + attr + " == (" + sizes[0] + ",)"}
	}
	return []string{x + attr + " == (" + strings.Join(sizes, ", ") + ")"}
}

func deviceOf(keys string) string {
	for k := range strings.SplitSeq(keys, ",") {
		switch k = strings.TrimSpace(k); k {
		case "CPU", "CUDA", "MPS", "XPU", "HPU", "XLA", "Meta", "HIP", "Vulkan", "IPU":
			return strings.ToLower(k)
		}
	}
	return ""
}

// pyQuote is a Python literal of s.
func pyQuote(s string) string {
	q := strconv.QuoteToASCII(s)
	if strings.Contains(s, "'") || strings.Contains(q, `\`) {
		return q // the escapes of Go that can occur here mean the same in Python
	}
	return "'" + s + "'"
}

// PartsOfTree takes the guards from the text of a guard tree, as the structured
// log has it. Versions of a function have most guards in common: keep returns the one copy of a text.
func PartsOfTree(text string, keep func(string) string) []GuardPart {
	var out []GuardPart
	for line := range strings.SplitSeq(text, "\n") {
		leaf, ok := strings.CutPrefix(strings.TrimLeft(line, "| \t"), "+- ")
		if kind, said, cut := strings.Cut(leaf, ": "); ok && cut && isGuardKind(kind) {
			out = append(out, GuardPart{Text: keep(said)})
		}
	}
	return out
}

// isGuardKind reports whether a word names a kind of guard, TENSOR_MATCH say. The nodes of
// the tree are called otherwise: GuardManager, DictGuardManager.
func isGuardKind(word string) bool {
	for i, c := range []byte(word) {
		if (c < 'A' || c > 'Z') && (i == 0 || c != '_' && (c < '0' || c > '9')) {
			return false
		}
	}
	return len(word) > 1
}
