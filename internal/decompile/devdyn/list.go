package main

import (
	"fmt"
	"os"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/pyc"
)

// list prints the instructions, each with its place in the source.
func list(c *pyc.Code) {
	_ = bytecode.Print(os.Stdout, c, bytecode.PrintOptions{})
	f, err := bytecode.Decode(c)
	if err != nil {
		return
	}
	for i := range f.Instrs {
		in := &f.Instrs[i]
		fmt.Printf("%5d %d:%d-%d:%d %s %d %s\n", in.Offset, in.Pos.Line, in.Pos.Col, in.Pos.EndLine, in.Pos.EndCol, in.Op, in.Arg, in.Name)
	}
}
