package torchlog

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/md5"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Entry is one entry of the structured log, or one message of torch's loggers.
type Entry struct {
	Message  *Message // nil for an entry of the structured log
	Envelope string   // JSON
	Payload  []byte   // until the next entry is read
	HasText  bool     // there is a payload, be it empty
	Torn     bool     // the payload is not what torch's checksum is of
	Lies     Part     // where the payload is in the file; empty where that is compressed
}

// Part is a part of a file: the lines of a payload, as they are there.
type Part struct {
	From int64
	Size int
	Sum  [md5.Size]byte // of the payload
}

// Begin is the part that begins it.
func (p Part) Begin(size int) Part {
	p.Size = min(p.Size, size)
	return p
}

// Read reads the payload again.
func (p Part) Read(file io.ReaderAt) (string, error) {
	raw := make([]byte, p.Size)
	if _, err := file.ReadAt(raw, p.From); err != nil {
		return "", err
	}
	if len(raw) == 0 || raw[0] != '\t' {
		return "", errors.New("the log is no longer what it was")
	}
	return strings.ReplaceAll(strings.TrimSuffix(string(raw[1:]), "\n"), "\n\t", "\n"), nil
}

// Reader reads entries.
type Reader struct {
	in      *bufio.Reader
	packed  bool
	at      int64  // how much of the file has been read, as it is there
	body    []byte // of the payload that was read last
	next    []byte // the line that ended the entry before
	ended   bool
	ending  bool // lines end as on Windows
	texts   messages
	Entries int    // read so far, messages included
	Other   int    // lines that are no part of one, but for empty ones
	CutOff  bool   // a compressed file ends in the middle, or is broken from there on
	What    string // what the file is at first sight: "text", "empty", "no text"
}

// NewReader reads a log, which may be compressed by gzip.
func NewReader(r io.Reader) (*Reader, error) {
	in, packed := bufio.NewReaderSize(r, 1<<16), false
	if magic, err := in.Peek(2); err == nil && magic[0] == 0x1f && magic[1] == 0x8b {
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, fmt.Errorf("its compressed form cannot be read: %w", err)
		}
		in, packed = bufio.NewReaderSize(z, 1<<16), true
	}
	if wide := wideText(in); wide != nil { // what Windows PowerShell redirects
		in, packed = bufio.NewReaderSize(wide, 1<<16), true
	}
	out := &Reader{in: in, packed: packed, What: "text"}
	if mark, _ := in.Peek(len(utf8Mark)); string(mark) == utf8Mark {
		n, _ := in.Discard(len(utf8Mark)) // they have been looked at
		out.at = int64(n)
	}
	switch first, _ := in.Peek(512); {
	case len(first) == 0:
		out.What = "empty"
	case bytes.IndexByte(first, 0) >= 0:
		out.What = "no text"
	}
	return out, nil
}

// Next is the next entry, or io.EOF behind the last. A log that ends in the middle of
// something (a killed process, a compressed file that was cut) ends there.
func (r *Reader) Next() (Entry, error) {
	for {
		if m, ok := r.texts.next(); ok {
			r.Entries++
			return Entry{Message: &m}, nil
		}
		line, ok := r.line()
		ends := bytes.HasSuffix(line, []byte("\r"))
		line, _ = bare(line)
		if !ok {
			if r.texts.end(); len(r.texts.done) > 0 {
				continue
			}
			return Entry{}, io.EOF
		}
		envelope, ok := entry(line)
		if !ok {
			if !r.texts.take(string(line)) && len(bytes.TrimSpace(line)) > 0 {
				r.Other++
			}
			r.Other -= r.texts.claimed
			r.texts.claimed = 0
			continue
		}
		r.Entries++
		e := Entry{Envelope: string(envelope)}
		r.ending = ends
		r.payload(&e)
		return e, nil
	}
}

// line is the next line without its end; not ok behind the last one.
func (r *Reader) line() ([]byte, bool) {
	if r.next != nil {
		line := r.next
		r.next = nil
		return line, true
	}
	if r.ended {
		return nil, false
	}
	var long []byte
	for {
		part, err := r.in.ReadSlice('\n')
		r.at += int64(len(part))
		if errors.Is(err, bufio.ErrBufferFull) {
			long = append(long, part...)
			continue
		}
		if err != nil {
			r.ended, r.CutOff = true, !errors.Is(err, io.EOF)
			if len(part)+len(long) == 0 {
				return nil, false
			}
		}
		if long != nil {
			part = append(long, part...)
		}
		return bytes.TrimSuffix(part, []byte("\n")), true
	}
}

// payload reads the lines behind an entry that belong to it.
func (r *Reader) payload(e *Entry) {
	r.body = r.body[:0]
	from, behind := r.at, r.at
	changed := false // the lines are not as torch wrote them
	for {
		line, ok := r.line()
		if !ok {
			break
		}
		if len(line) == 0 || line[0] != '\t' || r.ending {
			own, other := bare(line)
			if len(own) == 0 || own[0] != '\t' {
				r.next = bytes.Clone(line)
				break
			}
			line, changed = own, changed || other
		}
		if e.HasText {
			r.body = append(r.body, '\n')
		}
		e.HasText = true
		r.body = append(r.body, line[1:]...)
		behind = r.at
	}
	e.Payload = r.body
	if !r.packed && !changed {
		e.Lies = Part{From: from, Size: int(behind - from)}
	}
	if sum, ok := checksum(e.Envelope); ok {
		e.HasText = true
		e.Lies.Sum = md5.Sum(e.Payload)
		e.Torn = hex.EncodeToString(e.Lies.Sum[:]) != sum
	} else if e.HasText {
		e.Lies.Sum = md5.Sum(e.Payload)
	}
}

// entry is the JSON of a line that begins an entry: after torch's own prefix, which another
// program's (the rank, by torchrun) may stand before.
func entry(line []byte) ([]byte, bool) {
	at := bytes.Index(line, []byte("] {"))
	if at < 0 || !bytes.HasSuffix(bytes.TrimRight(line, " \r"), []byte("}")) {
		return nil, false
	}
	head := line[:at]
	if bytes.Contains(head, []byte("] [")) { // of a message: a compile id, an artifact
		return nil, false
	}
	v := bytes.LastIndexByte(head, 'V')
	// V1121 02:37:03.355000 9006 torch/_dynamo/utils.py:2473
	if v < 0 || len(head) < v+len("V1121 02:37:03.355000 1 a:1") || !digits(head[v+1:v+5]) || head[v+5] != ' ' ||
		head[v+8] != ':' || head[v+11] != ':' || head[v+14] != '.' || bytes.LastIndexByte(head, ':') < v+21 {
		return nil, false
	}
	return line[at+2:], true
}

func digits(s []byte) bool {
	for _, c := range s {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

// checksum is the MD5 of the payload, which the envelope tells.
func checksum(envelope string) (string, bool) {
	_, rest, ok := strings.Cut(envelope, `"has_payload": "`)
	if !ok || len(rest) < 32 {
		return "", false
	}
	return rest[:32], true
}
