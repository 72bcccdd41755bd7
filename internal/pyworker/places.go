package pyworker

import (
	"bufio"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/thuml/depyf/internal/lazyregexp"
	"github.com/thuml/depyf/internal/pyc"
)

// place is where a tool keeps the interpreters that it installed. Most of them are
// not on PATH, or only as scripts that start the version chosen for a folder.
type place struct {
	tool  string
	bases []string // folders; those that begin with a variable that is not set are left out
	files []string // patterns below a base: {v} is 3.12, {n} is 312
}

// places are tried in this order. Sources: each tool's documentation of where it
// installs; for conda, the list of environments that it keeps itself.
var places = []place{
	{"pyenv", []string{"$PYENV_ROOT", "$HOME/.pyenv", "$HOME/.pyenv/pyenv-win"}, []string{"versions/{v}.*/bin/python{v}", "versions/{v}-dev/bin/python{v}", "versions/{v}.*/python.exe"}},
	{"uv", []string{"$UV_PYTHON_INSTALL_DIR", "$XDG_DATA_HOME/uv/python", "$HOME/.local/share/uv/python", "$APPDATA/uv/python", "$APPDATA/uv/data/python"}, []string{"cpython-{v}.*/bin/python{v}", "cpython-{v}-*/bin/python{v}", "cpython-{v}.*/python.exe", "cpython-{v}-*/python.exe"}},
	{"conda", []string{"$CONDA_PREFIX", "$HOME/miniconda3", "$HOME/anaconda3", "$HOME/miniforge3", "$HOME/mambaforge", "$MAMBA_ROOT_PREFIX", "$HOME/micromamba", "/opt/conda"}, []string{"bin/python{v}", "envs/*/bin/python{v}", "python.exe", "envs/*/python.exe"}},
	{"Homebrew", []string{"$HOMEBREW_PREFIX", "/opt/homebrew", "/usr/local", "/home/linuxbrew/.linuxbrew"}, []string{"opt/python@{v}/bin/python{v}"}},
	{"python.org", []string{"/Library/Frameworks/Python.framework/Versions"}, []string{"{v}/bin/python{v}"}},
	{"asdf", []string{"$ASDF_DATA_DIR", "$HOME/.asdf"}, []string{"installs/python/{v}.*/bin/python{v}"}},
	{"mise", []string{"$MISE_DATA_DIR", "$XDG_DATA_HOME/mise", "$HOME/.local/share/mise"}, []string{"installs/python/{v}.*/bin/python{v}"}},
	{"manylinux", []string{"/opt/python"}, []string{"cp{n}-cp{n}/bin/python{v}", "cp{n}-cp{n}m/bin/python{v}"}},
	{"scripts/get-python.sh", []string{"$CPYTHONS", "$HOME/.cache/cpython"}, []string{"{v}/bin/python{v}"}},
}

// EnvVars are the environment variables that say where interpreters are looked for. With none of them,
// and none in the fixed folders of places, nothing is found.
func EnvVars() []string {
	list := []string{EnvVar, "PATH", "HOME"}
	for _, p := range places {
		for _, base := range p.bases {
			if name, _, _ := strings.Cut(base, "/"); strings.HasPrefix(name, "$") && !slices.Contains(list, name[1:]) {
				list = append(list, name[1:])
			}
		}
	}
	return list
}

// below lists the files of a place that are named like an interpreter of version v,
// later patch releases first. root is the file system's, a folder in tests.
func (p place) below(v pyc.Version, root string, env func(string) string) []string {
	names := strings.NewReplacer("{v}", v.String(), "{n}", strings.ReplaceAll(v.String(), ".", ""))
	var out []string
	for _, base := range p.bases {
		dir := root + base
		if name, rest, _ := strings.Cut(base, "/"); strings.HasPrefix(name, "$") {
			if dir = home(name[1:], env); dir == "" {
				continue
			}
			dir += "/" + rest
		}
		for _, file := range p.files {
			found, _ := filepath.Glob(filepath.Join(literal(dir), filepath.FromSlash(names.Replace(file)))) // the only error is a wrong pattern
			slices.SortFunc(found, laterFirst)
			out = append(out, found...)
		}
	}
	return out
}

