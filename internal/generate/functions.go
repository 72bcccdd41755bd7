package generate

import (
	"bufio"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"strconv"

	"github.com/thuml/depyf/internal/pyast"
)

//go:embed trees.py
var treesScript string

// Small is the size of a function, in nodes of its tree, that most of a library's do not
// exceed. What failed is easier to see in them.
const Small = 400

// Functions reads the small classes of Python files, and the functions that are no larger than
// that, in nodes, with one CPython's own parser.
func Functions(python string, paths []string, largest int) (list []pyast.Stmt, err error) {
	cmd := exec.Command(python, "-I", "-S", "-E", "-B", "-c", treesScript, strconv.Itoa(largest))
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	defer func() {
		_ = in.Close()
		_ = cmd.Wait()
	}()
	out := bufio.NewReader(pipe)
	for _, path := range paths {
		if _, err := fmt.Fprintln(in, path); err != nil {
			return nil, err
		}
		var n int
		if _, err := fmt.Fscanf(out, "%d\n", &n); err != nil {
			return nil, fmt.Errorf("reading the trees of %s: %w", path, err)
		}
		data := make([]byte, n)
		if _, err := io.ReadFull(out, data); err != nil {
			return nil, err
		}
		var trees []json.RawMessage
		if err := json.Unmarshal(data, &trees); err != nil {
			return nil, err
		}
		for _, t := range trees {
			node, err := pyast.DecodeJSON(t)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
			if s, ok := node.(pyast.Stmt); ok {
				list = append(list, s)
			}
		}
	}
	return list, nil
}
