package explain

import "testing"

func TestReadNoCUDAGraph(t *testing.T) {
	for text, want := range map[string]NoCUDAGraph{
		"skipping cudagraphs due to mutated inputs (1 instances). Found from : \n   File \"/p/a.py\", line 11, in changes\n    x.add_(1)\n": {
			Reason: "mutated inputs (1 instances)", Skipped: true, At: Frame{File: "/p/a.py", Line: 11, Name: "changes", Code: "x.add_(1)"}, Times: 1,
		},
		"skipping cudagraphs due to cpu device (arg1_1). Found from : \n   File \"/p/a.py\", line 3, in f\n    return g(x)\n   File \"/venv/lib/python3.12/site-packages/b/c.py\", line 4, in g\n    return x * 2\n": {
			Reason: "cpu device (arg1_1)", Skipped: true, At: Frame{File: "/p/a.py", Line: 3, Name: "f", Code: "return g(x)"}, Times: 1,
		},
		"skipping cudagraphs due to ['incompatible ops']": {Reason: "['incompatible ops']", Skipped: true, Times: 1},
		"CUDAGraph supports dynamic shapes by recording a new graph for each distinct input size.": {
			Reason: "CUDAGraph supports dynamic shapes by recording a new graph for each distinct input size", Times: 1,
		},
	} {
		if got := readNoCUDAGraph(text); got != want {
			t.Errorf("%q:\n got %+v\nwant %+v", text, got, want)
		}
	}
}

// What torch warns of and puts among the figures is one thing; a warning that comes again is counted.
func TestNoCUDAGraphTwice(t *testing.T) {
	m := newModel()
	const text = "skipping cudagraphs due to cpu device (arg1_1)"
	m.noCUDAGraph("0/0", text, false)
	m.noCUDAGraph("0/0", text, true)
	if n := len(m.NoCUDAGraphs); n != 1 || m.NoCUDAGraphs[0].Times != 1 {
		t.Errorf("%d of them, told %d times", n, m.NoCUDAGraphs[0].Times)
	}
	m.noCUDAGraph("0/0", text, false)
	m.noCUDAGraph("0/1", text, true)
	if n := len(m.NoCUDAGraphs); n != 2 || m.NoCUDAGraphs[0].Times != 2 {
		t.Errorf("%d of them, told %d times", n, m.NoCUDAGraphs[0].Times)
	}
}
