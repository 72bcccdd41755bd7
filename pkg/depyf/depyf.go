// Package depyf is the public Go interface of the decompiler.
//
// Input is a .pyc file, or a marshalled code object with its CPython version;
// output is Python source with a verdict that says how far it is proven.
// Nothing of the input is ever executed.
package depyf

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/thuml/depyf/internal/decompile"
	"github.com/thuml/depyf/internal/equiv"
	"github.com/thuml/depyf/internal/pyc"
	"github.com/thuml/depyf/internal/pyworker"
)

// Options configure Decompile and Verify. The zero value is the default.
type Options struct {
	// PythonVersion, such as "3.12", says that the input is a marshalled code
	// object without the .pyc header.
	PythonVersion string
	// Python is the interpreter to prove with. Empty: one of the right version
	// is looked for; where there is none, the proof does without.
	Python string
	// NoProof leaves the proof out; the verdict is then "unproved".
	NoProof bool
}

// Result is decompiled source.
type Result struct {
	Source  string
	Verdict string // "exact", "proved", "unproved", "differs" or "partial"
	Detail  string // where it differs, or why it is not proven
	Proven  bool
}

// Decompile turns a .pyc file into Python source. The code object of a function,
// without a module around it, becomes a def; one with free variables stands in
// another def, whose parameters they are.
func Decompile(data []byte, opt Options) (*Result, error) {
	code, err := read(data, opt.PythonVersion)
	if err != nil {
		return nil, err
	}
	o := decompile.Options{NoProof: opt.NoProof}
	if !opt.NoProof {
		if pool, err := pyworker.NewPool(code.Version, pyworker.Options{Python: opt.Python, Workers: 1}); err == nil {
			defer pool.Close()
			o.Compile = pool.CompileFlags
		} else if opt.Python != "" {
			return nil, err
		}
	}
	r, err := decompile.Code(code, o)
	if err != nil {
		return nil, err
	}
	return &Result{Source: r.Source, Verdict: string(r.Verdict), Detail: r.Detail, Proven: r.Verdict.Proven()}, nil
}

// Verify reports whether two .pyc files mean the same, and where they differ
// if not.
func Verify(original, other []byte, opt Options) (equal bool, detail string, err error) {
	a, err := read(original, opt.PythonVersion)
	if err != nil {
		return false, "", fmt.Errorf("original: %w", err)
	}
	b, err := read(other, opt.PythonVersion)
	if err != nil {
		return false, "", fmt.Errorf("other: %w", err)
	}
	res := equiv.Compare(a, b, equiv.Options{})
	if res.Equal {
		return true, "", nil
	}
	return false, res.Diff.String(), nil
}

func read(data []byte, version string) (*pyc.Code, error) {
	if version == "" {
		f, err := pyc.ReadBytes(data)
		if err != nil {
			return nil, err
		}
		return f.Code, nil
	}
	minor, err := strconv.Atoi(strings.TrimPrefix(version, "3."))
	if err != nil || minor < 0 || minor > 99 || !pyc.Version(minor).Known() {
		return nil, fmt.Errorf("CPython %s is not supported; %v to %v are", version, pyc.Oldest, pyc.Newest)
	}
	c, err := pyc.Unmarshal(data, pyc.Version(minor))
	if err != nil {
		return nil, err
	}
	code, ok := c.(*pyc.Code)
	if !ok {
		return nil, fmt.Errorf("the data holds a %s, not a code object", pyc.TypeName(c))
	}
	return code, nil
}
