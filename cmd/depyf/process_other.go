//go:build !unix

package main

import "os/exec"

func replaceProcess(cmd *exec.Cmd) error { return childProcess(cmd) }

func ignoreWriteSignals() {}
