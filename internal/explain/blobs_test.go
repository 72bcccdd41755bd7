package explain

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func put(t *testing.T, p *packer, data string) string {
	t.Helper()
	name, err := p.put([]byte(data))
	if err != nil {
		t.Fatal(err)
	}
	return name
}

func want(t *testing.T, b *Blobs, name, data string) {
	t.Helper()
	if got, err := b.Get(name); err != nil || string(got) != data {
		t.Errorf("%s: %.40q, %v; want %.40q", name, got, err, data)
	}
}

func TestBlobsComeBack(t *testing.T) {
	dir := t.TempDir()
	p := &packer{Blobs: OpenBlobs(dir)}
	reader := OpenBlobs(dir) // which sees what comes later, too
	values := map[string]string{}
	for _, data := range []string{"", "x", "a\nb\n", strings.Repeat("guard ", 5000), string(bytes.Repeat([]byte{0, 255, 10}, 700))} {
		name := put(t, p, data)
		if again := put(t, p, data); again != name {
			t.Errorf("%s and %s", name, again)
		}
		values[name] = data
		want(t, reader, name, data)
	}
	if err := p.close(); err != nil {
		t.Fatal(err)
	}
	for name, data := range values {
		want(t, OpenBlobs(dir), name, data)
	}
	files, _ := os.ReadDir(filepath.Join(dir, BlobsDir))
	st, _ := os.Stat(filepath.Join(dir, BlobsDir, packName))
	if len(files) != 1 || st.Size() > 3000 {
		t.Errorf("%d files, %d bytes for 32,000", len(files), st.Size())
	}
	if _, err := reader.Get("../../etc/passwd"); err == nil {
		t.Error("a path is no name")
	}
}

// A process that is killed leaves at most one entry half-written; the session that
// goes on there writes over it.
func TestTornPack(t *testing.T) {
	long := strings.Repeat("0123456789", 40)
	whole := fmt.Sprintf("%s raw %d\n%s\n", blobName([]byte(long)), len(long), long)
	for cut := range len(whole) {
		dir := t.TempDir()
		p := &packer{Blobs: OpenBlobs(dir)}
		first := put(t, p, "the first")
		_ = p.close()
		path := filepath.Join(dir, BlobsDir, packName)
		f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = f.WriteString(whole[:cut])
		_ = f.Close()
		b := OpenBlobs(dir)
		want(t, b, first, "the first")
		if _, err := b.Get(blobName([]byte(long))); err == nil {
			t.Fatalf("a part of %d bytes passes for the whole", cut)
		}
		p = &packer{Blobs: OpenBlobs(dir)}
		second := put(t, p, "the second")
		want(t, OpenBlobs(dir), first, "the first")
		want(t, OpenBlobs(dir), second, "the second")
		_ = p.close()
	}
}

// Dumps of before have a file for each blob.
func TestBlobsInFiles(t *testing.T) {
	dir := t.TempDir()
	name := blobName([]byte("old"))
	if err := os.MkdirAll(filepath.Join(dir, BlobsDir), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, BlobsDir, name), []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	want(t, OpenBlobs(dir), name, "old")
	p := &packer{Blobs: OpenBlobs(dir)}
	added := put(t, p, "new")
	want(t, OpenBlobs(dir), name, "old")
	want(t, OpenBlobs(dir), added, "new")
	_ = p.close()
}

// A long list goes to the blobs as a whole, and comes back.
func TestLongListsAreBlobs(t *testing.T) {
	var entries []any
	for i := range 300 {
		entries = append(entries, map[string]any{"text": fmt.Sprintf("___check_type_id(L['x'][%d], <&>)", i), "source": nil})
	}
	entries = append(entries, map[string]any{"text": strings.Repeat("long ", 1000), "lone": "\xed\xb2\x80"})
	held := map[string][]byte{}
	line, err := Record{N: 1, Type: "guards", Fields: map[string]any{"key": "c", "entries": entries}}.encode(func(b []byte) (string, error) {
		name := blobName(b)
		held[name] = append([]byte(nil), b...)
		return name, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(line) > 200 || len(held) != 3 {
		t.Errorf("%d bytes in the line, %d blobs", len(line), len(held))
	}
	r, err := decodeRecord(line, func(name string) ([]byte, error) { return held[name], nil })
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(r.Fields["entries"]); got != fmt.Sprint(entries) {
		t.Errorf("got %.200s", got)
	}
}
