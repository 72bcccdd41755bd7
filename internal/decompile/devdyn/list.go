package main

import (
	"os"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/pyc"
)

func list(c *pyc.Code) { _ = bytecode.Print(os.Stdout, c, bytecode.PrintOptions{}) }
