package pyworker

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/pyc"
)

// tree makes executable files below a new folder.
func tree(t *testing.T, files ...string) string {
	if runtime.GOOS == "windows" {
		t.Skip("the paths are those of other systems")
	}
	root := t.TempDir()
	for _, f := range files {
		path := filepath.Join(root, f)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// Each tool's interpreters are found where it keeps them, later patch releases
// first, and those of other versions are not even tried.
func TestPlaces(t *testing.T) {
	for name, c := range map[string]struct {
		files []string // the ones that are wanted, in order; then "-" and others
		env   map[string]string
	}{
		"pyenv":           {files: []string{"home/.pyenv/versions/3.12.10/bin/python3.12", "home/.pyenv/versions/3.12.9/bin/python3.12", "-", "home/.pyenv/versions/3.11.2/bin/python3.11", "home/.pyenv/versions/3.12.9/bin/python"}},
		"pyenv elsewhere": {files: []string{"pyenv/versions/3.12.1/bin/python3.12"}, env: map[string]string{"PYENV_ROOT": "pyenv"}},
		"uv":              {files: []string{"home/.local/share/uv/python/cpython-3.12.4-linux-x86_64-gnu/bin/python3.12", "-", "home/.local/share/uv/python/cpython-3.1.2-linux/bin/python3.1"}},
		"uv elsewhere":    {files: []string{"data/uv/python/cpython-3.12-linux-x86_64-gnu/bin/python3.12"}, env: map[string]string{"XDG_DATA_HOME": "data"}},
		"conda":           {files: []string{"home/miniforge3/bin/python3.12", "home/miniforge3/envs/a/bin/python3.12", "-", "home/miniforge3/envs/b/bin/python3.11"}},
		"Homebrew":        {files: []string{"opt/homebrew/opt/python@3.12/bin/python3.12"}},
		"python.org":      {files: []string{"Library/Frameworks/Python.framework/Versions/3.12/bin/python3.12"}},
		"asdf":            {files: []string{"home/.asdf/installs/python/3.12.0/bin/python3.12"}},
		"mise":            {files: []string{"home/.local/share/mise/installs/python/3.12.0/bin/python3.12"}},
		"manylinux":       {files: []string{"opt/python/cp312-cp312/bin/python3.12", "-", "opt/python/cp311-cp311/bin/python3.11"}},
		"get-python.sh":   {files: []string{"home/.cache/cpython/3.12/bin/python3.12"}},
		"strange folder":  {files: []string{"h[o]*e/.pyenv/versions/3.12.1/bin/python3.12"}, env: map[string]string{"HOME": "h[o]*e"}},
		"DEPYF_PYTHON":    {files: []string{"b/python", "a/python", "home/.pyenv/versions/3.12.1/bin/python3.12"}, env: map[string]string{"DEPYF_PYTHON": "b/python:a/python"}},
		"PATH":            {files: []string{"bin/python3.12", "home/.pyenv/versions/3.12.1/bin/python3.12", "bin/python3", "-", "shims/python3.12", "shims/python"}, env: map[string]string{"PATH": "shims:bin"}},
	} {
		t.Run(name, func(t *testing.T) {
			wanted, _, _ := cut(c.files, "-")
			root := tree(t, slices.DeleteFunc(slices.Clone(c.files), func(f string) bool { return f == "-" })...)
			env := func(name string) string {
				value, ok := c.env[name]
				if !ok && name == "HOME" {
					value = "home"
				}
				var parts []string
				for _, p := range filepath.SplitList(value) {
					parts = append(parts, filepath.Join(root, p))
				}
				return strings.Join(parts, string(filepath.ListSeparator))
			}
			var got []string
			for path := range candidates(pyc.V312, Options{Getenv: env, root: root}) {
				got = append(got, strings.TrimPrefix(path, root+"/"))
			}
			if !slices.Equal(got, wanted) {
				t.Errorf("got  %q\nwant %q", got, wanted)
			}
		})
	}
}

func cut(list []string, at string) (before, after []string, found bool) {
	if i := slices.Index(list, at); i >= 0 {
		return list[:i], list[i+1:], true
	}
	return list, nil, false
}

// Environments outside of conda's own folder are in its list alone.
func TestCondaEnvironments(t *testing.T) {
	root := tree(t, "elsewhere/bin/python3.12", "home/.conda/environments.txt")
	list := filepath.Join(root, "home/.conda/environments.txt")
	if err := os.WriteFile(list, []byte(root+"/elsewhere\n\n"+root+"/gone\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	env := func(name string) string {
		if name == "HOME" {
			return filepath.Join(root, "home")
		}
		return ""
	}
	got := slices.Collect(candidates(pyc.V312, Options{Getenv: env, root: root}))
	if want := []string{root + "/elsewhere/bin/python3.12"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// What the Windows launcher and the registry say.
func TestExecutables(t *testing.T) {
	launcher := " -V:3.13 *        C:\\Python313\\python.exe\n -V:3.12          C:\\Program Files\\Python 312\\python.exe\n" +
		" -V:ContinuumAnalytics/3.12 C:\\conda\\python.exe\n -3.1-64 C:\\old\\python.exe\n"
	registry := "\r\nHKEY_CURRENT_USER\\Software\\Python\\PythonCore\\3.12\\InstallPath\r\n    ExecutablePath    REG_SZ    C:\\Python312\\python.exe\r\n\r\n" +
		"HKEY_CURRENT_USER\\Software\\Python\\PythonCore\\3.13\\InstallPath\r\n    ExecutablePath    REG_SZ    C:\\Python313\\python.exe\r\n"
	for text, want := range map[string][]string{
		launcher: {`C:\Program Files\Python 312\python.exe`, `C:\conda\python.exe`},
		registry: {`C:\Python312\python.exe`},
		"":       nil,
	} {
		if got := executables(text, pyc.V312); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// TestEnvVars asks the search itself which variables it reads.
func TestEnvVars(t *testing.T) {
	read := map[string]bool{}
	env := func(name string) string {
		read[name] = true
		return ""
	}
	for range candidates(pyc.V312, Options{Getenv: env, root: t.TempDir()}) {
		t.Error("an interpreter is found in an empty folder")
	}
	delete(read, "USERPROFILE") // HOME on Windows
	for _, name := range EnvVars() {
		if !read[name] {
			t.Errorf("%s is not read", name)
		}
		delete(read, name)
	}
	if len(read) > 0 {
		t.Errorf("read, and not told: %v", read)
	}
}
