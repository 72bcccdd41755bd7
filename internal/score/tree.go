package score

import (
	"bufio"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
)

//go:embed ceiling.py
var ceilingScript string

//go:embed tree.py
var treeScript string

// A TreeDiff is a function whose decompiled syntax tree is not the original's.
type TreeDiff struct {
	Name string `json:"name"` // qualified name
	Line int    `json:"line"` // of the first difference, in the original
	Kind string `json:"kind"` // what differs first: "If.test: BoolOp -> Compare"
	Old  string `json:"old"`  // the lines there
	New  string `json:"new"`

	// Untold: both trees compile to the same code and the same tables, so that no
	// decompiler can know which of them was written. See ceiling.py.
	Untold bool `json:"untold"`
}

// Trees compares the syntax trees of two sources with one CPython's own parser.
// What leaves no trace in bytecode is left out of the comparison: tree.py says
// what that is. It serves one goroutine at a time.
type Trees struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

// NewTrees starts the interpreter.
func NewTrees(python string) (*Trees, error) {
	t := &Trees{cmd: exec.Command(python, "-I", "-S", "-E", "-B", "-c", ceilingScript+treeScript)}
	var err error
	if t.in, err = t.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := t.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	t.out = bufio.NewReader(out)
	return t, t.cmd.Start()
}

// Close ends the interpreter.
func (t *Trees) Close() {
	_ = t.in.Close()
	_ = t.cmd.Wait()
}

// Compare returns how many functions source has, and those whose tree in text,
// the decompiled source, is another.
func (t *Trees) Compare(source []byte, text string) (functions int, differ []TreeDiff, err error) {
	request, err := json.Marshal(map[string][]byte{"source": source, "text": []byte(text)})
	if err != nil {
		return 0, nil, err
	}
	if _, err := t.in.Write(append(request, '\n')); err != nil {
		return 0, nil, err
	}
	line, err := t.out.ReadBytes('\n')
	if err != nil {
		return 0, nil, fmt.Errorf("the comparison of trees died: %w", err)
	}
	var answer struct {
		Functions int        `json:"functions"`
		Differ    []TreeDiff `json:"differ"`
		Error     string     `json:"error"`
	}
	if err := json.Unmarshal(line, &answer); err != nil {
		return 0, nil, err
	}
	if answer.Error != "" {
		return 0, nil, errors.New(answer.Error)
	}
	return answer.Functions, answer.Differ, nil
}
