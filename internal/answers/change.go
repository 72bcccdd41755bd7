package answers

import (
	"strings"

	"github.com/thuml/depyf/internal/lazyregexp"
)

// Kind says what sort of thing differed when no version of a function fitted.
type Kind string

// The kinds of causes. Sizes, ranks and so on are those of tensors.
const (
	KindState    Kind = "state"    // of torch: gradient mode, autocast, default dtype, …
	KindSize     Kind = "size"     // of one dimension
	KindStride   Kind = "stride"   // of one dimension
	KindRank     Kind = "rank"     // how many dimensions there are
	KindDtype    Kind = "dtype"    // of the elements
	KindDevice   Kind = "device"   // or another dispatch key, such as inference mode's
	KindGradient Kind = "gradient" // whether a tensor requires one
	KindTraining Kind = "training" // train() or eval()
	KindKeys     Kind = "keys"     // of a dict
	KindLength   Kind = "length"   // of a container
	KindType     Kind = "type"     // of a Python object
	KindObject   Kind = "object"   // which object stands there
	KindValue    Kind = "value"    // of a Python number, string, …
	KindOther    Kind = "other"    // a condition of another form
)

// change is a failed check, read: what was expected and what came.
type change struct {
	kind    Kind
	subject string // "x.size(0)", "scale", "grad_mode"
	root    string // the access path in it that begins at a variable: "extras" of list(dict.keys(extras))[0]
	was     string // "" where the check does not say
	now     string
}

var (
	local        = lazyregexp.New(`\bL\['(\w+)'\]`)
	stateChanged = lazyregexp.New(`^GLOBAL_STATE changed: (.*?)\s*$`)
	// The wording is that of TENSOR_MATCH in torch/csrc/dynamo/guards.cpp.
	tensorDiffers = lazyregexp.New(`^tensor '(.+)' (?:Tensor )?(dispatch key set|dtype|device index|requires_grad|rank|size|strides?) mismatch(?: at index (\d+))?\.(?:\s*[Ee]xpected (?:device index to be |requires_grad=)?(.*?))?(?:, (?:actual|got) (.*?))?\s*$`)
	notATensor    = lazyregexp.New(`^expected type of '(.+)' to be a tensor type, ?'? but found (.*)$`)
	deallocated   = lazyregexp.New(`^Cache line invalidated because (.+) got deallocated$`)
	lengthIs      = lazyregexp.New(`^len\((.+)\) == (\d+)$`)
	isEmpty       = lazyregexp.New(`^not [\w.]+(?:\[[^\[\]()]*\]|\.\w+)*$`) // SEQUENCE_LENGTH, DICT_LENGTH in torch/_dynamo/guards.py, of no item
	sameType      = lazyregexp.New(`^(?:___check_type_id\((.+?), [^,]*\)|type\((.+)\) is (.+))$`)
	sameObject    = lazyregexp.New(`^(?:___check_obj_id\((.+?), .*\)|(.+) is (?:not )?(.+))$`)
	withValue     = lazyregexp.New(`^(.+), with LHS value: (.+)$`)
	equalTo       = lazyregexp.New(`^(.+?) == (.+)$`)
	quoted        = lazyregexp.New(`'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"`)
	accessPath    = lazyregexp.New(`[A-Za-z_]\w*(?:\.[A-Za-z_]\w*|\[[^\[\]()]*\])*\(?`)
)

var tensorKinds = map[string]Kind{
	"dispatch key set": KindDevice, "device index": KindDevice, "dtype": KindDtype, "requires_grad": KindGradient,
	"rank": KindRank, "size": KindSize, "stride": KindStride, "strides": KindStride,
}

// readChange reads a failed check, as torch words it and without its origin.
func readChange(check string) change {
	check = local.ReplaceAllString(strings.TrimSpace(check), "$1")
	if m := withValue.FindStringSubmatch(check); m != nil { // torch 2.1
		c := readChange(m[1])
		c.now = m[2]
		return c
	}
	if m := stateChanged.FindStringSubmatch(check); m != nil {
		return change{kind: KindState, subject: m[1], root: m[1]}
	}
	if strings.Contains(check, "___check_global_state") {
		return change{kind: KindState}
	}
	if m := tensorDiffers.FindStringSubmatch(check); m != nil {
		c := change{kind: tensorKinds[m[2]], subject: m[1], root: m[1], was: m[4], now: m[5]}
		switch c.kind {
		case KindSize:
			c.subject += ".size(" + m[3] + ")"
		case KindStride:
			c.subject += ".stride(" + m[3] + ")"
		}
		return c
	}
	if m := notATensor.FindStringSubmatch(check); m != nil {
		return change{kind: KindType, subject: m[1], root: m[1], was: "a tensor", now: m[2]}
	}
	if m := deallocated.FindStringSubmatch(check); m != nil {
		return change{kind: KindObject, subject: m[1], root: m[1]}
	}
	if check == "" { // torch does not tell why
		return change{kind: KindOther}
	}
	root := rootOf(check)
	c := change{kind: KindOther, subject: root, root: root}
	switch {
	case strings.Contains(check, ".training"):
		c.kind, c.subject = KindTraining, c.root
	case strings.Contains(check, "keys(") && equalTo.MatchString(check):
		c.kind, c.subject, c.was = KindKeys, c.root, equalTo.FindStringSubmatch(check)[2]
	case lengthIs.MatchString(check):
		m := lengthIs.FindStringSubmatch(check)
		c.kind, c.subject, c.was = KindLength, "len("+m[1]+")", m[2]
	case isEmpty.MatchString(check):
		c.kind, c.subject, c.was = KindLength, "len("+root+")", "0"
	case sameType.MatchString(check):
		m := sameType.FindStringSubmatch(check)
		c.kind, c.subject, c.was = KindType, m[1]+m[2], m[3]
	case sameObject.MatchString(check):
		m := sameObject.FindStringSubmatch(check)
		c.kind, c.subject = KindObject, m[1]+m[2]
	case strings.HasPrefix(check, root+" == "):
		c.kind, c.was = KindValue, strings.TrimPrefix(check, root+" == ")
	}
	return c
}

// rootOf is the first access path in an expression that is not called: the value
// that the condition is about.
func rootOf(expr string) string {
	bare := quoted.ReplaceAllStringFunc(expr, func(s string) string { return strings.Repeat("0", len(s)) })
	for _, at := range accessPath.FindAllStringIndex(bare, -1) {
		word := expr[at[0]:at[1]]
		switch {
		case strings.HasSuffix(word, "("), at[0] > 0 && bare[at[0]-1] >= '0' && bare[at[0]-1] <= '9':
		case word == "not" || word == "and" || word == "or" || word == "in" || word == "is" || word == "None" || word == "True" || word == "False":
		default:
			return word
		}
	}
	return expr
}

// near orders failed checks by how close a version came to fitting: the state of torch is
// checked before the arguments, and conditions on sizes that vary come last.
func (c change) near() int {
	switch c.kind {
	case KindState:
		return 0
	case KindOther:
		return 2
	}
	return 1
}
