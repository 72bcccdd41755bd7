package answers

import "testing"

// How torch words a failed check, in 2.2 to 2.15, and what that says.
func TestReadChange(t *testing.T) {
	for check, want := range map[string]change{
		"tensor 'x' size mismatch at index 0. expected 4, actual 8":                                                   {KindSize, "x.size(0)", "x", "4", "8"},
		"tensor 'L['x']' size mismatch at index 1. expected 4, actual 8":                                              {KindSize, "x.size(1)", "x", "4", "8"},
		"tensor 'x' strides mismatch at index 0. expected 4, actual 1":                                                {KindStride, "x.stride(0)", "x", "4", "1"},
		"tensor 'x' rank mismatch. expected 2, actual 3":                                                              {KindRank, "x", "x", "2", "3"},
		"tensor 'x' dtype mismatch. expected Float, actual Double":                                                    {KindDtype, "x", "x", "Float", "Double"},
		"tensor 'x' requires_grad mismatch. expected requires_grad=0":                                                 {KindGradient, "x", "x", "0", ""},
		"tensor 'x' dispatch key set mismatch. expected DispatchKeySet(CPU, AutogradCPU), actual DispatchKeySet(CPU)": {KindDevice, "x", "x", "DispatchKeySet(CPU, AutogradCPU)", "DispatchKeySet(CPU)"},
		"tensor 'x' Tensor device index mismatch. Expected device index to be 0, got 1":                               {KindDevice, "x", "x", "0", "1"},
		"expected type of 'x' to be a tensor type, ' but found <class 'int'>":                                         {KindType, "x", "x", "a tensor", "<class 'int'>"},
		"GLOBAL_STATE changed: grad_mode ":                                                                            {KindState, "grad_mode", "grad_mode", "", ""},
		"Cache line invalidated because L['self'].net got deallocated":                                                {kind: KindObject, subject: "self.net", root: "self.net"},
		"":                                        {kind: KindOther},
		"___check_global_state()":                 {kind: KindState},
		"scale == 2":                              {KindValue, "scale", "scale", "2", ""},
		"L['self'].calls == 3":                    {KindValue, "self.calls", "self.calls", "3", ""},
		"L['name'] == 'a == b'":                   {KindValue, "name", "name", "'a == b'", ""},
		"list(dict.keys(extras))[0] == 'a'":       {KindKeys, "extras", "extras", "'a'", ""},
		"len(L['xs']) == 3":                       {KindLength, "len(xs)", "xs", "3", ""},
		"not L['xs']":                             {KindLength, "len(xs)", "xs", "0", ""},
		"not self.seen['k'].items":                {KindLength, "len(self.seen['k'].items)", "self.seen['k'].items", "0", ""},
		"not hasattr(L['x'], 'y')":                {KindOther, "x", "x", "", ""},
		"___check_type_id(L['x'], 94)":            {KindType, "x", "x", "", ""},
		"type(x) is Net":                          {KindType, "x", "x", "Net", ""},
		"___check_obj_id(L['fn'], 94)":            {KindObject, "fn", "fn", "", ""},
		"___check_obj_id(L['self'].training, 94)": {KindTraining, "self.training", "self.training", "", ""},
		"torch.sym_float((___stack0 % 1000) // 10) != 9.0":               {KindOther, "___stack0", "___stack0", "", ""},
		"not math.isnan(L['y'])":                                         {KindOther, "y", "y", "", ""},
		"tensor 'G['W']' size mismatch at index 0. expected 4, actual 8": {KindSize, "G['W'].size(0)", "G['W']", "4", "8"},
	} {
		if got := readChange(check); got != want {
			t.Errorf("%s:\ngot  %+v\nwant %+v", check, got, want)
		}
	}
}
