package sugar

import "github.com/thuml/depyf/internal/pyast"

// returnNone spells out the None of a function that also returns values, where
// the bytecode does not tell `return` from `return None` (before 3.11): that is
// what most people write.
func returnNone(list []pyast.Stmt) {
	valued, plain := returns(list)
	if !valued {
		return
	}
	for _, r := range plain {
		if r.Col == 0 && r.Line > 0 {
			r.Value = pyast.None()
		}
	}
}

// returns reports whether a value is returned, and lists the returns of none.
func returns(list []pyast.Stmt) (valued bool, plain []*pyast.Return) {
	_ = eachList(list, func(l []pyast.Stmt) []pyast.Stmt {
		for _, s := range l {
			if r, ok := s.(*pyast.Return); ok {
				valued = valued || r.Value != nil
				if r.Value == nil {
					plain = append(plain, r)
				}
			}
		}
		return l
	})
	return valued, plain
}
