package explain

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

func TestIdentifier(t *testing.T) {
	for in, want := range map[string]string{
		"toy_example":   "toy_example",
		"<lambda>":      "lambda_",
		"<resume in f>": "resume_in_f",
		"":              "unnamed",
		"<>":            "unnamed",
		"3d":            "_3d",
		"größe":         "größe",
		"__compiled_fn_1_846e6d74_5650_4060_a5ba_03d7fed3480c": "__compiled_fn_1",
		"torch_dynamo_resume_in_toy_example_at_21":             "torch_dynamo_resume_in_toy_example_at_21",
	} {
		if got := Identifier(in); got != want {
			t.Errorf("Identifier(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestCleanText(t *testing.T) {
	for in, want := range map[string]string{
		"<function f at 0x7fa81c8105a0>":                           "<function f>",
		"__compiled_fn_13_bcf5e77b_901a_4ebd_a3d0_1198c5d58158(a)": "__compiled_fn_13(a)",
		"kernel path: /tmp/torchinductor_root/rb/crbqulgdlyyx7.py": "kernel path: <inductor cache>/crbqulgdlyyx7.py",
		"0x1F stays": "0x1F stays",
		"id 3fa85f64-5717-4562-b3fc-2c963f66afa6": "id <uuid>",
	} {
		if got := CleanText(in); got != want {
			t.Errorf("CleanText(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestCleanCommentsLeavesStrings(t *testing.T) {
	in := "# at 0x7fa81c8105a0\nx = '''\n#include \"/tmp/torchinductor_root/2r/c2r.h\"\n''' # /tmp/torchinductor_root/2r/c2r.h\n"
	want := "#\nx = '''\n#include \"/tmp/torchinductor_root/2r/c2r.h\"\n''' # <inductor cache>/c2r.h\n"
	if got, _ := CleanComments(in); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestCleanCompileID(t *testing.T) {
	for in, want := range map[string]string{"0/0": "0/0", "1/0_1": "1/0", "": "", "!0/1/2_3": "!0/1/2"} {
		if got := CleanCompileID(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// What plain loops find must be what the expressions that they stand for find.
func TestLoopsFindWhatExpressionsDo(t *testing.T) {
	uuid := regexp.MustCompile(`_[0-9a-f]{8}_[0-9a-f]{4}_[0-9a-f]{4}_[0-9a-f]{4}_[0-9a-f]{12}`)
	operator := regexp.MustCompile(`^(?:\*\*=|//=|>>=|<<=|\.\.\.|->|:=|\*\*|//|>>|<<|<=|>=|==|!=|\+=|-=|\*=|/=|%=|&=|\|=|\^=|@=|.)`)
	random := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		var b strings.Builder
		for range random.IntN(4) {
			b.WriteString([]string{"_", "fn_1", "_01234567_89ab_cdef_0123_456789abcdef", "_01234567_89ab_cdef_0123_456789abcde", "f", "_x", "0"}[random.IntN(7)])
		}
		if s := b.String(); cutUUIDs(s) != uuid.ReplaceAllString(s, "") {
			t.Fatalf("%q: %q instead of %q", s, cutUUIDs(s), uuid.ReplaceAllString(s, ""))
		}
		b.Reset()
		for range 1 + random.IntN(3) {
			b.WriteByte("()[]{},;~.*/<>-:=!+%&|^@"[random.IntN(24)])
		}
		if s := b.String(); opLen(s) != len(operator.FindString(s)) {
			t.Fatalf("%q: %d instead of %q", s, opLen(s), operator.FindString(s))
		}
	}
}
