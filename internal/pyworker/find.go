package pyworker

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/thuml/depyf/internal/pyc"
)

// ErrNotFound means that no interpreter of the wanted version was found.
var ErrNotFound = errors.New("no CPython of that version was found")

// EnvVar names interpreters to try before PATH, separated as PATH is.
const EnvVar = "DEPYF_PYTHON"

// candidates lists files that may be an interpreter of version v, the likeliest
// first. Whether one is, only starting it tells.
func candidates(v pyc.Version, opt Options) []string {
	if opt.Python != "" {
		return []string{opt.Python}
	}
	var out []string
	add := func(path string) {
		if st, err := os.Stat(path); err == nil && st.Mode().IsRegular() && (st.Mode()&0o111 != 0 || runtime.GOOS == "windows") && !slices.Contains(out, path) {
			out = append(out, path)
		}
	}
	for _, p := range filepath.SplitList(opt.env(EnvVar)) {
		add(p)
	}
	dirs := filepath.SplitList(opt.env("PATH"))
	own := "python" + v.String()
	for _, d := range dirs {
		// pyenv puts into PATH a folder of scripts that refuse to run the versions
		// that are not chosen, while all of them lie next to it.
		if filepath.Base(d) == "shims" {
			m, _ := filepath.Glob(filepath.Join(filepath.Dir(d), "versions", v.String()+"*", "bin", own))
			for _, p := range slices.Backward(m) { // prefer later patch releases
				add(p)
			}
		}
	}
	for _, name := range []string{own, "python3", "python"} {
		for _, d := range dirs {
			if d != "" {
				add(filepath.Join(d, name))
				add(filepath.Join(d, name+".exe"))
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
	for _, path := range candidates(v, opt) {
		w, err := start(path, v, opt)
		if err == nil {
			return w, nil
		}
		last = fmt.Errorf("%s: %w", path, err)
	}
	if last != nil && opt.Python != "" {
		return nil, last // the user named it: say what is wrong with it
	}
	return nil, fmt.Errorf("%w: CPython %v", ErrNotFound, v)
}
