package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestFormOf(t *testing.T) {
	for line, want := range map[string]form{
		"self._modules['h']._modules['12'].weight is L['h'][3]": {"self._modules['h']._modules['\x00'].weight is L['h'][\x00]", []int{12, 3}, 0},
		"check_tensor(x, size=[4, 16], stride=[16, 1])":         {"check_tensor(x, size=[4, 16], stride=[16, 1])", nil, 0},
		"l_h_0_ = l_h_1_weight_ + add_2":                        {"l_h_\x00_ = l_h_\x00_weight_ + add_\x00", []int{0, 1, 2}, 0},
		"and model.h.7.bias == 1.5, '[8', [9'] [\"1\"] _3d":     {"model.h.\x00.bias == 1.\x00, '[8', [\x00'] [\"1\"] _3d", []int{7, 5, 9}, 0},
		"_99999999999999999999 _1":                              {"_99999999999999999999 _1", nil, 0},
		"_":                                                     {"_", nil, 0},
		"":                                                      {"", nil, 0},
	} {
		if got := formOf(line); got.text != want.text || !slices.Equal(got.numbers, want.numbers) {
			t.Errorf("%q: got %q %v", line, got.text, got.numbers)
		}
	}
}

// Guards of equal layers are one layer and a fold; a layer that differs in a size is no such layer.
func TestLayersAreFolded(t *testing.T) {
	guards := func(n, different int) string {
		lines := []string{"    return (", "        type(L['self']) is GPT"}
		for i := range n {
			size := 32
			if i == different {
				size = 64
			}
			block := fmt.Sprintf("L['self']._modules['blocks']._modules['%d']", i)
			lines = append(lines, fmt.Sprintf("        and list(dict.keys(L['self']._modules['blocks']._modules))[%d] == '%d'", i, i),
				"        and type("+block+") is Block  # train.py:38: x = b(x)", fmt.Sprintf("        and %s.weight.shape == (%d, 8)", block, size))
		}
		return strings.Join(append(lines, "    )"), "\n")
	}
	if got, want := layerFolds(guards(48, -1)), []fold{{5, 146, "141 lines: the same with 1 to 47 in place of 0"}}; !slices.Equal(got, want) {
		t.Errorf("got %v", got)
	}
	if got := layerFolds(guards(20, 10)); len(got) != 2 || got[0].End != 32 {
		t.Errorf("a layer that differs: got %v", got)
	}
	if got := layerFolds("a = 1\nb = 2\nc = 3\n" + strings.Repeat("x\n", 50)); got != nil {
		t.Errorf("no layers: got %v", got)
	}
}

// What begins and ends each of Inductor's files is folded, what it computes is not.
func TestBoilerplate(t *testing.T) {
	code := "# __compiled_fn_1: the code that Inductor made.\n\n# AOT ID: ['0_forward']\n" + strings.Repeat("import x\n", 9) + "async_compile = AsyncCompile()\nk = 1\ndef call(args):\n    k()\ndef benchmark_compiled_module():\n" + strings.Repeat("    pass\n", 9)
	got := boilerplate(code)
	if len(got) != 2 || got[0].First != 3 || got[0].End != 13 || got[1].First != 16 {
		t.Errorf("got %v", got)
	}
	if got := boilerplate("def f():\n    # AOT ID: of another\n" + strings.Repeat("import x\n", 9) + "async_compile = 1\n"); got != nil {
		t.Errorf("no code of Inductor's: got %v", got)
	}
}
