package explain

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
)

// Follower reads the event log of a dump folder while a program writes it. Each Read takes in what is new, so that
// following a long session costs no more than reading its log once.
type Follower struct {
	path  string
	model *Model
	blobs *Blobs
	head  []byte // how the log begins, to know it again
	at    int64  // what has been read
	size  int64  // of the file when it was read last
	last  float64
	since map[*Compile]float64
}

// Follow follows the log of a dump folder, which need not be there yet.
func Follow(dir string) *Follower {
	f := &Follower{path: filepath.Join(dir, LogName)}
	f.begin(dir)
	return f
}

func (f *Follower) begin(dir string) {
	f.model, f.blobs, f.since = newModel(), OpenBlobs(dir), map[*Compile]float64{}
	f.head, f.at, f.size, f.last = nil, 0, 0, 0
}

// Model is what is known by now. The next Read changes it.
func (f *Follower) Model() *Model { return f.model }

// Last is the time of the last event, in seconds since 1970; 0 before the first.
func (f *Follower) Last() float64 { return f.last }

// Since is when the log first spoke of a compilation.
func (f *Follower) Since(c *Compile) float64 { return f.since[c] }

// Read takes in the lines that have been written since the last call, and says whether there were any. A line that is not
// whole yet is left for later. Where another run has replaced the log it begins anew.
func (f *Follower) Read() (changed bool, err error) {
	file, err := os.Open(f.path)
	if errors.Is(err, os.ErrNotExist) {
		changed = f.at > 0
		f.begin(filepath.Dir(f.path))
		return changed, nil
	}
	if err != nil {
		return false, err
	}
	defer file.Close()
	st, err := file.Stat()
	if err != nil {
		return false, err
	}
	if !f.same(file, st.Size()) {
		f.begin(filepath.Dir(f.path))
		changed = true
	}
	if st.Size() == f.size {
		return changed, nil
	}
	f.size = st.Size()
	in := bufio.NewReaderSize(io.NewSectionReader(file, f.at, f.size-f.at), 1<<16)
	for {
		line, err := readLine(in)
		if err == io.EOF {
			return changed, nil
		}
		if err != nil {
			return changed, err
		}
		if f.at == 0 {
			f.head = bytes.Clone(line[:min(len(line), 4096)])
		}
		f.at += int64(len(line))
		changed = true
		f.take(bytes.TrimSpace(line))
	}
}

// same reports whether the file is the one that has been read so far, longer maybe: its first line names the process and the time.
func (f *Follower) same(file *os.File, size int64) bool {
	if size < f.at {
		return false
	}
	head := make([]byte, len(f.head))
	_, err := file.ReadAt(head, 0)
	return len(head) == 0 || err == nil && bytes.Equal(head, f.head)
}

func (f *Follower) take(line []byte) {
	if len(line) == 0 {
		return
	}
	r, err := decodeRecord(line, f.blobs.Get)
	if err != nil {
		f.model.Skipped++
		return
	}
	known := len(f.model.Compiles)
	f.model.apply(r)
	f.last = r.Time
	for _, c := range f.model.Compiles[known:] {
		f.since[c] = r.Time
	}
}
