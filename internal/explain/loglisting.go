package explain

import (
	"fmt"
	"strings"

	"github.com/thuml/depyf/internal/cfg"
	"github.com/thuml/depyf/internal/decompile"
	"github.com/thuml/depyf/internal/listing"
	"github.com/thuml/depyf/internal/pyc"
)

// listed is a function's code before and after Dynamo, as TORCH_LOGS=bytecode lists it.
type listed struct {
	name, file string
	line       int
	old, made  string
}

// list takes in a listing.
func (l *logged) list(f fields) {
	id := f.str("compile_id")
	c := l.listings[id]
	if c == nil {
		c = &listed{name: f.str("func"), file: f.str("file"), line: f.int("line")}
		l.listings[id] = c
	}
	if f.bool("made") {
		c.made = f.str("text")
	} else {
		c.old = f.str("text")
	}
}

// made reports whether the code that a compilation made is listed.
func (l *logged) made(id string) bool {
	c := l.listings[id]
	return c != nil && c.made != ""
}

// given reports whether the log lists the code that a compilation was given, and none that it made.
func (l *logged) given(id string) bool {
	c := l.listings[id]
	return c != nil && c.old != "" && c.made == ""
}

// decompileListings makes text of the listings. What a listing does not tell is guessed (package listing), so
// the text is never said to be proven.
func (l *logged) decompileListings() {
	for _, t := range l.m.Codes {
		c := l.listings[t.CompileID]
		if c == nil || c.made == "" {
			continue
		}
		id := Identifier(t.Func)
		number := l.m.take("code:" + id)
		t.Def = fmt.Sprintf("__transformed_code_%d_for_%s", number, id)
		t.File = t.Def + ".py"
		t.Decompiled = l.run(t, c)
		if t.Decompiled.Name != "" {
			t.Def = t.Decompiled.Name
		}
	}
}

func (l *logged) run(t *Transformed, c *listed) DecompileResult {
	opt := listing.Options{Name: c.name, Filename: c.file, Line: c.line}
	var from decompile.Origin
	if old, err := listing.Read(c.old, opt); err == nil {
		before := *old.Code
		if cfg.ResumeName(c.name) {
			before.ArgCount = 0 // the code in front of its jump reads what it does not get
		}
		from.Code, opt.Version, opt.Before = old.Code, before.Version, &before
	}
	read, err := listing.Read(c.made, opt)
	if err != nil && opt.Before != nil { // the older versions that the one before Dynamo fits, too
		from, opt.Version, opt.Before = decompile.Origin{}, 0, nil
		read, err = listing.Read(c.made, opt)
	}
	if err != nil {
		return DecompileResult{Verdict: "failed", Detail: "the listing cannot be read: " + err.Error(), Name: t.Def}
	}
	made := read.Code
	from.Graphs = l.graphsOf(t, made)
	t.New = infoOf(made)
	res, err := decompile.Func(made, decompile.Options{Name: t.Def, Dynamo: true, Origin: from})
	if err != nil {
		return DecompileResult{Verdict: "failed", Detail: CleanText(err.Error()), Name: t.Def}
	}
	r := ResultOf(res)
	about := "it is the text of a listing"
	if len(read.Missing) > 0 {
		about += ", which does not tell " + strings.Join(read.Missing, "; ")
	}
	if r.Proven = false; res.Verdict == decompile.Partial {
		r.Detail += "; " + about
	} else {
		r.Verdict, r.Detail = string(decompile.Unproved), about
	}
	return r
}

// graphsOf are the graphs that a code calls: the log tells which compilation made one, but not its name.
func (l *logged) graphsOf(t *Transformed, made *pyc.Code) map[string]decompile.GraphOrigin {
	out := map[string]decompile.GraphOrigin{}
	names, c := compiledNames(made.Names), l.m.Compile(t.CompileID)
	if len(names) == 0 || c == nil {
		return out
	}
	for _, a := range c.Artefacts {
		if a.Stage == "Captured_Graph" {
			out[names[0]] = graphOrigin(a.Body(), made.Filename)
		}
	}
	return out
}
