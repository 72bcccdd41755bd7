package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/thuml/depyf/internal/pyc"
)

// maxInput bounds what is read into memory of one file.
const maxInput = 1 << 28

// readInput reads a file, or standard input for "-".
func readInput(path string, stdin io.Reader) ([]byte, error) {
	r, size := stdin, int64(0)
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return nil, plain(err)
		}
		defer f.Close()
		if st, err := f.Stat(); err == nil {
			if st.IsDir() {
				return nil, errors.New("it is a folder; use -r to descend into folders")
			}
			size = st.Size()
		}
		r = f
	}
	var all bytes.Buffer
	all.Grow(int(min(size, maxInput)) + bytes.MinRead)
	if _, err := all.ReadFrom(io.LimitReader(r, maxInput+1)); err != nil {
		return nil, plain(err)
	}
	data := all.Bytes()
	if len(data) > maxInput {
		return nil, fmt.Errorf("it is larger than %d MiB", maxInput>>20)
	}
	return data, nil
}

// plain takes the path out of an error of the file system: messages begin with it.
func plain(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// readCode reads a .pyc file or, without its header, a code object of the given
// version. The two cannot be mixed up: bytes 2 and 3 of a header are CR LF,
// those of a code object belong to its number of arguments.
func readCode(data []byte, version string) (*pyc.Code, error) {
	if len(data) >= 4 && data[2] == '\r' && data[3] == '\n' {
		f, err := pyc.ReadBytes(data)
		if err != nil {
			if v, known := pyc.VersionOf(data); known {
				return nil, fmt.Errorf("a .pyc file of CPython %v, but cut off or broken: %w", v, err)
			}
			return nil, err
		}
		return f.Code, nil
	}
	if version == "" {
		what := describe(data)
		if maybeCode(data) {
			return nil, fmt.Errorf("%s; if it is a marshalled code object without the .pyc header, give --python-version", what)
		}
		return nil, fmt.Errorf("%s; depyf reads .pyc files of CPython %v to %v", what, pyc.Oldest, pyc.Newest)
	}
	v, err := parseVersion(version)
	if err != nil {
		return nil, err
	}
	c, err := pyc.Unmarshal(data, v)
	if err != nil {
		return nil, err
	}
	code, ok := c.(*pyc.Code)
	if !ok {
		return nil, fmt.Errorf("the data is a %s, not a code object", pyc.TypeName(c))
	}
	return code, nil
}

// maybeCode reports whether data begins as a marshalled code object does.
func maybeCode(data []byte) bool {
	return len(data) > 20 && data[0]&0x7f == 'c'
}

// signatures are the beginnings of files that are taken for compiled Python.
var signatures = []struct{ head, what string }{
	{"\x7fELF", "an ELF program or library"},
	{"MZ", "a Windows program or library"},
	{"\xcf\xfa\xed\xfe", "a macOS program or library"},
	{"\xca\xfe\xba\xbe", "a Java class or macOS program"},
	{"PK\x03\x04", "a zip archive: unpack it first"},
	{"PK\x05\x06", "an empty zip archive"},
	{"\x1f\x8b", "gzip data: unpack it first"},
	{"BZh", "bzip2 data: unpack it first"},
	{"\xfd7zXZ", "xz data: unpack it first"},
	{"\x80\x02", "pickled data"},
	{"\x80\x03", "pickled data"},
	{"\x80\x04", "pickled data"},
	{"\x80\x05", "pickled data"},
	{"\x89PNG", "a PNG image"},
	{"%PDF", "a PDF document"},
	{"SQLite format 3", "an SQLite database"},
	{"\x93NUMPY", "a NumPy array"},
	{"#!", "a script"},
}

// describe says what data that is no .pyc file seems to be.
func describe(data []byte) string {
	if len(data) == 0 {
		return "the file is empty"
	}
	for _, s := range signatures {
		if bytes.HasPrefix(data, []byte(s.head)) {
			return "not a .pyc file but " + s.what
		}
	}
	head := data[:min(len(data), 4096)]
	if text := bytes.TrimSpace(head); utf8.Valid(head[:len(head)-len(head)%4]) && !bytes.ContainsRune(head, 0) {
		for _, word := range []string{"import ", "from ", "def ", "class ", "print(", "\"\"\"", "@"} {
			if bytes.HasPrefix(text, []byte(word)) || bytes.Contains(text, []byte("\n"+word)) {
				return "not a .pyc file but Python source"
			}
		}
		return "not a .pyc file but text"
	}
	return fmt.Sprintf("not a .pyc file: it begins with the bytes % x", data[:min(len(data), 4)])
}

// parseVersion reads "3.12" or "3.12.1".
func parseVersion(s string) (pyc.Version, error) {
	minor, ok := strings.CutPrefix(s, "3.")
	minor, _, _ = strings.Cut(minor, ".")
	n := 0
	if _, err := fmt.Sscanf(minor, "%d", &n); err != nil || fmt.Sprint(n) != minor {
		ok = false
	}
	if v := pyc.Version(n); ok && n < 256 && v.Known() {
		return v, nil
	}
	return 0, fmt.Errorf("unknown Python version %q; %s to %s are supported", s, pyc.Oldest, pyc.Newest)
}
