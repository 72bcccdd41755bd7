package explain

import (
	"strconv"
	"strings"

	"github.com/thuml/depyf/internal/lazyregexp"
)

var resumeOffset = lazyregexp.New(`^__resume_at_(\d+)_`)

// Arm says which way a resume function is of a branch at which a version breaks; ok is false where it does not break at a branch, and
// where the condition has parts: a break may be behind the first of them. The names of resume functions have the offsets in the
// bytecode at which they go on, and the body of an `if` or a `while` stands directly behind its condition.
func (v *Version) Arm(name string) (taken, ok bool) {
	if v.Compile == nil || len(v.Compile.Breaks) != 1 || len(v.Resumes) != 2 || !plainBranch(v.Compile.Breaks[0].Code) {
		return false, false
	}
	var at [2]int
	for i, r := range v.Resumes {
		m := resumeOffset.FindStringSubmatch(r.Name)
		if m == nil {
			return false, false
		}
		at[i], _ = strconv.Atoi(m[1])
	}
	switch {
	case at[0] == at[1]:
		return false, false
	case name == v.Resumes[0].Name:
		return at[0] < at[1], true
	case name == v.Resumes[1].Name:
		return at[1] < at[0], true
	}
	return false, false
}

// plainBranch reports whether a line branches on a condition without parts.
func plainBranch(line string) bool {
	for _, word := range []string{" and ", " or ", " if "} {
		if strings.Contains(line, word) {
			return false
		}
	}
	return strings.HasPrefix(line, "if ") || strings.HasPrefix(line, "elif ") || strings.HasPrefix(line, "while ")
}
