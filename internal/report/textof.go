package report

import "github.com/thuml/depyf/internal/answers"

// TextOf is the text of a Python file of the dump, by its name: what lies there, or would. Torch's own logs have no such files,
// and a program that is killed may not have written all of them. ok is false if there is none of that name.
func TextOf(facts *answers.Facts, file string) (text string, ok bool) {
	p := facts.Program
	for _, c := range p.Model.Codes {
		if c.File == file && !c.Logged {
			return string(pyBytes(codeFile(c, p.Model.Title(c)))), true
		}
	}
	for _, a := range p.Files {
		if a.File == file && file != "" {
			return string(pyBytes(textsOf(facts, "").artefactFile(a, ownerOf(p.Model, a, atFile)))), true
		}
	}
	for _, fn := range p.Functions {
		if !fn.First.Logged && fullName(fn) == file {
			return string(pyBytes(fullCode(p, fn, guardTexts{}))), true
		}
	}
	return "", false
}
