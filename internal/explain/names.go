package explain

import (
	"strings"
	"unicode"

	"github.com/thuml/depyf/internal/lazyregexp"
)

var (
	uuidDashed = lazyregexp.New(`\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`)
	hexAddress = lazyregexp.New(` at 0x[0-9a-fA-F]{6,16}\b`)
	anyAddress = lazyregexp.New(`\b0x[0-9a-fA-F]{9,16}\b`)
	// Inductor's cache: <tmp>/torchinductor_<user>/<two letters>/<hash>.<ext>.
	inductorPath = lazyregexp.New(`[^\s'"()]*torchinductor_[^/\\\s'"]+[/\\](?:[a-z0-9]+[/\\])*([A-Za-z0-9_.-]+)`)
)

// CleanName removes the UUID from the name of a compiled function.
func CleanName(name string) string {
	if !mayHoldUUID(name) {
		return name
	}
	return cutUUIDs(name)
}

// cutUUIDs removes the UUIDs that torch appends to the names of compiled functions since
// 2.9. They have underscores where a UUID has dashes, being part of an identifier. In a
// whole page, this is far faster than a regular expression.
func cutUUIDs(s string) string {
	const length = len("_01234567_0123_0123_0123_0123456789ab")
	var b strings.Builder
	at := 0
	for i := 0; i+length <= len(s); i++ {
		next := strings.IndexByte(s[i:len(s)-length+1], '_')
		if next < 0 {
			break
		}
		i += next
		n := 0
		for n < length && (strings.IndexByte(uuidBreaks, byte(n)) >= 0 && s[i+n] == '_' || strings.IndexByte(uuidBreaks, byte(n)) < 0 && isHex(s[i+n])) {
			n++
		}
		if n == length {
			b.WriteString(s[at:i])
			at = i + length
			i = at - 1
		}
	}
	if at == 0 {
		return s
	}
	b.WriteString(s[at:])
	return b.String()
}

// uuidBreaks are the places of the underscores in such a UUID.
const uuidBreaks = "\x00\x09\x0e\x13\x18"

func isHex(c byte) bool { return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' }

// mayHoldUUID looks for the twelve hexadecimal digits at the end of a UUID. Most
// text has none, and a plain loop says so far faster than the expressions.
func mayHoldUUID(s string) bool {
	run := 0
	for i := range len(s) {
		if isHex(s[i]) {
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
		s = cutUUIDs(s)
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
// are part of the string and stay. The text comes back with what Balanced says of
// it, which is found on the way and holds for both.
func CleanComments(src string) (text, bad string) {
	var b strings.Builder
	at := 0
	s := scan{src: src}
	s.each(func(t token) {
		if t.kind != tokComment {
			return
		}
		comment := src[t.start:t.end]
		if clean := CleanText(comment); clean != comment {
			b.WriteString(src[at:t.start])
			b.WriteString(clean)
			at = t.end
		}
	})
	if at == 0 {
		return src, s.bad
	}
	b.WriteString(src[at:])
	return b.String(), s.bad
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
