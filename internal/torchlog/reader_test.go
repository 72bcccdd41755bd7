package torchlog

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/md5"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode/utf16"
)

// logOf is a log with these payloads, other output between them.
func logOf(payloads []string) string {
	var b strings.Builder
	for i, p := range payloads {
		sum := md5.Sum([]byte(p))
		fmt.Fprintf(&b, "V1121 02:37:03.355000 9006 torch/_dynamo/utils.py:2473] {\"n\": %d, \"has_payload\": %q}\n", i, hex.EncodeToString(sum[:]))
		b.WriteString("\t" + strings.ReplaceAll(p, "\n", "\n\t") + "\n")
		if i%2 == 1 {
			b.WriteString("output of the program\n\n")
		}
	}
	return b.String()
}

// A payload is read again as it was read at first, wherever it lies.
func TestPayloadsAreReadAgain(t *testing.T) {
	payloads := []string{"one", "", "a\n\n\tb\n", strings.Repeat("a long line ", 20_000), "\n", "crlf\r\nline\r", "last\nof all"}
	text := logOf(payloads)
	for name, log := range map[string]string{"whole": text, "without the last newline": strings.TrimSuffix(text, "\n")} {
		r, err := NewReader(strings.NewReader(log))
		if err != nil {
			t.Fatal(err)
		}
		for i := range payloads {
			e, err := r.Next()
			if err != nil || string(e.Payload) != payloads[i] || e.Torn {
				t.Fatalf("%s: %d: %v, torn %t, %.40q", name, i, err, e.Torn, e.Payload)
			}
			again, err := e.Lies.Read(strings.NewReader(log))
			if err != nil || again != payloads[i] || e.Lies.Sum != md5.Sum([]byte(payloads[i])) {
				t.Errorf("%s: %d: %v, %.40q", name, i, err, again)
			}
			if begin, err := e.Lies.Begin(3).Read(strings.NewReader(log)); err != nil || !strings.HasPrefix(payloads[i], strings.TrimSuffix(begin, "\n")) {
				t.Errorf("%s: %d begins %v, %q", name, i, err, begin)
			}
			if _, err := e.Lies.Read(strings.NewReader("something else")); err == nil && e.Lies.Size > 0 {
				t.Errorf("%s: %d: another file is taken for the log", name, i)
			}
		}
		if _, err := r.Next(); err != io.EOF {
			t.Error(err)
		}
	}
}

// What is compressed lies nowhere.
func TestCompressedPayloads(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = io.WriteString(z, logOf([]string{"one"}))
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := NewReader(&packed)
	if err != nil {
		t.Fatal(err)
	}
	if e, err := r.Next(); err != nil || string(e.Payload) != "one" || e.Lies.Size != 0 {
		t.Errorf("%v, %+v", err, e)
	}
}

// What others put around the lines of a log is taken off: nothing of it is torn, and no line is another program's.
func TestLinesThatOthersChanged(t *testing.T) {
	payloads := []string{"one", "", "a\n\n\tb\n2026-01-01 is a date", "last\nof é all"}
	text := strings.ReplaceAll(logOf(payloads), "output of the program\n\n", "")
	each := func(before, after string) string {
		lines := strings.SplitAfter(text, "\n")
		for i, l := range lines[:len(lines)-1] {
			lines[i] = before + strings.TrimSuffix(l, "\n") + after + "\n"
		}
		return strings.Join(lines, "")
	}
	wideOf := func(order binary.AppendByteOrder) string {
		out := order.AppendUint16(nil, 0xfeff)
		for _, u := range utf16.Encode([]rune(each("", "\r"))) {
			out = order.AppendUint16(out, u)
		}
		return string(out)
	}
	for name, log := range map[string]string{
		"as on Windows":       each("", "\r"),
		"PowerShell":          wideOf(binary.LittleEndian),
		"UTF-16, big-endian":  wideOf(binary.BigEndian),
		"a byte order mark":   "\xef\xbb\xbf" + text,
		"times of a server":   each("2026-11-24T10:00:00.1234567Z ", ""),
		"colours":             each("\x1b[32m", "\x1b[0m"),
		"times, then colours": each("2026-11-24T10:00:00Z \x1b[1;32m", "\x1b[0m\r"),
	} {
		r, err := NewReader(strings.NewReader(log))
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range payloads {
			e, err := r.Next()
			if err != nil || string(e.Payload) != want || e.Torn {
				t.Errorf("%s: %d: %v, torn %t, %q", name, i, err, e.Torn, e.Payload)
				continue
			}
			if e.Lies.Size > 0 {
				if again, err := e.Lies.Read(strings.NewReader(log)); err != nil || again != want {
					t.Errorf("%s: %d: read again: %v, %q", name, i, err, again)
				}
			}
		}
		if _, err := r.Next(); err != io.EOF || r.Other != 0 {
			t.Errorf("%s: %v, %d other lines", name, err, r.Other)
		}
	}
}

// A text in UTF-16 that is cut in the middle of a character, or holds half of one, ends or goes on.
func TestBrokenWideText(t *testing.T) {
	for in, want := range map[string]string{
		"\xff\xfea\x00b": "a", "\xff\xfe\x3d\xd8a\x00": "\uFFFDa", "\xff\xfe\x3d\xd8": "\uFFFD", "\xfe\xff\xd8\x3d\xde\x00": "\U0001F600", "\xff\xfe": "",
	} {
		got, err := io.ReadAll(wideText(bufio.NewReader(strings.NewReader(in))))
		if err != nil || string(got) != want {
			t.Errorf("%q: %q, %v", in, got, err)
		}
	}
}

// No file stops the reader, and what it says of a payload is true.
func FuzzReader(f *testing.F) {
	log := logOf([]string{"one", "a\n\n\tb\n", "crlf\r\nline\r"})
	for _, text := range []string{log, strings.ReplaceAll(log, "\n", "\r\n"), "\xff\xfea\x00", "\x1f\x8b", "\x1b[0m2026-01-01 00:00:00Z \t", "\xef\xbb\xbf" + log} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := NewReader(bytes.NewReader(data))
		if err != nil {
			return
		}
		for {
			e, err := r.Next()
			if err != nil {
				return
			}
			if e.Lies.Size == 0 {
				continue
			}
			if again, err := e.Lies.Read(bytes.NewReader(data)); err != nil || again != string(e.Payload) {
				t.Fatalf("%v, %q is not %q", err, again, e.Payload)
			}
		}
	})
}

// The traceback in front of an error of Dynamo's is torch's, that of another error is not.
func TestTracebacks(t *testing.T) {
	const frames = "Traceback (most recent call last):\n  File \"/home/user/a.py\", line 20, in <module>\n    f(x)\n"
	const chained = "ValueError: no\n\nThe above exception was the direct cause of the following exception:\n\n"
	for text, want := range map[string]int{
		frames + "torch._dynamo.exc.Unsupported: no\n  Explanation: no\n\nfrom user code:\n   File \"/home/user/a.py\", line 5, in f\n    g()\n\n": 0,
		frames + chained + frames + "torch._dynamo.exc.BackendCompilerFailed: backend='b' raised:\nValueError: no\n\nepoch 1\n":                    1,
		"epoch 1\n" + frames + "ValueError: no\nepoch 2\ntorch._dynamo.exc.Unsupported: no\n":                                                      6,
	} {
		r, err := NewReader(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for {
			if _, err := r.Next(); err != nil {
				break
			}
			n++
		}
		if r.Other != want || n != 1 {
			t.Errorf("%d messages, %d other lines:\n%s", n, r.Other, text)
		}
	}
}
