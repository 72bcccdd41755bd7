package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/pyc"
)

// TestNewVersion follows CONTRIBUTING's recipe for a CPython that there is not: the one after the newest, with other opcode
// numbers and an opcode that no version has. It touches only what the recipe names. The program that is built so reads the
// newest version's cases, encoded anew, and writes the same text with the same verdict.
func TestNewVersion(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the decompiler")
	}
	root, dir := "..", t.TempDir()
	next := pyc.Newest + 1
	edits := edited{root: root, dir: dir, replace: map[string]string{}}

	// 1. What the interpreter says of itself, and the tables anew.
	edits.dumps(t, next)
	meanings[added] = "BinaryOp None Add" // 3. what the new opcode means, in gen/ops.go
	defer delete(meanings, added)
	if err := os.MkdirAll(filepath.Join(dir, "internal/opcode"), 0o755); err != nil {
		t.Fatal(err)
	}
	edits.copy(t, "internal/opcode/op.go")
	files, err := generate(dir)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		edits.write(t, name, text)
	}
	// 2. The version and its magic number. It brings nothing that wants a predicate.
	last := "V3" + strings.TrimPrefix(pyc.Newest.String(), "3.")
	edits.change(t, "internal/pyc/version.go", "\t"+last+"\n)", "\t"+last+"\n\tVNext\n)", "Newest = "+last, "Newest = VNext")
	edits.change(t, "internal/pyc/magic.go", ", "+last+"},\n", ", "+last+"},\n\t{9999, 9999, VNext},\n")

	edits.write(t, "gen/readnext/main.go", []byte(reader))
	overlay, err := json.Marshal(map[string]any{"Replace": edits.replace})
	if err != nil {
		t.Fatal(err)
	}
	list := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(list, overlay, 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "run", "-overlay", list, "./gen/readnext", added, filepath.Join("testdata/cases", pyc.Newest.String()+".zip"))
	cmd.Dir = root
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s%s", err, out, errs.Bytes())
	}
	var same, numbers int
	if _, err := fmt.Sscanf(string(out), "%d the same, %d with the new opcode", &same, &numbers); err != nil || same < 250 || numbers < 20 {
		t.Errorf("%s", out)
	}
}

// added is the opcode that no version has: what BINARY_OP does with its first operand.
const added = "ADD_TWO_VALUES"

// edited are files of the repository as the recipe changes them.
type edited struct {
	root, dir string
	replace   map[string]string // the path of each in the repository, and where it is now
}

func (e edited) write(t *testing.T, name string, text []byte) {
	t.Helper()
	to := filepath.Join(e.dir, name)
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, text, 0o644); err != nil {
		t.Fatal(err)
	}
	at, err := filepath.Abs(filepath.Join(e.root, name))
	if err != nil {
		t.Fatal(err)
	}
	e.replace[at] = to
}

