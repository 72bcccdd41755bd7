package pyast

import (
	"fmt"
	"reflect"
)

// Check reports the first thing that makes a list of statements no tree of Python's:
// a statement, test, target or operand that is missing, or a `break` or `continue`
// outside a loop. A body may be empty: it is printed as `pass`.
func Check(list []Stmt) error { return checkList(list, false) }

func checkList(list []Stmt, loop bool) error {
	for _, s := range list {
		if s == nil {
			return fmt.Errorf("a statement is missing")
		}
		if err := checkStmt(s, loop); err != nil {
			return err
		}
	}
	return nil
}

func checkStmt(s Stmt, loop bool) error {
	if err := complete(s); err != nil {
		return err
	}
	switch n := s.(type) {
	case *Break, *Continue:
		if !loop {
			return fmt.Errorf("line %d: a %T outside a loop", s.Position().Line, n)
		}
	case *FunctionDef, *ClassDef:
		return nil // checked on its own
	case *For:
		return both(n.Body, n.OrElse, loop)
	case *While:
		return both(n.Body, n.OrElse, loop)
	}
	var err error
	Blocks(s, func(b *[]Stmt) {
		if err == nil {
			err = checkList(*b, loop)
		}
	})
	return err
}

// both checks the body of a loop and what stands behind it.
func both(body, orElse []Stmt, loop bool) error {
	if err := checkList(body, true); err != nil {
		return err
	}
	return checkList(orElse, loop)
}

// required are the fields that a node cannot be without.
var required = map[string]bool{
	"Test": true, "Target": true, "Value": true, "Iter": true, "Left": true, "Right": true, "Operand": true,
	"Func": true, "Elt": true, "Subject": true, "Pattern": true, "Slice": true, "ContextExpr": true,
}

// optional are those of the required that Python's grammar allows to be missing.
var optional = map[reflect.Type]string{
	reflect.TypeFor[*Return](): "Value", reflect.TypeFor[*Yield](): "Value", reflect.TypeFor[*AnnAssign](): "Value",
	reflect.TypeFor[*MatchAs](): "Pattern", reflect.TypeFor[*Verbatim](): "Value",
}

// needed lists for each type of node the fields that must not be nil. What is no node
// of Python's, a statement that only some passes know, has none.
var needed = map[reflect.Type][]int{}

func init() {
	for _, n := range allNodes {
		t := reflect.TypeOf(n)
		for i := range t.Elem().NumField() {
			f := t.Elem().Field(i)
			if f.Type.Kind() == reflect.Interface && required[f.Name] && optional[t] != f.Name {
				needed[t] = append(needed[t], i)
			}
		}
	}
}

// complete checks the fields of a statement and of the expressions in it.
func complete(s Stmt) error {
	var err error
	Walk(s, func(n Node) bool {
		if _, isStmt := n.(Stmt); n == nil || isStmt && n != Node(s) {
			return false // checked on its own
		}
		t := reflect.TypeOf(n)
		for _, i := range needed[t] {
			if err == nil && reflect.ValueOf(n).Elem().Field(i).IsNil() {
				err = fmt.Errorf("line %d: a %s without %s", s.Position().Line, t.Elem().Name(), t.Elem().Field(i).Name)
			}
		}
		return err == nil
	}, nil)
	return err
}
