package pyc

import "fmt"

// Version is a CPython minor version: 13 means CPython 3.13.
//
// Code outside internal/opcode and internal/bytecode never compares versions
// with numbers; it asks one of the named predicates in features.go.
type Version uint8

// The versions this program reads.
const (
	V37 Version = 7 + iota
	V38
	V39
	V310
	V311
	V312
	V313
	V314
	V315
)

// Oldest and Newest bound the supported range.
const (
	Oldest = V37
	Newest = V315
)

// Known reports whether v is a version this program reads.
func (v Version) Known() bool { return v >= Oldest && v <= Newest }

func (v Version) String() string { return fmt.Sprintf("3.%d", uint8(v)) }
