//go:build !unix

package main

import (
	"io"
	"os/exec"
)

func replaceProcess(cmd *exec.Cmd) error { return childProcess(cmd) }

func ignoreWriteSignals() {}

func waitInPoller(in io.Reader) io.Reader { return in }
