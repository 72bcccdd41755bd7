package sugar

import "github.com/thuml/depyf/internal/pyast"

// How badly a form fits where its expressions stand.
const (
	impossible = 1000 // there is no room for it, or an instruction says otherwise
	letter     = 10   // more room than it takes up: brackets and blanks, which people add
	unaligned  = 10   // its lines do not stand under each other, or one is left over
	bracketed  = 3    // an operand's own bracket ends a line
	around     = 8    // a `not` with brackets
	needless   = 4    // an operand's own bracket that it does not need
	unusual    = 1    // nothing tells, but people write it otherwise
)

// misfit tells how badly f fits where its expressions stand.
func (f *form) misfit() int {
	sum := f.inside
	var begins, sure []int // the lines behind the first, as far as they begin with an operand; of some that is not sure
	for i := range f.items {
		sum += f.items[i].misfit()
		if i == 0 {
			continue
		}
		x, y := &f.items[i-1], &f.items[i]
		lines := y.from.line - x.to.line
		switch {
		case x.to.col == 0 || y.from.col == 0:
			continue
		case lines == 0:
			sum += room(y.from.col-x.to.col-x.behind(f.op)-1-f.word()-y.before(f.op), y.not)
			continue
		}
		if x.bracketed(f.op) && lines > 1 {
			lines-- // that of the closing bracket
		}
		switch {
		case y.bracketed(f.op):
			continue // its bracket may end a line, so that its first expression begins one
		case lines > 1:
			sum += unaligned
		}
		begins = append(begins, y.from.col-y.before(f.op))
		if y.leaf == nil || brackets(y.leaf) == 0 {
			sure = append(sure, begins[len(begins)-1])
		}
	}
	return sum + min(f.raggedLines(begins), f.raggedLines(sure)+(len(begins)-len(sure))*bracketed)
}

// room tells how badly so many letters fit that a form does not account for; with a `not` in front of a bracket it may have a
// blank too many: `not(a or b)`.
func room(letters int, not bool) int {
	if letters == -1 && not {
		return 2 * letter
	}
	if letters < 0 {
		return impossible
	}
	return min(letters, 1)*letter + max(letters-1, 0) // two are a bracket for each operand; nobody knows what more are
}

// raggedLines tells how badly lines of f stand under each other.
func (f *form) raggedLines(begins []int) int {
	if len(begins) == 0 {
		return 0
	}
	first := f.items[0].from.col - f.items[0].before(f.op)
	if f.items[0].bracketed(f.op) { // its first expression may stand on a line behind the bracket's
		return ragged(begins[0], begins, 0)
	}
	return min(ragged(first, begins, 0), ragged(first, begins, f.word()), ragged(first-len("or "), begins, f.word()))
}

// word is the width of f's operator and the blank behind it.
func (f *form) word() int {
	if f.op == pyast.Or {
		return len("or ")
	}
	return len("and ")
}

// ragged tells how badly lines stand under each other that begin with an operator of some width; the
// first one begins with an operand.
func ragged(first int, begins []int, operator int) (sum int) {
	for i, b := range begins {
		if b != begins[max(i-1, 0)] {
			sum += unaligned
		}
	}
	if begins[0]-operator != first {
		sum += unaligned / 2 // anywhere, for some
	}
	return sum
}

// rightmost is the last place in the source that a node's expressions end at.
func rightmost(n pyast.Node) (line, col int) {
	pyast.Inspect(n, func(x pyast.Node) bool {
		if p := x.Position(); p.EndCol > 0 && (p.EndLine > line || p.EndLine == line && p.EndCol > col) {
			line, col = p.EndLine, p.EndCol
		}
		return true
	})
	return line, col
}
