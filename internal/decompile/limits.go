package decompile

import (
	"math/big"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/pyc"
)

// limits bound what one file may ask for. In marshal data one code object, name
// or constant can be referred to any number of times, so that a small file can
// demand a text of any length. What a compiler writes stays far below: it makes
// each function in one place, and loads a large constant once.
type limits struct {
	instrs int // instructions that may still be decoded
	text   int // bytes of names and constants that may still be printed
	codes  int // code objects that may still be listed
}

const (
	freeInstrs = 300_000
	freeText   = 16 << 20
	freeCodes  = 100_000
)

// limitError is a limit that was met. The stub of such a code object does not
// list its bytecode, which may be the very thing there is too much of.
type limitError struct{ msg string }

func (e limitError) Error() string { return e.msg }

// newLimits allows a multiple of what the file really holds.
func newLimits(code *pyc.Code) *limits {
	l := &limits{instrs: freeInstrs, text: freeText, codes: freeCodes}
	seen := map[*pyc.Code]bool{}
	var add func(c *pyc.Code)
	add = func(c *pyc.Code) {
		if seen[c] {
			return
		}
		seen[c] = true
		l.codes += 2
		l.instrs += 2 * len(c.Bytecode)
		for _, n := range c.Names {
			l.text += 8 * len(n)
		}
		for _, k := range c.Consts {
			if inner, ok := k.(*pyc.Code); ok {
				add(inner)
			} else {
				l.text += 8 * textSize(k, freeText/8)
			}
		}
	}
	add(code)
	return l
}

// met reports whether too many instructions have been decoded already.
func (l *limits) met() error {
	if l.instrs < 0 {
		return limitError{"the file makes the same functions over and over: that would take too many instructions"}
	}
	return nil
}

// charge takes what decoding and printing f costs from the limits.
func (l *limits) charge(f *bytecode.Func) error {
	l.instrs -= len(f.Instrs)
	if err := l.met(); err != nil {
		return err
	}
	sizes := map[int32]int{} // of displays, by their number
	for i := range f.Instrs {
		in := &f.Instrs[i]
		l.text -= len(in.Name)
		switch in.Const.(type) {
		case nil:
		case pyc.Tuple, pyc.FrozenSet:
			n, ok := sizes[in.RawArg]
			if !ok {
				n = textSize(in.Const, freeText+l.text)
				sizes[in.RawArg] = n
			}
			l.text -= n
		default:
			l.text -= textSize(in.Const, freeText+l.text)
		}
		if l.text < 0 {
			return limitError{"the file repeats its names and constants over and over: that would take too long a text"}
		}
	}
	return nil
}

// textSize estimates the bytes it takes to print a constant; it stops counting
// at most.
func textSize(c pyc.Const, most int) int {
	switch c := c.(type) {
	case pyc.Str:
		return len(c) + 2
	case pyc.Bytes:
		return len(c) + 2
	case pyc.Int:
		return digits(c.Big)
	case pyc.Tuple:
		return textSizes(c, most)
	case pyc.List:
		return textSizes(c, most)
	case pyc.Set:
		return textSizes(c, most)
	case pyc.FrozenSet:
		return textSizes(c, most)
	case pyc.Slice:
		return textSizes([]pyc.Const{c.Start, c.Stop, c.Step}, most)
	case pyc.Dict:
		return pairSizes(c, most)
	case pyc.FrozenDict:
		return pairSizes(c, most)
	}
	return 4
}

func digits(n *big.Int) int { return n.BitLen()/3 + 1 }

func textSizes(list []pyc.Const, most int) int {
	n := 2
	for _, c := range list {
		if n > most {
			break
		}
		n += textSize(c, most-n) + 2
	}
	return n
}

func pairSizes(list []pyc.DictItem, most int) int {
	n := 2
	for _, it := range list {
		if n > most {
			break
		}
		n += textSizes([]pyc.Const{it.Key, it.Value}, most-n)
	}
	return n
}
