package answers

import (
	"slices"
	"testing"
)

func TestNodes(t *testing.T) {
	text := `class GraphModule(torch.nn.Module):
    def forward(self, L_x_: "f32[4][1]cpu", L_y_: "f32[4][1]cpu"):
        l_x_ = L_x_
        l_y_ = L_y_

        # File: /a/model.py:3 in f, code: z = x.sin()
        sin: "f32[4][1]cpu" = l_x_.sin();  l_x_ = None

        # No stacktrace found for following nodes
        _set_grad_enabled = torch._C._set_grad_enabled(False);  _set_grad_enabled = None

        # File: /b/model.py:5 in f, code: y += z
        l_y_ += sin;  iadd: "f32[4][1]cpu" = l_y_;  sin = None
        l_y_[0] = 1;  setitem = l_y_;  setitem = None

        # Backward of forward node: File: /a/model.py:4 in f, code: return z
        ge: "Sym(u0 >= 0)" = sym_size_int >= 0;  sym_size_int = None
        wrap_body_0 = self.wrap_body_0
        mul = torch.ops.higher_order.wrap(wrap_body_0, iadd)
        first = next(args_iter)
        return (mul,)

    class wrap_body_0(torch.nn.Module):
        def forward(self, a):
            cos: "f32[4][1]cpu" = a.cos();  a = None
            return (cos,)
`
	want := []Node{
		{"sin", 7, "/a/model.py", 3},
		{"_set_grad_enabled", 10, "", 0}, // not the line above it
		{"iadd", 13, "/b/model.py", 5},
		{"setitem", 14, "/b/model.py", 5},
		{"ge", 17, "/a/model.py", 4},
		{"mul", 19, "/a/model.py", 4},
		{"cos", 25, "", 0},
	}
	if got := Nodes(text); !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}
