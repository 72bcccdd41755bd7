package pyprint

// blankState decides how many blank lines go above a logical line, as black
// does for code whose author left none.
type blankState struct {
	started    bool
	kind       lineKind // of the previous line
	depth      int      // of the previous line
	opens      bool     // the previous line opened a block
	stub       bool     // the previous line was "def f(): ..."
	moduleDoc  bool     // the previous line was the module's docstring
	classDoc   bool     // the previous line was a class's docstring
	wanted     bool     // an explicit pyast.Blank asks for one
	attached   bool     // the previous comment belongs to the next def or class
	defs       []int    // depths of the definitions still open or just ended
	nextOpens  bool     // set by the caller for the line to come
	nextStub   bool
	nextAttach bool // the comment to come belongs to a def or class
}

// before returns the number of blank lines above a line of kind k and makes
// that line the previous one.
func (b *blankState) before(k lineKind, depth int) int {
	prev := *b
	n := 0
	if prev.wanted {
		n = 1
	}
	ended := false
	for len(b.defs) > 0 && b.defs[len(b.defs)-1] >= depth {
		b.defs = b.defs[:len(b.defs)-1]
		ended = true
	}
	starts := k == lineDef || k == lineClass || k == lineDecorator
	if k == lineDef || k == lineClass {
		b.defs = append(b.defs, depth)
	}
	heading := starts || k == lineComment && prev.nextAttach
	between := 1
	if depth == 0 {
		between = 2
	}
	switch {
	case !prev.started:
		n = 0
	case prev.opens:
		n = 0 // the first line of a block
	case prev.kind == lineDecorator || prev.attached && (starts || k == lineComment):
		n = 0
	case prev.stub && prev.nextStub && !prev.wanted:
		n = 0 // a run of stubs
	case heading:
		n = between
	case k == lineClause:
		n = 0
		if ended {
			n = 1
		}
	case ended:
		n = between
	case prev.moduleDoc || prev.classDoc:
		n = 1
	case prev.kind == lineImport && k != lineImport && prev.depth == depth:
		n = 1
	}
	b.started = true
	b.kind, b.depth = k, depth
	b.opens, b.stub = prev.nextOpens, prev.nextStub
	b.moduleDoc = k == lineDocstring && !prev.opens && depth == 0
	b.classDoc = k == lineDocstring && prev.opens && prev.kind == lineClass
	b.attached = k == lineComment && prev.nextAttach
	b.wanted, b.nextOpens, b.nextStub, b.nextAttach = false, false, false, false
	return n
}
