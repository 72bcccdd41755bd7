package explain_test

import (
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/explain"
)

// A table of nodes is the graph that torch writes as code.
func TestGraphOfATable(t *testing.T) {
	const table = `TRACED GRAPH
 __compiled_fn_0 <eval_with_key>.0 opcode         name       target                                             args            kwargs
-------------  ---------  -------------------------------------------------  --------------  ------------
placeholder    l_x_       L_x_                                               ()              {}
placeholder    y          y                                                  ()              {}
get_attr       weight     L__self___weight                                   ()              {}
call_module    l__fc      L__self___fc                                       (l_x_,)         {}
call_function  add        <built-in function add>                            (l__fc, 1)      {}
call_function  sum_1      <built-in method sum of type object at 0x7f1b2c>   (add,)          {'dim': 0}
call_function  softmax    <function softmax at 0x7f1b2c>                     (sum_1, 0)      {}
call_method    view       view                                               (softmax, -1)   {}
call_method    detach     detach                                             (view,)         {}
output         output     output                                             ((detach, y),)  {}

`
	const want = `class GraphModule(torch.nn.Module):
    def forward(self, L_x_, y):
        l_x_ = L_x_
        weight = self.L__self___weight
        l__fc = self.L__self___fc(l_x_)
        add = add(l__fc, 1)
        sum_1 = sum(add, **{'dim': 0})
        softmax = softmax(sum_1, 0)
        view = softmax.view(-1)
        detach = view.detach()
        return (detach, y)
`
	const at = "[2024-01-30 16:08:31,430] [1/4] torch._dynamo.output_graph.__graph: [DEBUG] "
	whole := at + strings.ReplaceAll(table, "\n", "\n"+at) + "\n"
	for name, log := range map[string]string{
		"whole":                  whole,
		"its head cut off":       whole[strings.Index(whole, at+"---"):],
		"a prefix for a message": at + table,
	} {
		m := readLog(t, log)[0]
		var got []*explain.Artefact
		for _, c := range m.Compiles {
			got = append(got, c.Artefacts...)
		}
		if len(got) != 1 || got[0].Text != want {
			t.Errorf("%s: %d graphs, %+v", name, len(got), got)
		}
	}
}
