package pyworker

import (
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"

	"github.com/thuml/depyf/internal/pyc"
)

// ErrNotFound means that no interpreter of the wanted version was found.
var ErrNotFound = errors.New("no CPython of that version was found")

// EnvVar names interpreters to try before all others, separated as PATH is.
const EnvVar = "DEPYF_PYTHON"

// candidates yields files that may be an interpreter of version v, the likeliest
// first. Whether one is, only starting it tells.
func candidates(v pyc.Version, opt Options) iter.Seq[string] {
	return func(yield func(string) bool) {
		if opt.Python != "" {
			yield(opt.Python)
			return
		}
		seen := map[string]bool{}
		try := func(paths ...string) bool { // false: enough
			for _, path := range paths {
				if !seen[path] && executable(path) {
					seen[path] = true
					if !yield(path) {
						return false
					}
				}
			}
			return true
		}
		dirs := filepath.SplitList(opt.env("PATH"))
		if !try(filepath.SplitList(opt.env(EnvVar))...) || !try(onPath(dirs, "python"+v.String())...) {
			return
		}
		for _, p := range places {
			if !try(p.below(v, opt.root, opt.env)...) {
				return
			}
		}
		if try(condaEnvironments(v, opt.env)...) && try(onPath(dirs, "python3", "python")...) {
			try(registered(v)...)
		}
	}
}

// onPath lists where a program of these names would lie. The scripts that pyenv and
// its like put on PATH are left out: they refuse to run a version that is not the
// chosen one, while places has the interpreters themselves.
func onPath(dirs []string, names ...string) []string {
	var out []string
	for _, name := range names {
		for _, dir := range dirs {
			if dir != "" && filepath.Base(dir) != "shims" {
				out = append(out, filepath.Join(dir, name), filepath.Join(dir, name+".exe"))
			}
		}
	}
	return out
}

func (o *Options) env(name string) string {
	if o.Getenv != nil {
		return o.Getenv(name)
	}
	return os.Getenv(name)
}

// find starts candidates until one is the wanted interpreter, and returns the
// running worker.
func find(v pyc.Version, opt Options) (*worker, error) {
	var last error
	for path := range candidates(v, opt) {
		w, err := start(path, v, opt)
		if err == nil {
			return w, nil
		}
		last = fmt.Errorf("%s: %w", path, err)
	}
	if last != nil && opt.Python != "" {
		return nil, last // the user named it: say what is wrong with it
	}
	return nil, fmt.Errorf("%w: CPython %v; `uv python install %v` fetches one", ErrNotFound, v, v)
}
