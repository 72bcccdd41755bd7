package torchlog

import (
	"bytes"
	"compress/gzip"
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"io"
	"strings"
	"testing"
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
