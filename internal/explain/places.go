package explain

import "strings"

// Place is a line of the user's; the zero Place is none.
type Place struct {
	File string `json:"file"`
	Line int    `json:"line"`
}

// unknownLine is what torch writes where it does not know the line.
const unknownLine = "# No stacktrace found for following nodes"

// Places gives each line of a graph's text the line of the user that it comes from.
func Places(text string) []Place {
	var out []Place
	var at Place
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		t := strings.TrimSpace(line)
		fr, ok := OriginOf(line)
		switch {
		case ok:
			at = Place{fr.File, fr.Line}
		case t == unknownLine, strings.HasPrefix(t, "return "), strings.HasPrefix(t, "def "), strings.HasPrefix(t, "class "):
			at = Place{}
		}
		out = append(out, at)
	}
	return out
}
