package evidence

// Indentation is how the lines of a source are indented, as far as the columns at which statements begin tell.
type Indentation struct {
	Unit int // columns of one level: 1 for a tab
}

// Indented judges by the columns, counted from 0, at which so many statements begin. They are multiples of the unit, but for
// some of statements that begin with a parenthesis. A unit is at most widest: so far apart is what stands in a definition from
// what it stands in.
func Indented(starts map[int]int, widest int) Indentation {
	total := 0
	for col, n := range starts {
		if col > 0 {
			total += n
		}
	}
	if total == 0 {
		return Indentation{4}
	}
	for _, unit := range []int{8, 4, 2, 3} {
		if unit > widest {
			continue
		}
		off, levels := 0, 0
		for col, n := range starts {
			switch {
			case col <= 0:
			case col%unit != 0:
				off += n
			default:
				levels++
			}
		}
		// Bodies of methods alone stand at 8 columns, where the unit is 4, and third levels at 3, where it is 1.
		if off*4 <= total && (unit != 8 || off == 0 && levels >= 3) && (unit != 3 || levels >= 2) {
			return Indentation{unit}
		}
	}
	return Indentation{1}
}

// Slack is by how many columns a statement may stand to the left of where it should, for what is not known of its start.
func (d Indentation) Slack() int { return min(d.Unit, 2) - 1 }

// Begins reports whether a statement may begin at a column.
func (d Indentation) Begins(col int) bool { return col > 0 && (col-1)%d.Unit == 0 }

// Returned reports whether a constant at this column, counted from 0, is what a `return` has behind it, seven columns behind
// where statements begin, rather than something that begins a statement.
func (d Indentation) Returned(col int) bool {
	switch d.Unit {
	case 1:
		return col > len("return ") // who indents eight levels deep?
	case 3:
		return col%3 == len("return ")%3
	}
	return col%2 == len("return ")%2
}

// Parenthesis reports whether an `if` behind one at own may as well stand there, too, with a parenthesis in front of
// its test, as be one level deeper.
func (d Indentation) Parenthesis(col, own int) bool { return d.Unit == 1 && col == own+1 }

// Elif reports whether an `if` in an else clause is an `elif`: its start, as the column of its test tells it, is that of a
// longer word. own is the column of the `if` before, and below says that there is no line between for an `else:`.
func (d Indentation) Elif(col, own int, below bool) bool {
	const longer = len("elif") - len("if")
	switch d.Unit {
	case 1:
		return col > own+d.Unit
	case longer:
		return below
	}
	return col < own+max(longer+1, d.Unit-1)
}
