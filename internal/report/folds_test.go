package report

import (
	"slices"
	"testing"
)

func TestFormOf(t *testing.T) {
	for line, want := range map[string]form{
		"self._modules['h']._modules['12'].weight is L['h'][3]": {"self._modules['h']._modules['\x00'].weight is L['h'][\x00]", []int{12, 3}},
		"check_tensor(x, size=[4, 16], stride=[16, 1])":         {"check_tensor(x, size=[4, 16], stride=[16, 1])", nil},
		"l_h_0_ = l_h_1_weight_ + add_2":                        {"l_h_\x00_ = l_h_\x00_weight_ + add_\x00", []int{0, 1, 2}},
		"and model.h.7.bias == 1.5, '[8', [9'] [\"1\"] _3d":     {"model.h.\x00.bias == 1.\x00, '[8', [\x00'] [\"1\"] _3d", []int{7, 5, 9}},
		"_99999999999999999999 _1":                              {"_99999999999999999999 _1", nil},
		"_":                                                     {"_", nil},
		"":                                                      {"", nil},
	} {
		if got := formOf(line); got.text != want.text || !slices.Equal(got.numbers, want.numbers) {
			t.Errorf("%q: got %q %v", line, got.text, got.numbers)
		}
	}
}
