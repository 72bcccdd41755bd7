package pyast

// HasStarred reports whether one of the items of a display or the arguments of a call is `*x`, so that their number is not known.
func HasStarred(list []Expr) bool {
	for _, e := range list {
		if _, ok := e.(*Starred); ok {
			return true
		}
	}
	return false
}

// OnlyItem is the item of a list or tuple display of one, nil for any other expression.
func OnlyItem(e Expr) Expr {
	var elts []Expr
	switch e := e.(type) {
	case *List:
		elts = e.Elts
	case *Tuple:
		elts = e.Elts
	}
	if len(elts) != 1 || HasStarred(elts) {
		return nil
	}
	return elts[0]
}
