package mcpserver

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// root is a folder that may be read.
type root struct {
	given string // absolute
	real  string // the same without links
}

type roots []root

func newRoots(dirs []string) (roots, error) {
	var out roots
	for _, d := range dirs {
		given, err := filepath.Abs(d)
		if err != nil {
			return nil, err
		}
		real, err := filepath.EvalSymlinks(given)
		if err != nil {
			return nil, err
		}
		st, err := os.Stat(real)
		if err != nil {
			return nil, err
		}
		if !st.IsDir() {
			return nil, fmt.Errorf("%s is no folder", d)
		}
		out = append(out, root{given, real})
	}
	return out, nil
}

// names lists the folders as they were given.
func (r roots) names() []string {
	var out []string
	for _, x := range r {
		out = append(out, x.given)
	}
	return out
}

// within reports whether a path lies in a folder, or is it.
func within(folder, path string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rel)
}

// named reports whether a path, as it is written, lies in a folder.
func (r roots) named(path string) bool {
	for _, x := range r {
		if within(x.given, path) || within(x.real, path) {
			return true
		}
	}
	return false
}

// hold reports whether a path without links lies in a folder.
func (r roots) hold(real string) bool {
	for _, x := range r {
		if within(x.real, real) {
			return true
		}
	}
	return false
}

// follow resolves the links of a path that is named in a folder, and refuses one that leads out of all of them.
func (r roots) follow(path string) (string, error) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", err
	}
	if !r.hold(real) {
		return "", fmt.Errorf("%s is a link that leads outside of the folders that this server may read: %s", path, strings.Join(r.names(), ", "))
	}
	return real, nil
}

// find finds what a client calls a path: absolute, or below one of the folders, or seen from where the server runs. Of a path
// outside it is not even told whether there is such a file.
func (r roots) find(path string) (string, error) {
	if strings.ContainsRune(path, 0) {
		return "", errors.New("a path has no NUL in it")
	}
	var candidates []string
	if filepath.IsAbs(path) {
		candidates = []string{filepath.Clean(path)}
	} else {
		for _, x := range r {
			candidates = append(candidates, filepath.Join(x.real, path))
		}
		if wd, err := os.Getwd(); err == nil {
			candidates = append(candidates, filepath.Join(wd, path))
		}
	}
	inside := false
	var refused error
	for _, c := range candidates {
		if !r.named(c) {
			continue
		}
		inside = true
		real, err := r.follow(c)
		if err == nil {
			return real, nil
		}
		if !errors.Is(err, os.ErrNotExist) {
			refused = err
		}
	}
	switch {
	case refused != nil:
		return "", refused
	case inside:
		return "", fmt.Errorf("there is no %s; list_sessions says what there is", path)
	}
	return "", fmt.Errorf("%s is outside of the folders that this server may read: %s", path, strings.Join(r.names(), ", "))
}
