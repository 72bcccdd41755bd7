package torchlog

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// utf8Mark is the byte order mark with which some editors begin a text.
const utf8Mark = "\xef\xbb\xbf"

// wideText reads a text in UTF-16 as one in UTF-8; nil for any other. Such a text begins with a byte order mark.
func wideText(in *bufio.Reader) io.Reader {
	mark, _ := in.Peek(2)
	var order binary.ByteOrder
	switch {
	case len(mark) == 2 && mark[0] == 0xff && mark[1] == 0xfe:
		order = binary.LittleEndian
	case len(mark) == 2 && mark[0] == 0xfe && mark[1] == 0xff:
		order = binary.BigEndian
	default:
		return nil
	}
	_, _ = in.Discard(2) // they have been looked at
	return &wide{in: in, order: order}
}

type wide struct {
	in    *bufio.Reader
	order binary.ByteOrder
	left  []byte // of the last character
	kept  uint16 // a unit that was read and belongs to the next character
	held  bool
}

func (w *wide) Read(p []byte) (n int, err error) {
	for n < len(p) {
		if len(w.left) == 0 {
			r, err := w.next()
			if err != nil {
				if n > 0 {
					return n, nil
				}
				return 0, err
			}
			w.left = utf8.AppendRune(w.left[:0], r)
		}
		m := copy(p[n:], w.left)
		w.left = w.left[m:]
		n += m
	}
	return n, nil
}

func (w *wide) next() (rune, error) {
	first, err := w.unit()
	if err != nil || !utf16.IsSurrogate(rune(first)) {
		return rune(first), err
	}
	second, err := w.unit()
	if err != nil {
		return utf8.RuneError, nil
	}
	r := utf16.DecodeRune(rune(first), rune(second))
	if r == utf8.RuneError {
		w.kept, w.held = second, true
	}
	return r, nil
}

func (w *wide) unit() (uint16, error) {
	if w.held {
		w.held = false
		return w.kept, nil
	}
	var two [2]byte
	if _, err := io.ReadFull(w.in, two[:]); err != nil {
		return 0, io.EOF // half a unit is none
	}
	return w.order.Uint16(two[:]), nil
}

// Text is a text as UTF-8 without a byte order mark.
func Text(data []byte) []byte {
	if wide := wideText(bufio.NewReader(bytes.NewReader(data))); wide != nil {
		data, _ = io.ReadAll(wide) // memory can be read
	}
	return bytes.TrimPrefix(data, []byte(utf8Mark))
}
