package explain

import (
	"regexp"
	"strings"
	"unicode"
)

var (
	// Since 2.9 torch appends a UUID to the names of compiled functions. It has
	// underscores where a UUID has dashes, because it is part of an identifier.
	uuidSuffix = regexp.MustCompile(`_[0-9a-f]{8}_[0-9a-f]{4}_[0-9a-f]{4}_[0-9a-f]{4}_[0-9a-f]{12}`)
	uuidDashed = regexp.MustCompile(`\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`)
	hexAddress = regexp.MustCompile(` at 0x[0-9a-fA-F]{6,16}\b`)
	anyAddress = regexp.MustCompile(`\b0x[0-9a-fA-F]{9,16}\b`)
	// Inductor's cache: <tmp>/torchinductor_<user>/<two letters>/<hash>.<ext>.
	inductorPath = regexp.MustCompile(`[^\s'"()]*torchinductor_[^/\\\s'"]+[/\\](?:[a-z0-9]+[/\\])*([A-Za-z0-9_.-]+)`)
)

// CleanName removes the UUID from the name of a compiled function.
func CleanName(name string) string {
	if !mayHoldUUID(name) {
		return name
	}
	return uuidSuffix.ReplaceAllString(name, "")
}

// mayHoldUUID looks for the twelve hexadecimal digits at the end of a UUID. Most
// text has none, and a plain loop says so far faster than the expressions.
func mayHoldUUID(s string) bool {
	run := 0
	for i := range len(s) {
		if c := s[i]; c >= '0' && c <= '9' || c >= 'a' && c <= 'f' {
			if run++; run == 12 {
				return true
			}
		} else {
			run = 0
		}
	}
	return false
}

// CleanText removes what changes from run to run and says nothing: UUIDs,
// memory addresses and the folder of Inductor's cache. It is for text that is
// meant for reading only; text that may be executed is left alone or cleaned
// in its comments, see CleanComments.
func CleanText(s string) string {
	if mayHoldUUID(s) {
		s = uuidSuffix.ReplaceAllString(s, "")
		s = uuidDashed.ReplaceAllString(s, "<uuid>")
	}
	if strings.Contains(s, "0x") {
		s = hexAddress.ReplaceAllString(s, "")
		s = anyAddress.ReplaceAllString(s, "<address>")
	}
	if strings.Contains(s, "torchinductor_") {
		s = inductorPath.ReplaceAllString(s, "<inductor cache>/$1")
	}
	return s
}

// CleanComments applies CleanText to the comments of a Python text and leaves
// every other byte alone, so that what the text does cannot change. Comments
// inside string literals (Inductor's C++ and Triton kernels are such literals)
// are part of the string and stay.
func CleanComments(src string) string {
	var b strings.Builder
	at := 0
	for _, t := range scanPython(src).tokens {
		if t.kind != tokComment {
			continue
		}
		b.WriteString(src[at:t.start])
		b.WriteString(CleanText(src[t.start:t.end]))
		at = t.end
	}
	b.WriteString(src[at:])
	return b.String()
}

// Identifier makes a valid Python identifier of the name of a code object, such
// as "<lambda>" or "<resume in f>", which is also safe as part of a file name.
func Identifier(name string) string {
	name = CleanName(name)
	var b strings.Builder
	under := false // the last rune written stands for runes that are not allowed
	for _, r := range name {
		switch {
		case r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			b.WriteRune(r)
			under = false
		case !under && b.Len() > 0:
			b.WriteByte('_')
			under = true
		}
	}
	out := b.String()
	if under {
		out = strings.TrimSuffix(out, "_")
	}
	if out == "" {
		return "unnamed"
	}
	if unicode.IsDigit([]rune(out)[0]) {
		out = "_" + out
	}
	if pyKeywords[out] {
		out += "_"
	}
	return shorten(out, 120)
}

// shorten cuts s to at most n bytes at a rune boundary: file systems limit the
// length of a name, and Dynamo's nested resume functions make long ones.
func shorten(s string, n int) string {
	if len(s) <= n {
		return s
	}
	cut := 0
	for i := range s {
		if i > n {
			break
		}
		cut = i
	}
	return s[:cut]
}

// CleanCompileID brings a compile id to the form "frame/version": the attempt,
// "_1", counts restarts of one compilation, whose facts belong together.
func CleanCompileID(id string) string {
	if i := strings.LastIndexByte(id, '_'); i > strings.LastIndexByte(id, '/') {
		id = id[:i]
	}
	return strings.TrimSpace(id)
}