func (e edited) read(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(e.root, name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func (e edited) copy(t *testing.T, name string) {
	t.Helper()
	e.write(t, name, e.read(t, name))
}

// change replaces texts of a file, each of which is there once.
func (e edited) change(t *testing.T, name string, pairs ...string) {
	t.Helper()
	text := string(e.read(t, name))
	for i := 0; i < len(pairs); i += 2 {
		if strings.Count(text, pairs[i]) != 1 {
			t.Fatalf("%s does not have %q once", name, pairs[i])
		}
		text = strings.Replace(text, pairs[i], pairs[i+1], 1)
	}
	e.write(t, name, []byte(text))
}

// dumps copies what the interpreters said, and makes up what the next one says: all opcodes but CACHE, which is 0
// everywhere, have numbers that the newest version gives to others.
func (e edited) dumps(t *testing.T, next pyc.Version) {
	t.Helper()
	for v := pyc.Oldest; v <= pyc.Newest; v++ {
		e.copy(t, "gen/opcodes/"+v.String()+".json")
	}
	var dump map[string]any
	if err := json.Unmarshal(e.read(t, "gen/opcodes/"+pyc.Newest.String()+".json"), &dump); err != nil {
		t.Fatal(err)
	}
	numbers := dump["opmap"].(map[string]any)
	moved := func(of string) {
		all := dump[of].(map[string]any)
		for name, n := range all {
			if n := n.(float64); n > 0 && n < 256 {
				all[name] = 1 + int(n+100)%255 // one to one over 1 to 255
			}
		}
	}
	moved("opmap")
	moved("specialized")
	moved("instrumented")
	taken := map[int]bool{}
	for _, of := range []string{"opmap", "specialized", "instrumented"} {
		for _, n := range dump[of].(map[string]any) {
			if n, ok := n.(int); ok {
				taken[n] = true
			}
		}
	}
	free := 1
	for taken[free] {
		free++
	}
	numbers[added] = free
	caches := dump["inline_cache_entries"].(map[string]any)
	caches[added] = caches["BINARY_OP"]
	text, err := json.Marshal(dump)
	if err != nil {
		t.Fatal(err)
	}
	e.write(t, "gen/opcodes/"+next.String()+".json", text)
}

// reader is a program that encodes .pyc files of the version before the newest one for the newest, decompiles both, and
// compares what comes out. Its arguments are the new opcode and an archive.
const reader = `package main

import (
	"archive/zip"
	"fmt"
	"io"
	"os"

	"github.com/thuml/depyf/internal/decompile"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

func check(err error) {
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

var added int

// encoded is a code object for the newest version.
func encoded(c *pyc.Code, numbers map[string]int, name string) *pyc.Code {
	out := *c
	out.Version = pyc.Newest
	out.Bytecode = append([]byte{}, c.Bytecode...)
	for i := 0; i < len(out.Bytecode); i += 2 {
		info := opcode.For(c.Version).Ops[c.Bytecode[i]]
		out.Bytecode[i] = byte(numbers[info.Name])
		if info.Name == "BINARY_OP" && c.Bytecode[i+1] == 0 {
			out.Bytecode[i] = byte(numbers[name])
			added++
		}
		i += 2 * int(info.Caches)
	}
	out.Consts = append([]pyc.Const{}, c.Consts...)
	for i, x := range out.Consts {
		if inner, ok := x.(*pyc.Code); ok {
			out.Consts[i] = encoded(inner, numbers, name)
		}
	}
	return &out
}

func main() {
	numbers := map[string]int{}
	for n, info := range opcode.For(pyc.Newest).Ops {
		if info.Name != "" && info.Flags&(opcode.Specialized|opcode.Instrumented) == 0 {
			numbers[info.Name] = n
		}
	}
	z, err := zip.OpenReader(os.Args[2])
	check(err)
	same, different := 0, 0
	for _, f := range z.File {
		r, err := f.Open()
		check(err)
		data, err := io.ReadAll(r)
		check(err)
		before, err := pyc.ReadBytes(data)
		check(err)
		if before.Version != pyc.Newest-1 {
			check(fmt.Errorf("%s is of %s", f.Name, before.Version))
		}
		file := *before
		file.Version, file.Magic, file.Code = pyc.Newest, pyc.Newest.Magic(), encoded(before.Code, numbers, os.Args[1])
		data, err = file.Bytes()
		check(err)
		after, err := pyc.ReadBytes(data)
		check(err)
		want, err := decompile.Module(before.Code, decompile.Options{})
		check(err)
		have, err := decompile.Module(after.Code, decompile.Options{})
		check(err)
		if have.Source == want.Source && have.Verdict == want.Verdict && (have.Verdict.Proven() || want.Detail == have.Detail) {
			same++
			continue
		}
		different++
		fmt.Printf("%s: %v %s, not %v\n%s\n", f.Name, have.Verdict, have.Detail, want.Verdict, have.Source)
	}
	if different > 0 {
		fmt.Println(different, "differ")
		os.Exit(1)
	}
	fmt.Printf("%d the same, %d with the new opcode\n", same, added)
}
`
