package explain

import (
	"os"
	"path/filepath"
	"testing"
)

func appendTo(t *testing.T, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
}

const (
	startLine = `{"n":1,"t":5,"type":"session_start","fields":{"dir":"/d","torch":"2.15.0","pid":1,"token":"a"}}` + "\n"
	beginLine = `{"n":2,"t":6.5,"type":"trace","fields":{"envelope":"{\"dynamo_start\":{\"stack\":[{\"line\":1,\"name\":\"f\",\"filename\":0}]},\"frame_id\":0,\"frame_compile_id\":0}"}}` + "\n"
)

// What is not whole yet is left for later; what is there is read once.
func TestFollow(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, LogName)
	f := Follow(dir)
	read := func(want bool) {
		t.Helper()
		if changed, err := f.Read(); err != nil || changed != want {
			t.Fatalf("changed: %v, %v", changed, err)
		}
	}
	read(false) // there is no log yet
	appendTo(t, path, startLine+beginLine[:40])
	read(true)
	if m := f.Model(); m.Start.Torch != "2.15.0" || len(m.Compiles) != 0 || m.Skipped != 0 || f.Last() != 5 {
		t.Errorf("after one line and a half: %+v", m)
	}
	read(false)
	appendTo(t, path, beginLine[40:])
	read(true)
	m := f.Model()
	if len(m.Compiles) != 1 || m.Skipped != 0 || f.Since(m.Compiles[0]) != 6.5 {
		t.Errorf("after the second: %+v", m)
	}
	appendTo(t, path, "junk\n\n")
	read(true)
	if f.Model().Skipped != 1 {
		t.Errorf("%d lines are no events", f.Model().Skipped)
	}
	read(false)

	// Another run takes the place of the log: one that is shorter, and one that is as long.
	for _, torch := range []string{"2.6.0", "2.9.1"} {
		if err := os.WriteFile(path, []byte(`{"n":1,"t":9,"type":"session_start","fields":{"dir":"/d","torch":"`+torch+`"}}`+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		read(true)
		if m := f.Model(); m.Start.Torch != torch || len(m.Compiles) != 0 || m.Skipped != 0 {
			t.Errorf("another log: %+v", m)
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	read(true)
	read(false)
	if f.Model().Start.Torch != "" || f.Last() != 0 {
		t.Errorf("without a log: %+v", f.Model())
	}
}