// home is a variable's value; HOME has another name on Windows.
func home(name string, env func(string) string) string {
	value := env(name)
	if value == "" && name == "HOME" && runtime.GOOS == "windows" {
		value = env("USERPROFILE")
	}
	return value
}

// literal is a pattern that means dir itself. Windows has no such escape, and no need: \ is its separator.
func literal(dir string) string {
	if runtime.GOOS == "windows" {
		return dir
	}
	return regexp.MustCompile(`[\\*?\[]`).ReplaceAllString(dir, `\$0`)
}

// laterFirst orders paths by the numbers in them: 3.12.10 comes before 3.12.9.
func laterFirst(a, b string) int {
	return strings.Compare(padded(b), padded(a))
}

var number = lazyregexp.New(`\d+`)

func padded(path string) string {
	return number.ReplaceAllStringFunc(path, func(n string) string {
		return strings.Repeat("0", max(0, 9-len(n))) + n
	})
}

// condaEnvironments lists the interpreters of the environments that conda knows:
// those outside of its own folder are nowhere else.
func condaEnvironments(v pyc.Version, env func(string) string) []string {
	dir := home("HOME", env)
	if dir == "" {
		return nil
	}
	text, err := os.ReadFile(filepath.Join(dir, ".conda", "environments.txt"))
	if err != nil {
		return nil
	}
	var out []string
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, filepath.Join(line, "bin", "python"+v.String()), filepath.Join(line, "python.exe"))
		}
	}
	return out
}

// registered asks Windows for the interpreters that are registered (PEP 514): the
// launcher lists them, and where it is missing the registry itself does.
func registered(v pyc.Version) []string {
	if runtime.GOOS != "windows" {
		return nil
	}
	for _, command := range [][]string{
		{"py", "--list-paths"},
		{"reg", "query", `HKCU\Software\Python`, "/s", "/v", "ExecutablePath"},
		{"reg", "query", `HKLM\Software\Python`, "/s", "/v", "ExecutablePath"},
	} {
		if text, err := exec.Command(command[0], command[1:]...).Output(); err == nil {
			if found := executables(string(text), v); len(found) > 0 {
				return found
			}
		}
	}
	return nil
}

// executables reads what the launcher or `reg query` prints:
//
//	-V:3.12 *        C:\Python312\python.exe
//
//	HKEY_CURRENT_USER\Software\Python\PythonCore\3.12\InstallPath
//	    ExecutablePath    REG_SZ    C:\Python312\python.exe
func executables(text string, v pyc.Version) []string {
	is := regexp.MustCompile(`^\s*-(?:V:)?(?:\w+/)?` + regexp.QuoteMeta(v.String()) + `\b|\\` + regexp.QuoteMeta(v.String()) + `(?:-\w+)?\\InstallPath\s*$`)
	entry := regexp.MustCompile(`^\s*-|\\InstallPath\s*$`)
	file := regexp.MustCompile(`[A-Za-z]:\\.*\.exe`)
	var out []string
	wanted := false
	lines := bufio.NewScanner(strings.NewReader(text))
	for lines.Scan() {
		line := lines.Text()
		if entry.MatchString(line) {
			wanted = is.MatchString(line)
		}
		if path := file.FindString(line); wanted && path != "" {
			out = append(out, path)
		}
	}
	return out
}

// executable tells whether a path is a file that can be started.
func executable(path string) bool {
	st, err := os.Stat(path)
	return err == nil && st.Mode().IsRegular() && (st.Mode()&fs.FileMode(0o111) != 0 || runtime.GOOS == "windows")
}
