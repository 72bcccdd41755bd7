package answers

import (
	"regexp"
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

// The quick reading of a line is that of these expressions.
func TestAssigned(t *testing.T) {
	whole := regexp.MustCompile(`^(\w+)(?: ?: (?:"[^"]*"|[^=]+?))? = (.*)$`)
	name := regexp.MustCompile(`^(?:[A-Za-z_][\w.]*|next\(args_iter\)|iter\(args_list\))$`)
	for _, line := range []string{
		`sin = x.sin()`, `sin: "f32[4][1]cpu" = torch.sin(x)`, `a : torch.Tensor = b`, `a: f(x=1) = b`, `a:b = c`, `a: "s = t" = c`, `a: "x" y = c`,
		`x += 1`, `return (x,)`, ` = 2`, `a = `, `a =b`, `a: = b`, `a:  = b`, `a: "open = b`, `9 = x`, `a.b = c`, `a == b`, `a = b = c`, `a: x == y = z`, ``,
	} {
		n, v, ok := assigned(line)
		m := whole.FindStringSubmatch(line)
		if ok != (m != nil) || ok && (n != m[1] || v != m[2]) {
			t.Errorf("%q: got %q %q %v, want %q", line, n, v, ok, m)
		}
	}
	for _, value := range []string{"x", "self.w", "next(args_iter)", "iter(args_list)", "next(x)", "f()", "", ".a", "1.5", "_a..b", "a.", "l[0]"} {
		if named(value) != name.MatchString(value) {
			t.Errorf("%q: %v", value, named(value))
		}
	}
}
