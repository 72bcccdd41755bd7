package browser

import (
	"sync"
	"testing"
)

// shared is the one Chromium of a test binary: to start one takes as long as ten tests.
var shared = sync.OnceValues(func() (*Browser, error) {
	path, err := Find()
	if err != nil {
		return nil, err
	}
	b, err := Start(path)
	started = b
	return b, err
})

var started *Browser

// OfTests returns a browser for a test, which has storage of its own and is empty. Its pages are closed when the test
// ends. All tests of a package share one Chromium; Main ends it. Without Chromium the test is skipped as not run.
func OfTests(t testing.TB) *Browser {
	t.Helper()
	if _, err := Find(); err != nil {
		t.Skipf("NOT RUN: %v; the page is not tried in a browser", err)
	}
	b, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	var made struct {
		ID string `json:"browserContextId"`
	}
	if err := b.call("", "Target.createBrowserContext", nil, &made); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.call("", "Target.disposeBrowserContext", object{"browserContextId": made.ID}, nil); err != nil {
			t.Error(err)
		}
	})
	return &Browser{process: b.process, context: made.ID}
}

// Main runs the tests of a package that calls OfTests: for its TestMain.
func Main(m *testing.M) int {
	defer func() {
		if started != nil {
			started.Close()
		}
	}()
	return m.Run()
}
