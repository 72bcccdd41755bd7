package pyprint

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// TestRoundTrip prints the syntax trees of a whole standard library and lets
// the CPython it belongs to compare the result with the original. It needs
// interpreters and runs only if asked to:
//
//	DEPYF_ROUNDTRIP="/path/python3.8 /path/python3.14" go test -run RoundTrip
//
// DEPYF_ROUNDTRIP_STEP=10 takes every tenth file, DEPYF_ROUNDTRIP_FILES names
// files or folders to use instead, and DEPYF_ROUNDTRIP_OUT is a folder that
// receives the printed text.
func TestRoundTrip(t *testing.T) {
	pythons := strings.Fields(os.Getenv("DEPYF_ROUNDTRIP"))
	if len(pythons) == 0 {
		t.Skip("DEPYF_ROUNDTRIP is not set")
	}
	for _, python := range pythons {
		out, err := exec.Command(python, "-c", "import sys; print(sys.version_info[1])").Output()
		if err != nil {
			t.Fatal(err)
		}
		minor, _ := strconv.Atoi(strings.TrimSpace(string(out)))
		v := pyc.Version(minor)
		t.Run(v.String(), func(t *testing.T) { roundTrip(t, python, v, "ast") })
		if (grammar{v}).stripsDocstrings() {
			t.Run(v.String()+"-docs", func(t *testing.T) { roundTrip(t, python, v, "docs") })
			t.Run(v.String()+"-folded", func(t *testing.T) { roundTrip(t, python, v, "folded") })
		}
	}
}

func roundTrip(t *testing.T, python string, v pyc.Version, mode string) {
	step := os.Getenv("DEPYF_ROUNDTRIP_STEP")
	if step == "" {
		step = "1"
	}
	args := append([]string{"testdata/roundtrip/worker.py", mode, step}, strings.Fields(os.Getenv("DEPYF_ROUNDTRIP_FILES"))...)
	cmd := exec.Command(python, args...)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	outPipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { in.Close(); _ = cmd.Wait() }()
	r := bufio.NewReaderSize(outPipe, 1<<20)
	files, failed, bytes := 0, 0, 0
	var spent time.Duration
	for {
		data, err := readFrame(r)
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		m, err := pyast.DecodeModule(data)
		if err != nil {
			t.Fatal(err)
		}
		if mode == "docs" {
			// Make the input look like what decompilation finds.
			editDocstrings(m, cleanDoc)
		}
		start := time.Now()
		text, perr := Print(m, v, Options{RawDocstrings: mode != "docs"})
		spent += time.Since(start)
		files++
		bytes += len(text)
		if dir := os.Getenv("DEPYF_ROUNDTRIP_OUT"); dir != "" {
			// For comparisons with black, which edits docstrings.
			editDocstrings(m, func(string) string { return "Docstring." })
			short, _ := Print(m, v, Options{})
			_ = os.WriteFile(fmt.Sprintf("%s/%s-%05d.py", dir, v, files), []byte(short), 0o644)
		}
		fmt.Fprintf(in, "%d\n%s", len(text), text)
		res, err := readFrame(r)
		if err != nil {
			t.Fatal(err)
		}
		if len(res) > 0 {
			failed++
			t.Errorf("#%d %s", files, res)
		}
		if perr != nil {
			t.Errorf("#%d: %v", files, perr)
		}
	}
	t.Logf("%s %s: %d files, %d differ, %d bytes printed in %v", v, mode, files, failed, bytes, spent)
}

func editDocstrings(m *pyast.Module, f func(string) string) {
	clean := func(list []pyast.Stmt) {
		if len(list) > 0 {
			if s, ok := docstringOf(list[0]); ok {
				list[0].(*pyast.ExprStmt).Value = pyast.Str(f(s))
			}
		}
	}
	pyast.Inspect(m, func(n pyast.Node) bool {
		switch n := n.(type) {
		case *pyast.Module:
			clean(n.Body)
		case *pyast.FunctionDef:
			clean(n.Body)
		case *pyast.ClassDef:
			clean(n.Body)
		}
		return true
	})
}

func readFrame(r *bufio.Reader) ([]byte, error) {
	line, err := r.ReadString('\n')
	if err != nil {
		return nil, err
	}
	n, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		return nil, err
	}
	if n < 0 {
		return nil, io.EOF
	}
	data := make([]byte, n)
	_, err = io.ReadFull(r, data)
	return data, err
}
