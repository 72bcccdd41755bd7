// Package pyprint turns a Python syntax tree into source text for one CPython
// version, laid out as a person (and the formatter black) would.
//
// Input: a pyast tree, the target version, Options. Output: text that the
// target version parses back into the same tree, and optionally the output
// lines of every statement.
//
// How it works: a statement or a clause header becomes one logical line, a list
// of tokens (token.go) that know their brackets and where a line may break.
// layout.go breaks logical lines that are too long. Nothing is ever continued
// with a backslash.
//
// Invariants:
//
//   - Parentheses follow from precedence (prec.go) and from the grammar of the
//     target version (features.go), never from guesses about the surroundings.
//   - The layout adds only line breaks, optional parentheses, trailing commas
//     and splits of string literals, each only where it keeps the meaning.
//   - What the target version cannot express is printed as well as possible and
//     reported as a problem: the text comes with a non-nil error.
//   - No panic leaves the package.
package pyprint
