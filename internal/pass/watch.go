package pass

import "errors"

// Watch sees the passes over one code object. Tests, fuzzing and dumps have one.
type Watch struct {
	Seen   func(Step)  // called in front of each stage and behind each pass; nil: nobody looks
	Broken func(error) // has the checker run behind each pass, and receives what it says; nil: no checks
	Until  string      // the last pass that runs; "": all do
}

// Step is a pass that the code has come through. One without a name stands in front of
// each stage: the state as the stage is given it.
type Step struct {
	Stage, Name string
	Ran         bool          // the code needed it
	Err         error         // it has failed, and the rest does not run
	Show        func() []Line // the state behind it, to be called at once; nil where it has failed
}

// ErrStopped ends a run at the pass that Watch.Until names.
var ErrStopped = errors.New("stopped behind the pass that was asked for")
