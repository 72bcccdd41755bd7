package pyprint

import (
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// prec is how tightly an expression binds, and as an argument how tightly it
// must bind to stand without parentheses.
type prec uint8

const (
	precYield prec = iota // yield and bare tuples may stand here
	precTuple             // bare tuples may
	precNamed             // an assignment expression may, but no bare tuple
	precTest              // lambda, a if b else c
	precOr
	precAnd
	precNot
	precCompare
	precBitOr
	precBitXor
	precBitAnd
	precShift
	precArith
	precTerm
	precFactor
	precPower
	precAwait
	precAtom
)

type binOp struct {
	text string
	prec prec
	prio priority
}

var binOps = [...]binOp{
	pyast.Add:      {"+", precArith, prioArith},
	pyast.Sub:      {"-", precArith, prioArith},
	pyast.Mult:     {"*", precTerm, prioTerm},
	pyast.MatMult:  {"@", precTerm, prioTerm},
	pyast.Div:      {"/", precTerm, prioTerm},
	pyast.Mod:      {"%", precTerm, prioTerm},
	pyast.FloorDiv: {"//", precTerm, prioTerm},
	pyast.Pow:      {"**", precPower, prioPower},
	pyast.LShift:   {"<<", precShift, prioShift},
	pyast.RShift:   {">>", precShift, prioShift},
	pyast.BitOr:    {"|", precBitOr, prioBitOr},
	pyast.BitXor:   {"^", precBitXor, prioBitXor},
	pyast.BitAnd:   {"&", precBitAnd, prioBitAnd},
}

var cmpOps = [...]string{
	pyast.Eq: "==", pyast.NotEq: "!=", pyast.Lt: "<", pyast.LtE: "<=",
	pyast.Gt: ">", pyast.GtE: ">=", pyast.Is: "is", pyast.IsNot: "is not",
	pyast.In: "in", pyast.NotIn: "not in",
}

var unaryOps = [...]string{
	pyast.Invert: "~", pyast.Not: "not", pyast.UAdd: "+", pyast.USub: "-",
}

// precOf is the binding strength of e as it would be printed.
func (p *printer) precOf(e pyast.Expr) prec {
	switch e := e.(type) {
	case *pyast.Yield, *pyast.YieldFrom:
		return precYield
	case *pyast.Tuple:
		if len(e.Elts) > 0 {
			return precTuple
		}
	case *pyast.NamedExpr:
		return precNamed
	case *pyast.Lambda, *pyast.IfExp:
		return precTest
	case *pyast.BoolOp:
		if e.Op == pyast.And {
			return precAnd
		}
		return precOr
	case *pyast.UnaryOp:
		if e.Op == pyast.Not {
			return precNot
		}
		return precFactor
	case *pyast.Compare:
		return precCompare
	case *pyast.BinOp:
		if int(e.Op) < len(binOps) {
			return binOps[e.Op].prec
		}
	case *pyast.Await:
		return precAwait
	case *pyast.Verbatim:
		if e.Prec == pyast.VerbatimLoose {
			return precYield
		}
	case *pyast.Constant:
		switch c := e.Value.(type) {
		case pyc.Tuple:
			if len(c) > 0 {
				return precTuple
			}
		case pyc.Int, pyc.Float, pyc.Complex:
			_, pr := p.g.number(c)
			return pr
		}
	}
	return precAtom
}

// needParens reports whether e must be parenthesized where at least ctx is
// required.
func (p *printer) needParens(e pyast.Expr, ctx prec) bool {
	pr := p.precOf(e)
	if pr == precNamed {
		// Unlike the rest, := is not allowed in the laxer places.
		return ctx != precNamed
	}
	return pr < ctx
}

// named is precNamed where the version allows an assignment expression
// without parentheses.
func (p *printer) named(ok bool) prec {
	if ok {
		return precNamed
	}
	return precTest
}

// isTuple reports a tuple display or constant and its length.
func isTuple(e pyast.Expr) (int, bool) {
	switch e := e.(type) {
	case *pyast.Tuple:
		return len(e.Elts), true
	case *pyast.Constant:
		if t, ok := e.Value.(pyc.Tuple); ok {
			return len(t), true
		}
	}
	return 0, false
}

// hasStar reports a tuple with a starred item.
func hasStar(e pyast.Expr) bool {
	t, ok := e.(*pyast.Tuple)
	if !ok {
		return false
	}
	for _, x := range t.Elts {
		if _, ok := x.(*pyast.Starred); ok {
			return true
		}
	}
	return false
}
