package report

import "strings"

// Marked text is plain text in which code stands between backquotes. It is what both reports show: names and
// messages come from the program and from torch, so whatever else means something in Markdown or in HTML is escaped.

// span is a piece of marked text.
type span struct {
	text string
	code bool
}

// spans parts marked text. Code that holds backquotes has more of them around it; one without a partner is text.
func spans(s string) []span {
	var out []span
	plain := 0
	for i := 0; i < len(s); {
		if s[i] != '`' {
			i++
			continue
		}
		fence := ticks(s[i:])
		end := i + fence
		for end < len(s) && (s[end] != '`' || ticks(s[end:]) != fence) {
			end += max(1, ticks(s[end:]))
		}
		if end >= len(s) {
			i += fence
			continue
		}
		inner := s[i+fence : end]
		if fence > 1 {
			inner = strings.TrimSuffix(strings.TrimPrefix(inner, " "), " ")
		}
		if plain < i {
			out = append(out, span{s[plain:i], false})
		}
		out = append(out, span{inner, true})
		i = end + fence
		plain = i
	}
	if plain < len(s) {
		out = append(out, span{s[plain:], false})
	}
	return out
}

func ticks(s string) int { return len(s) - len(strings.TrimLeft(s, "`")) }

// code sets text as code in marked text.
func code(s string) string {
	s = oneLine(s)
	if s == "" {
		return ""
	}
	longest := 0
	for i := 0; i < len(s); {
		n := ticks(s[i:])
		longest = max(longest, n)
		i += max(1, n)
	}
	if longest == 0 {
		return "`" + s + "`"
	}
	fence := strings.Repeat("`", longest+1)
	return fence + " " + s + " " + fence
}

// escape takes from plain text what it would mean in Markdown, and leaves the rest readable as it is.
func escape(s string, start bool) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		var before, after byte = ' ', ' '
		if i > 0 {
			before = s[i-1]
		}
		if i+1 < len(s) {
			after = s[i+1]
		}
		special := false
		switch c := s[i]; c {
		case '\\', '`', '*', '~', '$':
			special = true
		case '_':
			special = !isWord(before) || !isWord(after) // inside a word it means nothing
		case '<':
			special = after == '/' || after == '!' || after == '?' || isWord(after)
		case '&':
			special = after == '#' || isWord(after)
		case ']':
			special = after == '(' || after == '[' || after == ':'
		case '#', '>', '+', '-', '=':
			special = start && i == 0
		case '.', ')':
			special = start && i > 0 && after == ' ' && strings.Trim(s[:i], "0123456789") == "" // 1. begins a list, 1.5 s do not
		}
		if special {
			b.WriteByte('\\')
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// markdown is marked text for index.md.
func markdown(s string) string {
	var b strings.Builder
	for i, sp := range spans(oneLine(s)) {
		if sp.code {
			b.WriteString(code(sp.text))
		} else {
			b.WriteString(escape(sp.text, i == 0))
		}
	}
	return b.String()
}

// cell makes Markdown fit for a table.
func cell(s string) string { return strings.ReplaceAll(oneLine(s), "|", `\|`) }
