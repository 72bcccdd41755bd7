package explain_test

import (
	"testing"

	"github.com/thuml/depyf/internal/explain"
)

// TestLibraryFile tells files of libraries from a user's, wherever torch runs from.
func TestLibraryFile(t *testing.T) {
	for file, want := range map[string]bool{
		"/usr/lib/python3/dist-packages/torch/nn/modules/module.py": true,
		"/venv/lib/python3.12/site-packages/transformers/a.py":      true,
		"C:\\venv\\Lib\\site-packages\\torch\\_dynamo\\a.py":        true,
		"/home/user/pytorch/torch/_dynamo/polyfills/__init__.py":    true,
		"/home/user/pytorch/torch/nn/modules/module.py":             true,
		"/home/user/pytorch/torch/utils/_contextlib.py":             true,
		"<frozen importlib._bootstrap>":                             true,
		"/home/user/torch/model.py":                                 false,
		"/home/user/torch/nn/model.py":                              false,
		"/home/user/my_torch/_private/model.py":                     false,
		"model.py":                                                  false,
	} {
		if got := explain.LibraryFile(file); got != want {
			t.Errorf("%s: %t, want %t", file, got, want)
		}
	}
}
