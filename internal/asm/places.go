package asm

import "github.com/thuml/depyf/internal/bytecode"

// places encodes where the instructions stand in the source.
func (a *assembler) places() {
	runs := make([]bytecode.Run, len(a.lines))
	for i := range a.lines {
		runs[i] = bytecode.Run{Bytes: a.lines[i].size(), Pos: a.lines[i].pos}
	}
	a.code.LineTable = bytecode.WritePositions(a.code.Version, a.code.FirstLine, runs)
}
