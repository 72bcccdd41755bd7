package decompile

import (
	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/equiv"
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
	"github.com/thuml/depyf/internal/pyprint"
)

// maxPath bounds the dotted name of a code object.
const maxPath = 2000

// objects lists the code objects of a module with the verdict of each. Without
// a comparison all share one verdict. With one, what differs says where, and
// what has not been compared, because a code object around it differs, is not
// called exact.
func (u *unit) objects(spans map[pyast.Node]pyprint.Span, all Verdict, res *equiv.Result) []Object {
	differs := map[*pyc.Code]equiv.Diff{}
	if res != nil {
		for _, d := range res.Diffs {
			differs[d.Codes[0]] = d
		}
	}
	var out []Object
	var walk func(c *pyc.Code, name string)
	walk = func(c *pyc.Code, name string) {
		if u.limits.codes--; u.limits.codes < 0 {
			return
		}
		o := Object{QualName: name, Line: c.FirstLine, Verdict: all, Searched: u.ladder.way[c] == asCompiled && u.ladder.choices[c] != nil}
		if n, ok := u.nodes[c]; ok {
			s := spans[n]
			o.First, o.Last = s.First, s.Last
		}
		if d, bad := differs[c]; u.proved[c] {
			o.Verdict = Proved
		} else if bad {
			o.Verdict, o.Detail, o.Differs = Differs, d.Reason, place(d)
		} else if res != nil && !res.Equal && !res.Compared[c] {
			o.Verdict, o.Detail = Unproved, "not compared: the code object around it differs"
		}
		if why, stub := u.stubs[c]; stub {
			o.Verdict, o.Detail, o.Differs = Partial, why, nil
		}
		out = append(out, o)
		for _, k := range c.Consts {
			inner, ok := k.(*pyc.Code)
			if !ok {
				continue
			}
			path := inner.Name
			if c != u.code {
				path = name + "." + inner.Name
			}
			if len(path) > maxPath {
				path = path[:maxPath] + " …"
			}
			walk(inner, path)
		}
	}
	walk(u.code, "<module>")
	return out
}

// place looks up the lines of a difference.
func place(d equiv.Diff) *Place {
	if d.Where.A < 0 && d.Where.B < 0 {
		return nil
	}
	line := func(c *pyc.Code, offset int) int {
		if c == nil || offset < 0 {
			return -1
		}
		f, err := bytecode.Decode(c)
		if err != nil {
			return -1
		}
		at := -1
		for i := range f.Instrs {
			if f.Instrs[i].Offset > offset {
				break
			}
			if l := int(f.Instrs[i].Pos.Line); l > 0 || f.Instrs[i].Offset == offset {
				at = l
			}
		}
		return at
	}
	return &Place{d.Where.A, line(d.Codes[0], d.Where.A), d.Where.B, line(d.Codes[1], d.Where.B)}
}

// proveRest compares what differs as instructions by its effects, function by
// function, and returns the first difference that is left.
func (u *unit) proveRest(res *equiv.Result, funcs map[*pyc.Code]*bytecode.Func) *equiv.Diff {
	var left *equiv.Diff
	for i := range res.Diffs {
		d := &res.Diffs[i]
		if !u.proveByEffects(d, funcs) && left == nil {
			left = d
		}
	}
	if left == nil && !res.Equal {
		// What has not been compared may hide behind what differs.
		for _, c := range u.code.All() {
			if !res.Compared[c] && !u.proved[c] {
				return &res.Diffs[0]
			}
		}
	}
	return left
}

// proveByEffects notes the code objects below d that have the same effects.
func (u *unit) proveByEffects(d *equiv.Diff, funcs map[*pyc.Code]*bytecode.Func) bool {
	a, b := d.Codes[0], d.Codes[1]
	if a == nil || b == nil || u.stubs[a] != "" || !a.IsFunction() && !u.opt.DispatchAll && u.ladder.way[a] == asCompiled {
		return false
	}
	res := equiv.CompareEffects(a, b, equiv.Options{Inner: true, Lowered: funcs})
	if !res.Equal {
		if u.opt.DispatchAll || u.ladder.way[a] > emptied {
			d.Reason, d.Where = "effects: "+res.Diff.Reason, res.Diff.Where // no such text has the same instructions
		}
		return false
	}
	for c := range res.Compared {
		u.proved[c] = true
	}
	return true
}
