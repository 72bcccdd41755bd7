package explain

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Names in the dump folder that belong to the log.
const (
	LogName  = "events.jsonl"
	BlobsDir = ".blobs"
)

// store is the event log on disk. The log is append-only; a record is written
// by one call, so that the log of a killed process ends in at most one torn line.
type store struct {
	file  *os.File
	blobs packer
}

func openStore(dir string) (*store, error) {
	f, err := os.OpenFile(filepath.Join(dir, LogName), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, err
	}
	return &store{file: f, blobs: packer{Blobs: OpenBlobs(dir)}}, nil
}

func (s *store) append(r Record) error {
	if s == nil {
		return nil
	}
	line, err := r.encode(s.put)
	if err != nil {
		return err
	}
	_, err = s.file.Write(line)
	return err
}

// put stores data among the blobs and returns its name.
func (s *store) put(data []byte) (string, error) {
	if s == nil {
		return blobName(data), nil
	}
	return s.blobs.put(data)
}

func (s *store) close() error {
	if s == nil {
		return nil
	}
	return errors.Join(s.blobs.close(), s.file.Close())
}

// WriteFile writes a file so that a reader sees the old content or all of the
// new one, never a part. Nothing is left behind when it fails.
func WriteFile(path string, data []byte) error {
	return WriteFileFrom(path, bytes.NewReader(data))
}

// WriteFileFrom is WriteFile of what data gives.
func WriteFileFrom(path string, data io.WriterTo) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".tmp-*")
	if err != nil {
		return err
	}
	_, err = data.WriteTo(f)
	if e := f.Chmod(0o644); err == nil {
		err = e
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// maxLine bounds a line of the log: larger ones are not ours.
const maxLine = 64 << 20

// readRecords calls f for each record and returns the number of lines that
// could not be read.
func readRecords(r io.Reader, get func(string) ([]byte, error), f func(Record)) (skipped int, err error) {
	in := bufio.NewReaderSize(r, 1<<16)
	for {
		line, rerr := readLine(in)
		if line = bytes.TrimSpace(line); len(line) > 0 {
			if rec, derr := decodeRecord(line, get); derr != nil {
				skipped++
			} else {
				f(rec)
			}
		}
		if rerr == io.EOF {
			return skipped, nil
		}
		if rerr != nil {
			return skipped, rerr
		}
	}
}

func readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		line = append(line, part...)
		if err != bufio.ErrBufferFull {
			return line, err
		}
		if len(line) > maxLine {
			return nil, fmt.Errorf("a line of more than %d bytes", maxLine)
		}
	}
}
