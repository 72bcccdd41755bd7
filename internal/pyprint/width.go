package pyprint

import (
	"unicode"
	"unicode/utf8"
)

// textWidth is the number of columns s takes in a terminal.
func textWidth(s string) int {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return i + wideWidth(s[i:])
		}
	}
	return len(s)
}

func wideWidth(s string) int {
	w := 0
	for _, r := range s {
		switch {
		case r < 0x300:
			w++
		case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		case wide(r):
			w += 2
		default:
			w++
		}
	}
	return w
}

// wide covers the blocks of East Asian wide characters and pictographs.
func wide(r rune) bool {
	for _, b := range [...][2]rune{
		{0x1100, 0x115f},
		{0x2e80, 0x303e},
		{0x3041, 0x4dbf},
		{0x4e00, 0xa4cf},
		{0xa960, 0xa97c},
		{0xac00, 0xd7a3},
		{0xf900, 0xfaff},
		{0xfe30, 0xfe6f},
		{0xff01, 0xff60},
		{0xffe0, 0xffe6},
		{0x17000, 0x18cff},
		{0x1b000, 0x1b2ff},
		{0x1f300, 0x1f64f},
		{0x1f680, 0x1f6ff},
		{0x1f900, 0x1faff},
		{0x20000, 0x3fffd},
	} {
		if b[0] <= r && r <= b[1] {
			return true
		}
	}
	return false
}
