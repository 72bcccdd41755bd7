package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/thuml/depyf/internal/decompile"
	"github.com/thuml/depyf/internal/pass"
	"github.com/thuml/depyf/internal/passpage"
	"github.com/thuml/depyf/internal/pyc"
)

// dumpPasses is "depyf decompile --dump-passes=OUT FILE [FUNCTION]".
func (c *decompileCmd) dumpPasses(out string, args []string, stdin io.Reader) int {
	refuse := func(format string, args ...any) int {
		fmt.Fprintf(c.stderr, "depyf decompile: "+format+"\n", args...)
		return 1
	}
	if len(args) > 2 {
		fmt.Fprintf(c.stderr, "depyf decompile: --dump-passes takes one file and one function, not %d arguments\n", len(args))
		return 2
	}
	path := args[0]
	data, err := readInput(path, stdin)
	if err != nil {
		return refuse("%s: %v", path, err)
	}
	code, err := readCode(data, c.version)
	if err != nil {
		return refuse("%s: %v", path, err)
	}
	chosen, name := code, code.Name
	if len(args) == 2 {
		if chosen, name, err = functionIn(code, args[1]); err != nil {
			return refuse("%s: %v", path, err)
		}
	}
	rec := &passpage.Recorder{}
	watch := rec.Watch(decompile.Passes)
	opt := decompile.Options{NoProof: !c.verify, Watch: func(k *pyc.Code) *pass.Watch {
		if k != chosen {
			return nil
		}
		return watch
	}}
	if c.verify {
		if pool := c.pool(code.Version); pool != nil {
			opt.Compile = pool.CompileFlags
		}
	}
	res, err := decompile.Code(code, opt)
	if err != nil {
		return refuse("%s: %v", path, err)
	}
	all, changed := rec.Passes()
	if all == 0 {
		return refuse("%s: %s goes through no passes: the code around it has no text", path, name)
	}
	var page bytes.Buffer
	err = rec.WriteHTML(&page, passpage.Head{
		Name: name, File: oneLine(code.Filename), Version: code.Version.String(), Verdict: verdictOf(res, chosen, code),
	})
	if err == nil {
		err = os.WriteFile(out, page.Bytes(), 0o666)
	}
	if err != nil {
		return refuse("%s: %v", out, plain(err))
	}
	fmt.Fprintf(c.stderr, "depyf decompile: %s: %s went through %d passes, %d of which changed something\n", out, name, all, changed)
	return 0
}

// verdictOf says how far the whole file is proven: the passes are those of one code
// object, the verdict that of the text that it is a part of.
func verdictOf(r *decompile.Result, chosen, code *pyc.Code) string {
	if chosen == code {
		return "verdict: " + string(r.Verdict)
	}
	return "verdict of the file: " + string(r.Verdict)
}

// maxListed bounds how many functions an error message names.
const maxListed = 12

// functionIn finds the code object that a name means: the whole of its qualified name,
// or the end of it where that is enough. Of several of one name ":12" behind it chooses
// the one that begins on line 12.
func functionIn(code *pyc.Code, wanted string) (*pyc.Code, string, error) {
	name, line := wanted, 0
	if i := strings.LastIndexByte(wanted, ':'); i >= 0 {
		if n, err := strconv.Atoi(wanted[i+1:]); err == nil {
			name, line = wanted[:i], n
		}
	}
	type place struct {
		code *pyc.Code
		name string
	}
	var every, exact, end []place
	var walk func(c *pyc.Code, prefix string)
	walk = func(c *pyc.Code, prefix string) {
		for _, k := range c.Consts {
			inner, ok := k.(*pyc.Code)
			if !ok {
				continue
			}
			p := place{inner, prefix + inner.Name}
			every = append(every, p)
			switch {
			case line != 0 && inner.FirstLine != line:
			case p.name == name:
				exact = append(exact, p)
			case strings.HasSuffix(p.name, "."+name):
				end = append(end, p)
			}
			next := p.name + "."
			if inner.IsFunction() {
				next += "<locals>."
			}
			walk(inner, next)
		}
	}
	prefix := ""
	if code.IsFunction() {
		prefix = code.Name + ".<locals>."
	}
	if name == code.Name {
		return code, name, nil
	}
	walk(code, prefix)
	found := exact
	if len(found) == 0 {
		found = end
	}
	list := func(places []place) string {
		var names []string
		for i, p := range places {
			if i == maxListed {
				names = append(names, fmt.Sprintf("and %d more", len(places)-i))
				break
			}
			names = append(names, fmt.Sprintf("%s (line %d)", p.name, p.code.FirstLine))
		}
		return strings.Join(names, ", ")
	}
	switch {
	case len(found) == 1:
		return found[0].code, found[0].name, nil
	case len(found) > 1:
		return nil, "", fmt.Errorf("%d functions are called %s: %s; a line behind the name chooses one (%s:%d)", len(found), wanted, list(found), name, found[0].code.FirstLine)
	case len(every) == 0:
		return nil, "", fmt.Errorf("there is no function %s; the file has none at all", wanted)
	}
	return nil, "", fmt.Errorf("there is no function %s; there are %s", wanted, list(every))
}
