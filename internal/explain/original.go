package explain

import (
	"fmt"

	"github.com/thuml/depyf/internal/cfg"
	"github.com/thuml/depyf/internal/decompile"
	"github.com/thuml/depyf/internal/pyc"
)

// The code of resume functions is there as bytecode only: torch makes them by editing the
// bytecode of the function that they continue. Each holds the rest of that function, all
// later breaks included, so the texts of all of them would grow with the square of the
// breaks. Together those of one function may be originalsShare times as long as the first,
// which is the longest; of the others it is said where their statements stand.
const originalsShare = 4

// leftOut is the verdict on the others.
const leftOut = "not written out"

// originals counts the bytes of code that was decompiled for the resume functions of one function.
type originals struct{ first, all int }

// original decompiles the code of a function as it was before Dynamo, once for all of its
// versions; ok is false for the later ones.
func (s *Session) original(f fields, code *pyc.Code, name string) (r DecompileResult, ok bool) {
	oldKey := s.model.key(f.str("old_key"))
	if oldKey != "" && s.model.Original(oldKey).Verdict != "" {
		return r, false
	}
	if g := s.model.globalOf(oldKey); g != "" {
		name = Identifier(g) // that of the rest of a lambda has <lambda> in it
	}
	if code != nil && cfg.ResumeName(code.Name) && !s.worthwhile(code) {
		why := fmt.Sprintf("its statements are those of %s from line %d on", resumedName(code.Name), code.FirstLine)
		return DecompileResult{Verdict: leftOut, Detail: why, Name: name}, true
	}
	return s.run(code, name, nil, decompile.Origin{}), true
}

// worthwhile counts the code of a resume function and reports whether it is written out.
func (s *Session) worthwhile(code *pyc.Code) bool {
	of := code.Filename + ":" + resumedName(code.Name)
	sum, size := s.originals[of], len(code.Bytecode)
	if size > sum.first { // The first one, or that of another function of the same name.
		sum = originals{first: size}
	}
	if sum.all += size; sum.all > originalsShare*sum.first {
		return false
	}
	if s.originals == nil {
		s.originals = map[string]originals{}
	}
	s.originals[of] = sum
	return true
}

// Original is what the code of a function as it was before Dynamo was decompiled to; empty
// where its source is known.
func (m *Model) Original(oldKey string) DecompileResult {
	for _, c := range m.Codes {
		if c.OldKey == oldKey && c.Original.Verdict != "" {
			return c.Original
		}
	}
	return DecompileResult{}
}
