// Package lazyregexp compiles a regular expression when it is first used.
//
// The program starts once for each watched program and for each command, and most of them
// use few of its hundred expressions; compiling all took a third of the time to start.
// A test still finds an expression that does not compile: in test programs New compiles at
// once, as cmd/go/internal/lazyregexp does.
package lazyregexp

import (
	"regexp"
	"sync"
	"testing"
)

// A Regexp is a regular expression that may not have been compiled yet.
type Regexp struct {
	compiled func() *regexp.Regexp
}

// New returns the regular expression of a text. It panics when the text is none, in a test
// program at once, else at the first use.
func New(text string) *Regexp {
	r := &Regexp{sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })}
	if testing.Testing() {
		r.compiled()
	}
	return r
}

// The methods are those of regexp.Regexp.

func (r *Regexp) FindAllString(s string, n int) []string { return r.compiled().FindAllString(s, n) }

func (r *Regexp) FindAllStringIndex(s string, n int) [][]int {
	return r.compiled().FindAllStringIndex(s, n)
}

func (r *Regexp) FindAllStringSubmatch(s string, n int) [][]string {
	return r.compiled().FindAllStringSubmatch(s, n)
}

func (r *Regexp) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return r.compiled().FindAllStringSubmatchIndex(s, n)
}

func (r *Regexp) FindString(s string) string { return r.compiled().FindString(s) }

func (r *Regexp) FindStringIndex(s string) []int { return r.compiled().FindStringIndex(s) }

func (r *Regexp) FindStringSubmatch(s string) []string { return r.compiled().FindStringSubmatch(s) }

func (r *Regexp) FindStringSubmatchIndex(s string) []int {
	return r.compiled().FindStringSubmatchIndex(s)
}

func (r *Regexp) MatchString(s string) bool { return r.compiled().MatchString(s) }

func (r *Regexp) ReplaceAllString(s, by string) string { return r.compiled().ReplaceAllString(s, by) }

func (r *Regexp) ReplaceAllStringFunc(s string, by func(string) string) string {
	return r.compiled().ReplaceAllStringFunc(s, by)
}
