package report

import (
	"regexp"
	"strings"
	"testing"
)

// What plain loops find must be what the expressions that they stand for find.
func TestGuardsLoopsFindWhatExpressionsDo(t *testing.T) {
	operator := regexp.MustCompile(`\b(or|if|lambda)\b|:=`)
	mark := regexp.MustCompile(`^hasattr\(.*, '_dynamo_\w+'\) == (?:False|True)$`)
	pieces := []string{"or", "if", "lambda", "x", " ", ".", "_", "é", ":=", "hasattr(", "L['a'], '_dynamo_", "dynamic_indices", "') == False", "') == True"}
	seen := map[bool]int{}
	var try func(s string, depth int)
	try = func(s string, depth int) {
		if loose(s) != operator.MatchString(s) {
			t.Fatalf("%q binds less than and: %v", s, loose(s))
		}
		found := strings.HasPrefix(likeness(s), "hasattr(…")
		if seen[found]++; found != mark.MatchString(s) {
			t.Fatalf("%q is a mark: %v", s, found)
		}
		if depth > 0 {
			for _, p := range pieces {
				try(s+p, depth-1)
			}
		}
	}
	try("", 5)
	if seen[true] == 0 || seen[false] == 0 {
		t.Errorf("nothing tried: %v", seen)
	}
}
