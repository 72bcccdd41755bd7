package explain

import (
	"strings"

	"github.com/thuml/depyf/internal/pyc"
)

// infoOf takes from a code object what the reports need.
func infoOf(c *pyc.Code) CodeInfo {
	vars := c.VarNames()
	at := func(i int) string {
		if i >= 0 && i < len(vars) {
			return vars[i]
		}
		return ""
	}
	n := c.ArgCount + c.KwOnlyArgCount
	info := CodeInfo{
		Name: c.Name, QualName: c.QualName, Filename: c.Filename, FirstLine: c.FirstLine,
		PosOnly: c.PosOnlyArgCount, KwOnly: c.KwOnlyArgCount,
		FreeVars: c.FreeVars(), Names: c.Names, Instructions: len(c.Bytecode) / 2,
	}
	for _, k := range c.Consts {
		if inner, ok := k.(*pyc.Code); ok {
			info.Inner = append(info.Inner, inner.Name)
		}
	}
	for i := range n {
		info.Args = append(info.Args, at(i))
	}
	if c.Flags&pyc.FlagVarArgs != 0 {
		info.VarArgs = at(n)
		n++
	}
	if c.Flags&pyc.FlagVarKeywords != 0 {
		info.VarKw = at(n)
	}
	return info
}

// fields is the form of a CodeInfo in the log.
func (c CodeInfo) fields() map[string]any {
	return map[string]any{
		"name": c.Name, "qualname": c.QualName, "filename": c.Filename, "firstlineno": c.FirstLine,
		"args": strsOf(c.Args), "posonly": c.PosOnly, "kwonly": c.KwOnly, "varargs": c.VarArgs,
		"varkw": c.VarKw, "freevars": strsOf(c.FreeVars), "names": strsOf(c.Names),
		"instructions": c.Instructions, "bytes": c.Blob,
		"inner": strsOf(c.Inner),
	}
}

func infoFrom(f fields) CodeInfo {
	return CodeInfo{
		Name: f.str("name"), QualName: f.str("qualname"), Filename: f.str("filename"), FirstLine: f.int("firstlineno"),
		Args: f.strs("args"), PosOnly: f.int("posonly"), KwOnly: f.int("kwonly"), VarArgs: f.str("varargs"),
		VarKw: f.str("varkw"), FreeVars: f.strs("freevars"), Names: f.strs("names"),
		Instructions: f.int("instructions"), Blob: f.str("bytes"),
		Inner: f.strs("inner"),
	}
}

// compiledNames picks the names of compiled functions from co_names.
func compiledNames(names []string) []string {
	var out []string
	for _, n := range names {
		if strings.HasPrefix(n, "__compiled_fn_") {
			out = append(out, CleanName(n))
		}
	}
	return out
}

// resumeNames picks the names of resume functions from co_names.
func resumeNames(names []string) []string {
	var out []string
	for _, n := range names {
		if strings.HasPrefix(n, "__resume_at_") {
			out = append(out, n)
		}
	}
	return out
}

// legendOf lists the constants of a code object, and of those nested in it,
// that stand for objects without a literal.
func legendOf(c *pyc.Code) []Legend {
	var out []Legend
	seen := map[string]bool{}
	var walk func(k pyc.Const, depth int)
	walk = func(k pyc.Const, depth int) {
		if depth > 50 {
			return
		}
		switch k := k.(type) {
		case *pyc.Opaque:
			if !seen[k.Name] {
				seen[k.Name] = true
				out = append(out, Legend{k.Name, k.Type, CleanText(k.Text)})
			}
		case *pyc.Code:
			for _, x := range k.Consts {
				walk(x, depth+1)
			}
		case pyc.Tuple:
			for _, x := range k {
				walk(x, depth+1)
			}
		case pyc.FrozenSet:
			for _, x := range k {
				walk(x, depth+1)
			}
		case pyc.Slice:
			walk(k.Start, depth+1)
			walk(k.Stop, depth+1)
			walk(k.Step, depth+1)
		}
	}
	walk(c, 0)
	return out
}
