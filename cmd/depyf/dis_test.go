package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestDis(t *testing.T) {
	file := filepath.Join("..", "..", "testdata", "dis", "3.13", "loops.pyc")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name   string
		args   []string
		stdin  []byte
		status int
		want   string // in the output, or in the errors when status is not 0
	}{
		{"file", []string{file}, nil, 0, "FOR_ITER                 32 (to 78)"},
		{"normalized", []string{"--normalized", file}, nil, 0, "ForIter                  1 ->"},
		{"positions", []string{"--positions", file}, nil, 0, "1:0-17:25"},
		{"standard input", []string{"-"}, data, 0, "END_FOR"},
		{"no header", []string{"--python-version", "3.13", "-"}, data[16:], 0, "END_FOR"},
		{"no version", []string{"-"}, data[16:], 1, "give --python-version"},
		{"unknown version", []string{"--python-version", "3.6", "-"}, data[16:], 1, "3.7 to 3.15 are supported"},
		{"not code", []string{"--python-version", "3.13", "-"}, []byte("N"), 1, "a None, not a code object"},
		{"cut off", []string{"-"}, data[:100], 1, "at byte"},
		{"no such file", []string{"no-such-file.pyc"}, nil, 1, "no-such-file.pyc"},
		{"no file", nil, nil, 2, "depyf dis -h"},
		{"unknown flag", []string{"--bytes", file}, nil, 2, "depyf dis -h"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out, errs bytes.Buffer
			if status := runDis(tt.args, bytes.NewReader(tt.stdin), &out, &errs); status != tt.status {
				t.Errorf("status %d, want %d: %s", status, tt.status, &errs)
			}
			text := out.String()
			if tt.status != 0 {
				text = errs.String()
			}
			if !strings.Contains(text, tt.want) {
				t.Errorf("no %q in\n%.2000s", tt.want, text)
			}
		})
	}
}
