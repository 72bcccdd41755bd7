package evidence

import "testing"

func TestIndented(t *testing.T) {
	for name, c := range map[string]struct {
		starts map[int]int
		widest int
		unit   int
	}{
		"nothing":                        {nil, 8, 4},
		"a method":                       {map[int]int{8: 3}, 8, 4},
		"four columns":                   {map[int]int{4: 5, 8: 2, 12: 1}, 8, 4},
		"a parenthesis":                  {map[int]int{4: 8, 8: 2, 9: 1}, 8, 4},
		"eight columns":                  {map[int]int{8: 2, 16: 2, 24: 1}, 8, 8},
		"two columns":                    {map[int]int{2: 3, 4: 1, 6: 1}, 8, 2},
		"three columns":                  {map[int]int{3: 3, 6: 1}, 8, 3},
		"tabs":                           {map[int]int{1: 3, 2: 1}, 8, 1},
		"one level":                      {map[int]int{3: 1}, 8, 1},
		"a method in tabs":               {map[int]int{2: 3, 3: 2, 4: 1}, 8, 1},
		"methods alone, in tabs":         {map[int]int{2: 9, 4: 3}, 1, 1},
		"methods alone, at two columns":  {map[int]int{4: 9, 8: 3}, 2, 2},
		"what stands at the left margin": {map[int]int{0: 9}, 8, 4},
	} {
		if got := Indented(c.starts, c.widest).Unit; got != c.unit {
			t.Errorf("%s: %d, want %d", name, got, c.unit)
		}
	}
}

// A constant behind `return` stands seven columns behind where a statement begins.
func TestReturned(t *testing.T) {
	for _, unit := range []int{1, 2, 3, 4, 8} {
		for level := 1; level < 6; level++ {
			in := Indentation{unit}
			if in.Returned(level*unit) || !in.Returned(level*unit+len("return ")) {
				t.Errorf("unit %d, level %d", unit, level)
			}
		}
	}
}

func TestElif(t *testing.T) {
	for _, unit := range []int{1, 3, 4, 8} {
		const own = 9
		if in := (Indentation{unit}); !in.Elif(own+2, own, false) || in.Elif(own+unit, own, false) {
			t.Errorf("unit %d", unit)
		}
	}
	if in := (Indentation{2}); !in.Elif(11, 9, true) || in.Elif(11, 9, false) {
		t.Error("at two columns the lines tell")
	}
}
