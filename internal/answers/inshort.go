package answers

import (
	"strings"

	"github.com/thuml/depyf/internal/explain"
)

// Hence is a chain of causes, the outermost first.
func Hence(causes []string) string { return strings.Join(causes, ", hence: ") }

// InShort is what torch's text of an error says went wrong, without where it stood, hints and stacks.
func InShort(text string) string {
	if reasons := explain.ReadCause(text).Reasons; len(reasons) > 0 {
		return Hence(reasons)
	}
	text, _, _ = strings.Cut(explain.CleanText(text), "\n")
	return text
}
