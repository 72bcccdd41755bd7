package service

import (
	"bytes"
	"errors"
	"io"
	"math/big"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

func TestPacketRoundTrip(t *testing.T) {
	value := map[string]any{
		"nil": nil, "yes": true, "no": false, "int": int64(-5), "float": -0.5,
		"text": "h\u00e9\xed\xa0\x80", "bytes": []byte{0, 255}, "list": []any{int64(1), "two", []any{}},
		"map": map[string]any{"": nil},
	}
	data, err := AppendPacket(nil, Packet{Number: 7, Response: true, Value: value})
	if err != nil {
		t.Fatal(err)
	}
	p, err := ReadPacket(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if p.Number != 7 || !p.Response || !reflect.DeepEqual(p.Value, value) {
		t.Errorf("got %#v", p)
	}
	if _, err := ReadPacket(bytes.NewReader(nil)); err != io.EOF {
		t.Errorf("at the end: %v, want io.EOF", err)
	}
	for n := 1; n < len(data); n++ {
		if _, err := ReadPacket(bytes.NewReader(data[:n])); err == nil || err == io.EOF {
			t.Fatalf("cut at %d: %v", n, err)
		}
	}
}

func TestPacketBigInt(t *testing.T) {
	n, _ := new(big.Int).SetString("-123456789012345678901234567890", 10)
	data, err := AppendValue(nil, n)
	if err != nil {
		t.Fatal(err)
	}
	v, err := DecodeValue(data)
	if err != nil {
		t.Fatal(err)
	}
	if s := v.(map[string]any)["v"]; s != "-0x18ee90ff6c373e0ee4e3f0ad2" {
		t.Errorf("got %v", s)
	}
}

func TestPacketMalformed(t *testing.T) {
	deep := bytes.Repeat([]byte{kindList, 1, 0, 0, 0}, maxDepth+2)
	for name, data := range map[string][]byte{
		"empty": {}, "unknown kind": {9}, "short int": {kindInt, 1},
		"huge list": {kindList, 255, 255, 255, 255}, "trailing": {kindNil, kindNil},
		"deep": append(deep, kindNil),
	} {
		if _, err := DecodeValue(data); !errors.Is(err, errMalformed) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := AppendValue(nil, struct{}{}); err == nil {
		t.Error("a struct was encoded")
	}
}

// TestPythonSamples reads what python/depyf/_protocol.py has written
// (tests/python/make_packets.py) and writes the same bytes.
func TestPythonSamples(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.packet")
	if len(files) == 0 {
		t.Fatal("no samples in testdata")
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		p, err := ReadPacket(bytes.NewReader(data))
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		again, err := AppendPacket(nil, p)
		if err != nil || !bytes.Equal(again, data) {
			t.Errorf("%s: written differently (%v)", file, err)
		}
	}
}

// TestRecordings reads every frame recorded from Dynamo.
func TestRecordings(t *testing.T) {
	files, _ := filepath.Glob("../../testdata/dynamo/*/*.pkt")
	if len(files) == 0 {
		t.Fatal("no recordings")
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		r, err := ReadRecording(data)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		if r.Func == "" || len(r.New.Bytecode) == 0 || r.New.ArgCount != r.Old.ArgCount {
			t.Errorf("%s: %+v", file, r)
		}
	}
}

func FuzzPacket(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.packet")
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := ReadPacket(bytes.NewReader(data))
		if err != nil {
			return
		}
		again, err := AppendPacket(nil, p)
		if err != nil {
			t.Fatal(err)
		}
		q, err := ReadPacket(bytes.NewReader(again))
		if err != nil {
			t.Fatal(err)
		}
		twice, _ := AppendPacket(nil, q)
		if !bytes.Equal(again, twice) {
			t.Error("the encoding is not stable")
		}
		_, _ = CodeFromValue(p.Value)
	})
}
