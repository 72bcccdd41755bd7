package cases

import "github.com/thuml/depyf/internal/pyc"

// never holds the instructions that no compiler writes into the code object of a
// module, a class or a function, and why. A case that has one all the same fails
// the tests, so the list cannot hide what a compiler does write.
var never = map[string]string{
	"CACHE":                                "room for the interpreter behind an instruction; decoding skips it",
	"RESERVED":                             "a number kept free",
	"INTERPRETER_EXIT":                     "in the interpreter's own entry frame only",
	"EXIT_INIT_CHECK":                      "in the interpreter's own frame around __init__ only",
	"ENTER_EXECUTOR":                       "patched in by the JIT's optimizer",
	"TRACE_RECORD":                         "patched in while the JIT records a trace",
	"PRINT_EXPR":                           "typed at a prompt only (compile mode \"single\")",
	"CALL_INTRINSIC_1 INTRINSIC_PRINT":     "typed at a prompt only (compile mode \"single\")",
	"CALL_INTRINSIC_1 INTRINSIC_1_INVALID": "a number kept free",
	"CALL_INTRINSIC_2 INTRINSIC_2_INVALID": "a number kept free",
	"COMPARE_OP BAD":                       "the end of the table of comparisons",
	"SET_FUNCTION_ATTRIBUTE annotations":   "functions have an annotate function instead (PEP 649)",
}

// neverCompiled says why no compiler of v writes an instruction, or "".
func neverCompiled(in string, v pyc.Version) string {
	switch {
	case in == "NOP" && v <= pyc.V39:
		return "the compiler takes its NOPs out; only from 3.10 they keep lines for tracing"
	case in == "SET_FUNCTION_ATTRIBUTE annotations" && !v.AnnotationsAreLazy():
		return ""
	}
	return never[in]
}
