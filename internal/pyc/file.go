package pyc

import (
	"encoding/binary"
	"fmt"
	"io"
)

// maxFile bounds what Read takes into memory; the largest .pyc of CPython's own
// library has about 2 MB.
const maxFile = 1 << 28

// headerSize is the size of a .pyc header since PEP 552 (3.7).
const headerSize = 16

// File is a .pyc file: the 16-byte header of PEP 552 and the module's code.
type File struct {
	Magic   uint16
	Version Version
	Flags   uint32 // bit 0: hash-based; bit 1: the hash is to be checked
	MTime   uint32 // of the source, when not hash-based
	Size    uint32 // of the source modulo 2**32, when not hash-based
	Hash    uint64 // of the source, when hash-based
	Code    *Code
}

// HashBased reports whether the header holds a hash instead of a time and size.
func (f *File) HashBased() bool { return f.Flags&1 != 0 }

// Read reads a .pyc file.
func Read(r io.Reader) (*File, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxFile {
		return nil, &Error{maxFile, "the file is larger than 256 MiB"}
	}
	return ReadBytes(data)
}

// ReadBytes reads a .pyc file held in memory. Offsets in errors count from the
// start of the file.
func ReadBytes(data []byte) (*File, error) {
	if len(data) >= 4 && data[2] == '\r' && data[3] == '\n' {
		if _, err := versionOfMagic(binary.LittleEndian.Uint16(data)); err != nil {
			return nil, &Error{0, err.Error()}
		}
	}
	if len(data) < headerSize {
		return nil, &Error{len(data), fmt.Sprintf("a .pyc file begins with a header of 16 bytes; this has %d bytes in all", len(data))}
	}
	if data[2] != '\r' || data[3] != '\n' {
		return nil, &Error{2, fmt.Sprintf("not a .pyc file: bytes 2 and 3 are %#02x %#02x, not CR LF", data[2], data[3])}
	}
	f := &File{Magic: binary.LittleEndian.Uint16(data)}
	v, err := versionOfMagic(f.Magic)
	if err != nil {
		return nil, &Error{0, err.Error()}
	}
	f.Version = v
	f.Flags = binary.LittleEndian.Uint32(data[4:])
	if f.Flags&^3 != 0 {
		return nil, &Error{4, fmt.Sprintf("unknown .pyc flags %#x", f.Flags)}
	}
	if f.HashBased() {
		f.Hash = binary.LittleEndian.Uint64(data[8:])
	} else {
		f.MTime = binary.LittleEndian.Uint32(data[8:])
		f.Size = binary.LittleEndian.Uint32(data[12:])
	}
	c, err := unmarshalAt(data, headerSize, v)
	if err != nil {
		return nil, err
	}
	code, ok := c.(*Code)
	if !ok {
		return nil, &Error{headerSize, fmt.Sprintf("the file holds a %s, not a code object", TypeName(c))}
	}
	f.Code = code
	return f, nil
}

// VersionOf tells by its magic number which CPython wrote a .pyc file.
func VersionOf(data []byte) (v Version, known bool) {
	if len(data) < 4 || data[2] != '\r' || data[3] != '\n' {
		return 0, false
	}
	v, err := versionOfMagic(binary.LittleEndian.Uint16(data))
	return v, err == nil
}

// Bytes returns f as the content of a .pyc file.
func (f *File) Bytes() ([]byte, error) {
	body, err := Marshal(f.Code, f.Version)
	if err != nil {
		return nil, err
	}
	out := make([]byte, headerSize, headerSize+len(body))
	binary.LittleEndian.PutUint16(out, f.Magic)
	out[2], out[3] = '\r', '\n'
	binary.LittleEndian.PutUint32(out[4:], f.Flags)
	if f.HashBased() {
		binary.LittleEndian.PutUint64(out[8:], f.Hash)
	} else {
		binary.LittleEndian.PutUint32(out[8:], f.MTime)
		binary.LittleEndian.PutUint32(out[12:], f.Size)
	}
	return append(out, body...), nil
}
