package sugar

import (
	"slices"

	"github.com/thuml/depyf/internal/evidence"
	"github.com/thuml/depyf/internal/pyast"
)

// belowElse takes out of the first arm of n what stands below the other one, which leaves. Where
// n has no else clause, that is all of rest, which stands in front of it, and goes into one.
//
//	if a:               if a:
//	    b                   b
//	    d          →    else:
//	else:                   return c
//	    return c        d
func belowElse(n *pyast.If, rest []pyast.Stmt) (below []pyast.Stmt, all bool) {
	other := n.OrElse
	if all = len(other) == 0; all && !fallsOff(n.Body) {
		other = rest
	}
	if len(other) == 0 || len(n.Body) < 2 {
		return nil, false
	}
	// Most often the lines of two statements tell, and the others need not be walked.
	if line := evidence.StartLine(other[0]); line == 0 || evidence.StartLine(n.Body[len(n.Body)-1]) <= line || fallsOff(other) {
		return nil, false
	}
	first, last := evidence.StartLine(other[0]), evidence.LastLine(other)
	k := len(n.Body)
	for k > 1 && evidence.StartLine(n.Body[k-1]) > last {
		k--
	}
	if k == len(n.Body) || evidence.LastLine(n.Body[:k]) >= first {
		return nil, false
	}
	below = slices.Clone(n.Body[k:])
	n.Body, n.OrElse = n.Body[:k:k], slices.Clone(other)
	return below, all
}

// outOfElse takes the last statements out of n's else clause that do not stand as deep as its arm, which leaves.
func outOfElse(n *pyast.If, in evidence.Indentation) []pyast.Stmt {
	body, k := in.Column(n.Body), len(n.OrElse)
	for ; k > 1; k-- {
		line, c := in.Start(n.OrElse[k-1])
		if !evidence.ExactStart(n.OrElse[k-1]) {
			c += in.Slack()
		}
		if line == 0 || c <= in.Slack() || c >= body {
			break
		}
	}
	out := n.OrElse[k:]
	n.OrElse = n.OrElse[:k:k]
	return out
}

// leavesBelow reports whether the list ends with a jump that stands below what follows, as wide as its word (3.11+): a copy
// of one behind both.
func leavesBelow(list []pyast.Stmt, next pyast.Stmt) bool {
	p, width := list[len(list)-1].Position(), 0
	switch last := list[len(list)-1]; {
	case isContinue(last):
		width = len("continue")
	case isPlainReturn(last):
		width = len("return")
	}
	line := evidence.StartLine(next)
	return width > 0 && p.Col > 0 && p.EndLine == p.Line && p.EndCol-p.Col == width && line > 0 && p.Line > line
}
