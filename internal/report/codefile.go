package report

import (
	"fmt"
	"strings"

	"github.com/thuml/depyf/internal/explain"
)

// codeFile is the text of __transformed_code_<n>_for_<func>.py. Python compiles
// this very text when the code is swapped in, so that breakpoints in the file
// are hit; hence nothing may be added to it later.
func codeFile(c *explain.Transformed, title string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# What runs in place of %s after torch.compile", title)
	if c.CompileID != "" {
		fmt.Fprintf(&b, " (compile id %s)", explain.CompileIDText(c.CompileID))
	}
	b.WriteString(".\n# Decompiled from the bytecode that Dynamo made.\n#\n")
	if c.SourceFile != "" {
		fmt.Fprintf(&b, "# original: %s\n", atFile(c.SourceFile, c.SourceLine))
	}
	fmt.Fprintf(&b, "# verdict:  %s\n", oneLine(verdictText(c.Decompiled)))
	switch {
	case c.Kept:
		b.WriteString("#           Nothing was replaced: the bytecode runs, and breakpoints here are not hit.\n")
	case c.Logged:
		b.WriteString("#           It is from a listing in torch's log: nothing was compared.\n")
	case !c.Decompiled.Proven:
		b.WriteString("#           Not proved, so the bytecode runs and not this text.\n")
	}
	legend(&b, c.Decompiled.Legend)
	b.WriteString("\n")
	b.WriteString(codeText(c))
	return b.String()
}

// codeText is the decompiled function, or a stub that says why there is none; "" for what
// torch's log alone tells of.
func codeText(c *explain.Transformed) string {
	if !c.HasText() {
		return ""
	}
	if strings.TrimSpace(c.Decompiled.Source) != "" {
		if text, bad := explain.CleanComments(c.Decompiled.Source); bad == "" {
			return strings.TrimRight(text, "\n") + "\n"
		}
	}
	params, _ := signature(c.New)
	if c.New.Name == "" {
		params, _ = signature(c.Old)
	}
	return fmt.Sprintf("def %s(%s):\n    raise NotImplementedError(%s)\n", c.Def, params,
		quote("depyf could not decompile this: "+verdictText(c.Decompiled)))
}

func legend(b *strings.Builder, list []explain.Legend) {
	if len(list) == 0 {
		return
	}
	b.WriteString("#\n# These names stand for objects that Python has no literal for:\n")
	for _, l := range list {
		fmt.Fprintf(b, "#   %s: %s\n", l.Name, oneLine(strings.TrimSpace(l.Type+" "+l.Text)))
	}
}

// signature gives the parameters of a function and the arguments that pass them on.
func signature(c explain.CodeInfo) (params, args string) {
	var ps, as []string
	positional := len(c.Args) - c.KwOnly
	for i, a := range c.Args {
		a = argName(a)
		if i == positional && c.VarArgs == "" {
			ps = append(ps, "*")
		}
		if i == positional && c.VarArgs != "" {
			ps, as = append(ps, "*"+argName(c.VarArgs)), append(as, "*"+argName(c.VarArgs))
		}
		ps = append(ps, a)
		if i >= positional {
			a += "=" + a
		}
		as = append(as, a)
		if i+1 == c.PosOnly {
			ps = append(ps, "/")
		}
	}
	if c.KwOnly == 0 && c.VarArgs != "" {
		ps, as = append(ps, "*"+argName(c.VarArgs)), append(as, "*"+argName(c.VarArgs))
	}
	if c.VarKw != "" {
		ps, as = append(ps, "**"+argName(c.VarKw)), append(as, "**"+argName(c.VarKw))
	}
	return strings.Join(ps, ", "), strings.Join(as, ", ")
}

// argNames lists all parameters.
func argNames(c explain.CodeInfo) []string {
	out := append([]string(nil), c.Args...)
	for _, n := range []string{c.VarArgs, c.VarKw} {
		if n != "" {
			out = append(out, n)
		}
	}
	return out
}

// argName makes the name of a parameter an identifier: a comprehension's is ".0".
func argName(n string) string {
	if strings.HasPrefix(n, ".") {
		return "implicit" + n[1:]
	}
	return explain.Identifier(n)
}

var inQuotes = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// quote is a Python string literal of s on one line.
func quote(s string) string {
	s = oneLine(strings.ToValidUTF8(s, "\uFFFD"))
	s = strings.ReplaceAll(s, "\x00", "")
	return `"` + inQuotes.Replace(s) + `"`
}
