package explain

import (
	"strings"

	"github.com/thuml/depyf/internal/lazyregexp"
)

// What torch before 2.7 says in one breath, and in the names of Dynamo's own classes.
var (
	oldBuiltin  = lazyregexp.New(`^builtin: (\S+) \[.*\] (?:True|False)$`)
	oldFakeCall = lazyregexp.New(`(?s)^(Failed running call_\w+ .*\*\*\{.*?\}\)):\s+(.*)$`)
)

// PlainReason parts a reason of torch before 2.7 into what could not be compiled and what else there is to say of it. Other reasons are
// returned as they are.
func PlainReason(reason string) (cause, rest string) {
	if m := oldBuiltin.FindStringSubmatch(reason); m != nil {
		return "Failed to trace builtin operator `" + m[1] + "`", ""
	}
	if m := oldFakeCall.FindStringSubmatch(reason); m != nil {
		return m[2], m[1]
	}
	first, rest, ok := strings.Cut(reason, ". ")
	if ok && len(reason) > longReason && rest[:1] == strings.ToUpper(rest[:1]) {
		return first, strings.TrimSpace(rest)
	}
	return reason, ""
}

// longReason is how long a reason may be, in bytes, to be taken for one sentence.
const longReason = 80
