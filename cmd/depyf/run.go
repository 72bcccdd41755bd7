package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"github.com/thuml/depyf/internal/pyworker"
)

const runUsage = `usage: depyf run [--out DIR] [--swap] [--debug] [--compare | --find-nan] [--] (SCRIPT | -m MODULE | -c CODE) [ARGUMENTS ...]

Runs a Python program unchanged and dumps what torch.compile does in it.
Python is the first in $DEPYF_PYTHON, else that of the active virtual environment, else
python3 or python on PATH; the Python package depyf must be installed there.
`

// runRun is the part of "depyf run" that no Python is needed for: finding one.
func runRun(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(args) == 0 || args[0] == "-h" || args[0] == "--help" {
		fmt.Fprint(stderr, runUsage)
		if len(args) == 0 {
			return 2
		}
		return 0
	}
	python, err := hostPython()
	if err != nil {
		fmt.Fprintf(stderr, "depyf run: %v\n", err)
		return 1
	}
	cmd := exec.Command(python, append([]string{"-m", "depyf", "run"}, args...)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, stdout, stderr
	if err := replaceProcess(cmd); err != nil {
		fmt.Fprintf(stderr, "depyf run: %s: %v\n", python, err)
		return 1
	}
	return cmd.ProcessState.ExitCode()
}

// hostPython finds the Python that a person in this shell would get.
func hostPython() (string, error) {
	if list := filepath.SplitList(os.Getenv(pyworker.EnvVar)); len(list) > 0 {
		return list[0], nil
	}
	if env := os.Getenv("VIRTUAL_ENV"); env != "" {
		p := filepath.Join(env, "bin", "python")
		if runtime.GOOS == "windows" {
			p = filepath.Join(env, "Scripts", "python.exe")
		}
		if _, err := os.Stat(p); err == nil {
			return p, nil
		}
	}
	for _, name := range []string{"python3", "python"} {
		if p, err := exec.LookPath(name); err == nil {
			return p, nil
		}
	}
	return "", fmt.Errorf("there is no python3 on PATH; set DEPYF_PYTHON")
}

// childProcess runs the command; its exit status is not an error of ours.
func childProcess(cmd *exec.Cmd) error {
	err := cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return nil
	}
	return err
}
