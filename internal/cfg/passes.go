package cfg

import "github.com/thuml/depyf/internal/pass"

// Job is a graph, and what its passes must know about where it comes from.
type Job struct {
	*Graph
	Dynamo   bool // torch._dynamo made the code
	Emptied  bool // Unshuffle has run
	Dispatch bool // parts of it will be written as dispatch loops
	Copies   bool // what the compiler has copied stays as it is
	Named    bool // no match statement is looked for: each question of its patterns is one
}

// Passes rewrite the graph into one that the source's statements show in.
var Passes = pass.Table[*Job]{
	Stage: "graph",
	Show:  func(j *Job) []pass.Line { return j.Lines() },
	Check: func(j *Job) error { return j.Graph.Check() },
	Passes: []pass.Pass[*Job]{
		{
			Name: "none tests", When: dynamo, Run: plain(NoneTests),
			Why: "Dynamo takes `x is None` apart; the passes for match and except* know the compiler's form alone",
		},
		{
			Name: "resumed loops", When: dynamo, Run: plain(PeelResumed),
			Why: "a resume function enters its loop in the middle, and no statement does",
		},
		{
			Name: "half displays", When: func(j *Job) bool { return j.Dynamo && !j.Emptied }, Run: plain(BeginDisplays),
			Why: "a display that a resume function is given half done has no beginning in the text",
		},
		{
			Name: "class reads", Run: plain(classReads),
			Why: "a variable that a class body reads is a call of locals() and a look into it, which no pattern and no chain of comparisons knows (3.12+)",
		},
		{
			Name: "copies", Run: on(joinCopies), When: func(j *Job) bool { return j.Choices.Other(allCopies, -1) },
			Why: "code that the compiler has copied in a way that none of the passes below knows reads as statements of its own",
		},
		{
			Name: "class ends", Run: on(classEnds),
			Why: "what the compiler stores behind a class body is copied to each way out, and no statement joins them again",
		},
		{
			Name: "generator calls", Run: on(genCalls),
			Why: "`any(genexpr)` is written twice, as a call and as a loop whose end differs from copy to copy of a finally body (3.14+)",
		},
		{
			Name: "annotation marks", Run: plain(annotationMarks),
			Why: "copies of one finally body differ in the number of an annotation, so that they are not found (3.14+)",
		},
		{
			Name: "cleared names", Run: plain(clearNames),
			Why: "`e = None; del e` behind `except E as e` reads as statements, and parts a value from its return (3.11+)",
		},
		{
			Name: "hidden regions", Run: on(hideRegions), After: []string{"cleared names"},
			Why: "regions that no statement stands for become try statements; the names that clauses clear are read there",
		},
		{
			Name: "reraise copies", Run: on(reraiseCopies), After: []string{"hidden regions"},
			Why: "a handler that ends in several places looks like none of a finally clause",
		},
		{
			Name: "unthread", Run: on(unthread),
			Why: "a jump over a jump is read as an arm of its own (3.12+)",
		},
		{
			Name: "and, or", Run: on(orPop), After: []string{"unthread"},
			Why: "the value of `a and b` is tested and kept, which no expression does (3.12+)",
		},
		{
			Name: "except*", Run: on(exceptStar), After: []string{"hidden regions", "unthread"},
			Why: "a clause of `except*` hands on a list of exceptions, which no statement does; the regions around it are hidden by then",
		},
		{
			Name: "send loops", Run: on(sendLoops), After: []string{"hidden regions"},
			Why: "`await` and `yield from` read as loops; the region that cleans one up is gone by then (3.11+)",
		},
		{
			Name: "async for", Run: on(asyncFor), After: []string{"send loops"},
			Why: "its end is an exception, so that the loop reads as a try, and that of a guard has no end; the await of its item is one instruction by then (3.8+)",
		},
		{
			Name: "quiet blocks", Run: plain(quietBlocks), After: []string{"async for"},
			Why: "a `try:` that no row of the table covers leaves the statement around it, and with it what its finally body covers; the tests of cases are tests still",
		},
		{
			Name: "match", When: func(j *Job) bool { return !j.Named }, Run: plain(matches), After: []string{"unthread", "except*", "quiet blocks"},
			Why: "the test of a case is written out as ifs; those of except* look alike, so they go first",
		},
		{
			Name: "match heads", When: func(j *Job) bool { return j.Named }, After: []string{"unthread", "except*"}, Run: on(matchHeads),
			Why: "a match that is read as cases in no way has no statement; one by one its questions have",
		},
		{
			Name: "break copies", When: joined, Run: on(breakCopies), After: []string{"match"},
			Why: "a `break` in front of a copied exit reads as the statements behind the loop; copies are told by the statement in front (3.10+)",
		},
		{
			Name: "exit copies", When: joined, Run: on(exitCopies), After: []string{"match", "break copies"},
			Why: "what leaves the function is written once for each jump to it; cases that fail end in such copies (3.10+)",
		},
		{
			Name: "waiting constants", When: func(j *Job) bool { return !j.Dynamo && !j.Emptied }, Run: plain(waitingConstants), After: []string{"hidden regions", "exit copies"},
			Why: "`return f\"x\"` reads as `return \"x\"`, which is loaded when the statements around are left",
		},
		{
			Name: "finally copies", When: joined, Run: on(finallyCopies),
			After: []string{"generator calls", "annotation marks", "hidden regions", "reraise copies", "send loops", "quiet blocks", "exit copies"},
			Why:   "a finally body is written once for each way out of its try; copies are compared instruction by instruction",
		},
		{
			Name: "async for of 3.7", Run: on(asyncFor37), After: []string{"send loops"},
			Why: "its end is an except clause that tests for StopAsyncIteration (3.7)",
		},
		{
			Name: "uninline", Run: plain(uninline), After: []string{"hidden regions", "send loops", "async for", "generator calls"},
			Why: "a comprehension reads as a loop that saves and restores its variables; its blocks leave with what the passes above made of them (3.12+)",
		},
		{
			Name: "parted handlers", When: func(j *Job) bool { return j.Dispatch }, Run: plain(PartHandlers), After: []string{"finally copies"},
			Why: "a dispatch loop can leave an except clause only where a block ends",
		},
	},
}

func dynamo(j *Job) bool { return j.Dynamo }

func joined(j *Job) bool { return !j.Copies }

// on runs a pass on the graph of a job. What it says to have changed are edges.
func on(f func(*Graph) (changed bool)) func(*Job) error {
	return func(j *Job) error {
		if f(j.Graph) {
			j.Graph.ComputePreds()
		}
		return nil
	}
}

// plain is on for a pass that leaves the edges as they are, or sees to them.
func plain(f func(*Graph)) func(*Job) error {
	return func(j *Job) error {
		f(j.Graph)
		return nil
	}
}
