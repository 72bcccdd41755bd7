package main

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf16"
)

const listingsDir = "../../testdata/listings"

func fromDis(t *testing.T, text string, args ...string) (stdout, stderr string, status int) {
	var out, err bytes.Buffer
	status = runDecompile(append([]string{"--from-dis", "--verify=false", "-"}, args...), strings.NewReader(text), &out, &err)
	return out.String(), err.String(), status
}

func readListing(t *testing.T, name string) string {
	b, err := os.ReadFile(filepath.Join(listingsDir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// What dis of each version prints of one function is decompiled, and reads the same in all.
func TestFromDis(t *testing.T) {
	names, _ := filepath.Glob(filepath.Join(listingsDir, "*.txt"))
	if len(names) != 8 {
		t.Fatalf("%d listings", len(names))
	}
	for _, name := range names {
		version := strings.TrimSuffix(filepath.Base(name), ".txt")
		text, want := readListing(t, version+".txt"), readListing(t, version+".want")
		for _, part := range []string{
			"def function(items, limit, scale):\n    total = 0.5\n\n    def inner(x):\n        return x * scale + limit\n",
			"    for key, item in items:\n", "except (ValueError, KeyError) as error:\n", "raise\n", "finally:\n", `with open("log", "a") as f:`,
			`f.write(f"{total!r:>10}")`, `    return [inner(k) for k in range(3)], {"a": (1, -2.5), "b": b"\x00y", "c": 1j}` + "\n",
		} {
			if !strings.Contains(want, part) {
				t.Errorf("%s.want lacks %q", version, part)
			}
		}
		for about, each := range map[string]string{
			"as it is": text,
			"indented": "    " + strings.ReplaceAll(text, "\n", "\r\n    "),
			"quoted":   "Here it is:\n\n" + text + "\nWhat do you think?\n",
		} {
			got, stderr, status := fromDis(t, each, "--python-version", version)
			if strip(got) != strip(want) || status != 3 {
				t.Errorf("%s, %s: status %d, %s\n%s", version, about, status, stderr, got)
			}
			if said := strings.Contains(stderr, "2 lines of the text are no part of a listing"); said != (about == "quoted") {
				t.Errorf("%s, %s: %q", version, about, stderr)
			}
		}
		if got, stderr, _ := fromDis(t, text); got != want {
			t.Errorf("%s, version unknown: %s\n%s", version, stderr, got)
		}
	}
}

// strip leaves the comments away, of which one says whether the version had to be guessed.
func strip(s string) string { return regexp.MustCompile(`(?m)^#.*\n`).ReplaceAllString(s, "") }

// A listing that is not one, or of another version, costs one line.
func TestFromDisErrors(t *testing.T) {
	text := readListing(t, "3.12.txt")
	for about, each := range map[string]struct{ text, want, version string }{
		"no listing":          {"hello\n", "no line of the text is an instruction as dis lists it", ""},
		"another version":     {text, "is no instruction", "3.8"},
		"an instruction less": {regexp.MustCompile(`STORE_FAST +\d+ \(error\)`).ReplaceAllString(text, ""), "stands at", "3.12"},
		"unknown name":        {strings.Replace(text, "GET_ITER", "GET_IT", 1), "GET_IT is no instruction", "3.12"},
		"jump elsewhere":      {regexp.MustCompile(`(FOR_ITER +)\d+`).ReplaceAllString(text, "${1}99"), "a jump at", "3.12"},
	} {
		args := []string{}
		if each.version != "" {
			args = []string{"--python-version", each.version}
		}
		out, stderr, status := fromDis(t, each.text, args...)
		if status != 1 || out != "" || !strings.Contains(stderr, each.want) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%s: status %d, %q, %q", about, status, stderr, out)
		}
	}
}

// Values that a listing only describes, and what it does not show at all, are named.
func TestFromDisSaysWhatIsMissing(t *testing.T) {
	out, _, _ := fromDis(t, "  1           0 RESUME                   0\n\n  2           2 LOAD_CONST               1 (<object object at 0x7f00>)\n              4 RETURN_VALUE\n", "--python-version", "3.12")
	for _, want := range []string{"values that are shown as <object object at 0x7f00>", "return ___object_1"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
}

// The bytecode that TORCH_LOGS shows is read in the same way.
func TestFromDisOfTorchLogs(t *testing.T) {
	for _, version := range []string{"26", "29", "212", "215"} {
		out, stderr, status := fromDis(t, unpackedLog(t, "torch"+version+".log.gz"))
		if status != 3 || strings.Contains(out, "could not") {
			t.Errorf("torch%s: status %d, %s", version, status, stderr)
		}
		for _, want := range []string{
			"# ORIGINAL BYTECODE f /home/user/small.py line 8 [0/0]", "    y = helper(x, scale) + 1\n    print(\"sum\", y.shape)\n    return y.sum()\n",
			"# MODIFIED BYTECODE torch_dynamo_resume_in_f_at_11 /home/user/small.py line 11 [1/1]", "= __compiled_fn_",
		} {
			if !strings.Contains(out, want) {
				t.Errorf("torch%s lacks %q", version, want)
			}
		}
	}
}

func unpackedLog(t *testing.T, name string) string {
	f, err := os.Open(filepath.Join("../../testdata/torch_logs", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if _, err := b.ReadFrom(z); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Windows PowerShell redirects text in UTF-16, and some editors begin one with a byte order mark.
func TestFromDisOfOtherEncodings(t *testing.T) {
	text := readListing(t, "3.13.txt")
	want, _, _ := fromDis(t, text)
	wide := []byte("\xff\xfe")
	for _, u := range utf16.Encode([]rune(strings.ReplaceAll(text, "\n", "\r\n"))) {
		wide = binary.LittleEndian.AppendUint16(wide, u)
	}
	for name, in := range map[string]string{"UTF-16": string(wide), "a mark": "\xef\xbb\xbf" + text} {
		if got, said, _ := fromDis(t, in); got != want || !strings.Contains(got, "def function(") {
			t.Errorf("%s: %s%s", name, said, got)
		}
	}
}
