package report

import "testing"

func TestRunnable(t *testing.T) {
	const text = `class Repro(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.while_loop_cond_graph_0 = <lambda>()

    def forward(self):
        return ()

def load_args(reader):
load_args._version = 0
def other(reader):
    reader.tensor()
`
	const want = `class Repro(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        # torch could not write this part of the graph: self.while_loop_cond_graph_0 = <lambda>()

    def forward(self):
        return ()

def load_args(reader):
    pass
load_args._version = 0
def other(reader):
    reader.tensor()
`
	if got := runnable(text); got != want {
		t.Errorf("got\n%s", got)
	}
}
