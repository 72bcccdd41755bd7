// Command gen writes the opcode tables of internal/opcode: for each CPython
// version from gen/opcodes/3.X.json, which gen/opcodes.py printed under that
// interpreter, and the names of the Op constants from op.go.
//
// Run it as "go run ./gen" in the repository root, or "go generate ./...".
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/thuml/depyf/internal/pyc"
)

func main() {
	dir := flag.String("dir", ".", "root of the repository")
	flag.Parse()
	files, err := generate(*dir)
	if err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(*dir, name), text, 0o644); err != nil {
			fmt.Fprintln(os.Stderr, "gen:", err)
			os.Exit(1)
		}
	}
}

// generate returns every generated file by its path below dir.
func generate(dir string) (map[string][]byte, error) {
	files := map[string][]byte{}
	minors, err := versions(filepath.Join(dir, "gen", "opcodes"))
	if err != nil {
		return nil, err
	}
	files["internal/opcode/tables_gen.go"] = tables(minors)
	for _, minor := range minors {
		dump, err := readDump(filepath.Join(dir, "gen", "opcodes", fmt.Sprintf("3.%d.json", minor)))
		if err != nil {
			return nil, err
		}
		text, err := dump.table(minor)
		if err != nil {
			return nil, fmt.Errorf("3.%d: %w", minor, err)
		}
		files[fmt.Sprintf("internal/opcode/table_3%d_gen.go", minor)] = text
	}
	text, err := opNames(filepath.Join(dir, "internal", "opcode", "op.go"))
	if err != nil {
		return nil, err
	}
	files["internal/opcode/op_string_gen.go"] = text
	return files, nil
}

// versions lists the minor versions that a folder has dumps of, in order: they follow one by one.
func versions(dir string) ([]int, error) {
	names, err := filepath.Glob(filepath.Join(dir, "3.*.json"))
	if err != nil {
		return nil, err
	}
	var minors []int
	for _, name := range names {
		var minor int
		if _, err := fmt.Sscanf(filepath.Base(name), "3.%d.json", &minor); err != nil {
			return nil, fmt.Errorf("%s: its name is no version: %w", name, err)
		}
		minors = append(minors, minor)
	}
	slices.Sort(minors)
	for i, minor := range minors {
		if want := int(pyc.Oldest) + i; minor != want {
			return nil, fmt.Errorf("%s has no 3.%d.json", dir, want)
		}
	}
	return minors, nil
}
