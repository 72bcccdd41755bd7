package listing

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/thuml/depyf/internal/lazyregexp"
)

// line is one instruction of a listing.
type line struct {
	number int // of the source line, when it begins there; 0 without, noLine where dis says that there is none
	label  string
	offset int // -1 where it is not shown
	name   string
	arg    int
	hasArg bool
	repr   string // in parentheses behind the operand
}

// row is one row of an exception table: labels or offsets, as they stand there.
type row struct {
	start, end, target string
	depth              int
	lasti              bool
}

const noLine = -1

func lineNumber(s string) int {
	if s == "--" || s == "?" {
		return noLine
	}
	n, _ := strconv.Atoi(s)
	return n
}

// section is the listing of one code object.
type section struct {
	head  string // <code object f at 0x7f…, file "a.py", line 3>; "" for the first
	lines []line
	rows  []row
}

var (
	nested      = lazyregexp.New(`^\s*Disassembly of (<code object .*>):\s*$`)
	instruction = lazyregexp.New(`^\s*(?:(\d+|--|\?)\s+)??(?:-->\s+)?(?:>>\s+)?(?:(L\d+):\s+)?(?:(\d+)\s+)?(?:-->\s+)?([A-Z][A-Z0-9_]*|<\d+>)(?:\s+(-?\d+))?(?:\s+\((.*)\))?\s*$`)
	tableRow    = lazyregexp.New(`^\s*(L\d+|\d+) to (L\d+|\d+) -> (L\d+|\d+) \[(\d+)\]( lasti)?\s*$`)
	tableHead   = lazyregexp.New(`^\s*ExceptionTable:\s*$`)
	numbers     = lazyregexp.New(`^\s*(?:(\d+|--|\?)\s+)?(?:-->\s+)?(?:>>\s+)?(?:L\d+:\s+)?(\d+)\s+(?:-->\s+)?[A-Z<]`)
)

// parse parts a text into the listings of its code objects. Lines that are no part of one are counted.
func parse(text string) (out []*section, other int, err error) {
	lines := strings.Split(text, "\n")
	offsets := showsOffsets(lines)
	s := &section{}
	out = append(out, s)
	for _, l := range lines {
		l = strings.TrimRight(l, "\r")
		if m := nested.FindStringSubmatch(l); m != nil {
			if len(s.lines) > 0 {
				s = &section{}
				out = append(out, s)
			}
			s.head = m[1]
			continue
		}
		if m := tableRow.FindStringSubmatch(l); m != nil && len(s.lines) > 0 {
			depth, _ := strconv.Atoi(m[4])
			s.rows = append(s.rows, row{m[1], m[2], m[3], depth, m[5] != ""})
			continue
		}
		if strings.TrimSpace(l) == "" || tableHead.MatchString(l) {
			continue
		}
		m := instruction.FindStringSubmatch(l)
		if m == nil {
			other++
			continue
		}
		in := line{label: m[2], offset: -1, name: m[4], repr: m[6]}
		if offsets {
			n := numbers.FindStringSubmatch(l)
			if n == nil {
				return nil, 0, fmt.Errorf("line %q has no offset, unlike the others", l)
			}
			in.number = lineNumber(n[1])
			in.offset, _ = strconv.Atoi(n[2])
		} else if m[1] != "" {
			in.number = lineNumber(m[1])
		} else if m[3] != "" {
			in.number = lineNumber(m[3])
		}
		if m[5] != "" {
			in.hasArg = true
			in.arg, _ = strconv.Atoi(m[5])
		}
		s.lines = append(s.lines, in)
	}
	if len(out) == 1 && len(s.lines) == 0 {
		return nil, 0, fmt.Errorf("no line of the text is an instruction as dis lists it")
	}
	return out, other, nil
}

// showsOffsets reports whether the instructions have offsets. The first one is at 0, and all have one: a
// number of a source line stands at the first instruction of the line alone.
func showsOffsets(lines []string) bool {
	count := 0
	for _, l := range lines {
		if tableRow.MatchString(l) || !instruction.MatchString(l) {
			continue
		}
		m := numbers.FindStringSubmatch(l)
		if m == nil || count == 0 && m[2] != "0" {
			return false
		}
		count++
	}
	return count > 0
}
