package explain

import (
	"bufio"
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/thuml/depyf/internal/lazyregexp"
)

// Blobs are the large values of an event log, by the hash of their content. They
// stand one behind the other in one file, .blobs/pack, each as
//
//	<hash> <form> <number of bytes that follow>\n<bytes>\n
//
// where form is "raw" or "deflate". A file for each would be thousands in a session
// of hundreds of functions, and making files is most of what storing them costs.
// What a killed process left half-written at the end is no entry. Dumps of before have
// the files; both are read.
type Blobs struct {
	dir   string
	index map[string]packed
	end   int64 // of what is known of the pack
}

// packed is where the bytes of a blob are.
type packed struct {
	at, size int64
	deflated bool
}

const packName = "pack"

var blobPattern = lazyregexp.New(`^[0-9a-f]{16}$`)

// OpenBlobs reads the blobs of a dump folder, of which there may be none.
func OpenBlobs(dir string) *Blobs {
	return &Blobs{dir: filepath.Join(dir, BlobsDir), index: map[string]packed{}}
}

// ReadBlob reads one blob of a dump folder.
func ReadBlob(dir, name string) ([]byte, error) { return OpenBlobs(dir).Get(name) }

// Get reads a blob. What has been appended since the last call is found as well.
func (b *Blobs) Get(name string) ([]byte, error) {
	if !blobPattern.MatchString(name) {
		return nil, fmt.Errorf("%q is no blob name", name)
	}
	f, err := os.Open(filepath.Join(b.dir, packName))
	if err != nil {
		return os.ReadFile(filepath.Join(b.dir, name))
	}
	defer f.Close()
	p, ok := b.index[name]
	if !ok {
		b.scan(f)
		if p, ok = b.index[name]; !ok {
			return os.ReadFile(filepath.Join(b.dir, name))
		}
	}
	data := make([]byte, p.size)
	if _, err := f.ReadAt(data, p.at); err != nil {
		return nil, err
	}
	if !p.deflated {
		return data, nil
	}
	return io.ReadAll(flate.NewReader(bytes.NewReader(data)))
}

// scan takes in the entries behind those that are known.
func (b *Blobs) scan(f *os.File) {
	st, err := f.Stat()
	if err != nil {
		return
	}
	in := bufio.NewReader(io.NewSectionReader(f, b.end, st.Size()-b.end))
	for {
		head, err := in.ReadString('\n')
		if err != nil {
			return
		}
		name, p, ok := readHead(head)
		p.at = b.end + int64(len(head))
		if !ok || p.at+p.size+1 > st.Size() {
			return
		}
		if _, err := in.Discard(int(p.size) + 1); err != nil {
			return
		}
		b.index[name] = p
		b.end = p.at + p.size + 1
	}
}

func readHead(line string) (name string, p packed, ok bool) {
	parts := strings.Split(strings.TrimSuffix(line, "\n"), " ")
	if len(parts) != 3 || !blobPattern.MatchString(parts[0]) || parts[1] != "raw" && parts[1] != "deflate" {
		return "", p, false
	}
	n, err := strconv.ParseInt(parts[2], 10, 64)
	return parts[0], packed{size: n, deflated: parts[1] == "deflate"}, err == nil && n >= 0
}

// packer appends to the pack of a folder.
type packer struct {
	*Blobs
	file    *os.File
	deflate *flate.Writer
	buf     bytes.Buffer
}

// put stores data and returns its name. Equal data is stored once.
func (p *packer) put(data []byte) (string, error) {
	name := blobName(data)
	if p.file == nil {
		if err := p.open(); err != nil {
			return "", err
		}
	}
	if _, known := p.index[name]; known {
		return name, nil
	}
	form, stored, err := p.packed(data)
	if err != nil {
		return "", err
	}
	head := fmt.Sprintf("%s %s %d\n", name, form, len(stored))
	entry := append(append([]byte(head), stored...), '\n')
	// By place: an entry that did not fit on the disk is written over by the next.
	if _, err := p.file.WriteAt(entry, p.end); err != nil {
		return "", err
	}
	p.index[name] = packed{at: p.end + int64(len(head)), size: int64(len(stored)), deflated: form == "deflate"}
	p.end += int64(len(entry))
	return name, nil
}

// open opens the pack, or makes it, behind the last whole entry.
func (p *packer) open() error {
	if err := os.MkdirAll(p.dir, 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(p.dir, packName), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return err
	}
	p.scan(f)
	if err := f.Truncate(p.end); err != nil {
		return errors.Join(err, f.Close())
	}
	p.file = f
	return nil
}

// packed is the form in which data takes less room, where that is worth the while.
func (p *packer) packed(data []byte) (form string, stored []byte, err error) {
	const worth = 512
	if len(data) < worth {
		return "raw", data, nil
	}
	p.buf.Reset()
	if p.deflate == nil {
		p.deflate, err = flate.NewWriter(&p.buf, flate.BestSpeed)
	} else {
		p.deflate.Reset(&p.buf)
	}
	if err != nil {
		return "", nil, err
	}
	if _, err = p.deflate.Write(data); err == nil {
		err = p.deflate.Close()
	}
	if err != nil || p.buf.Len() >= len(data)*9/10 {
		return "raw", data, err
	}
	return "deflate", p.buf.Bytes(), nil
}

func (p *packer) close() error {
	if p.file == nil {
		return nil
	}
	return p.file.Close()
}

func blobName(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}
