package cfg

// Pass is one rewriting of the graph.
type Pass struct {
	Name string
	Run  func(*Graph) error
}

// Passes are the graph passes in order. Each row says why it stands there.
var Passes = []Pass{
	// Before everything that compares or joins exits.
	{"class ends", classEnds},
	// Before the finally copies, which compare instructions.
	{"annotation marks", annotationMarks},
	// Before the hidden regions, which tell the names.
	{"cleared names", clearNames},
	// Other passes must not take the hidden regions for statements.
	{"hidden regions", hideRegions},
	// After the hidden regions, before what compares handlers with their copies.
	{"reraise copies", reraiseCopies},
	// Before everything that looks at what a conditional jump leads to.
	{"unthread", unthread},
	{"and, or", orPop},
	// After the regions: those around the clauses are hidden.
	{"except*", exceptStar},
	// After except*, whose tests look like a case; before the exits are joined:
	// failing cases end in copies.
	{"match", matches},
	// After the regions: an await's clean-up region is gone.
	{"send loops", sendLoops},
	// Before finally bodies: their ways out are told by regions.
	{"quiet blocks", quietBlocks},
	// Before the exits are joined, which are told from the statement in front.
	{"break copies", breakCopies},
	// Before finally bodies, whose copies end in such exits.
	{"exit copies", exitCopies},
	// After all: copies differ in hidden regions and send loops.
	{"finally copies", finallyCopies},
	// Again: behind a finally body such copies become visible.
	{"exit copies", exitCopies},
	// After the send loops: the await of the next item is one instruction.
	{"async for of 3.7", asyncFor37},
	{"async for", asyncFor},
	// Before uninline: the fast path that dies is no comprehension.
	{"generator calls", genCalls},
	// Last: the outlined loop has gone through the passes above.
	{"uninline", uninline},
}
