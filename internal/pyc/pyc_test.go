package pyc

import (
	"bytes"
	"encoding/hex"
	"errors"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// recordedFiles returns the .pyc files that gen/record.py wrote.
func recordedFiles(t testing.TB) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("..", "..", "testdata", "dis", "3.*", "*.pyc"))
	if err != nil || len(paths) < 250 {
		t.Fatalf("%d recorded files, error %v", len(paths), err)
	}
	return paths
}

// TestRoundTrip writes every recorded file and reads it back.
func TestRoundTrip(t *testing.T) {
	for _, path := range recordedFiles(t) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		f, err := Read(bytes.NewReader(data))
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if want := filepath.Base(filepath.Dir(path)); f.Version.String() != want {
			t.Errorf("%s: version %s", path, f.Version)
		}
		out, err := f.Bytes()
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		again, err := ReadBytes(out)
		if err != nil {
			t.Errorf("%s, written: %v", path, err)
		} else if !reflect.DeepEqual(f, again) {
			t.Errorf("%s: written and read back, it differs", path)
		}
	}
}

func parse(s string) Int {
	n, _ := new(big.Int).SetString(s, 0)
	return Int{n}
}

// TestConstants writes and reads each type of constant and shows its repr.
func TestConstants(t *testing.T) {
	tests := []struct {
		c    Const
		repr string
		hex  string // as CPython's marshal.dumps writes it, apart from references
	}{
		{None{}, "None", "4e"},
		{Ellipsis{}, "Ellipsis", "2e"},
		{StopIteration{}, "<class 'StopIteration'>", "53"},
		{Bool(true), "True", "54"},
		{Bool(false), "False", "46"},
		{NewInt(0), "0", "6900000000"},
		{NewInt(-1), "-1", "69ffffffff"},
		{NewInt(1<<31 - 1), "2147483647", "69ffffff7f"},
		{NewInt(-1 << 31), "-2147483648", "6900000080"},
		{NewInt(1 << 31), "2147483648", "6c03000000000000000200"},
		{NewInt(-1<<31 - 1), "-2147483649", "6cfdffffff010000000200"},
		{parse("0x7fffffffffffffffffff"), "604462909807314587353087", "6c06000000ff7fff7fff7fff7fff7f0f00"},
		{parse("1000000000000000000000000000000"), "1000000000000000000000000000000", ""},
		{Float{math.Float64bits(1.5)}, "1.5", "67000000000000f83f"},
		{Float{1 << 63}, "-0.0", "670000000000000080"},
		{Float{math.Float64bits(1e16)}, "1e+16", ""},
		{Float{math.Float64bits(1e15)}, "1000000000000000.0", ""},
		{Float{math.Float64bits(1e-5)}, "1e-05", ""},
		{Float{math.Float64bits(0.0001)}, "0.0001", ""},
		{Float{math.Float64bits(1e300)}, "1e+300", ""},
		{Float{math.Float64bits(math.Inf(-1))}, "-inf", ""},
		{Float{0x7ff8000000000001}, "nan", "67010000000000f87f"},
		{Complex{Float{0}, Float{math.Float64bits(2)}}, "2j", ""},
		{Complex{Float{1 << 63}, Float{math.Float64bits(-2.5)}}, "(-0-2.5j)", ""},
		{Complex{Float{math.Float64bits(1)}, Float{0}}, "(1+0j)", ""},
		{Str(""), "''", "7a00"},
		{Str("abc"), "'abc'", "7a03616263"},
		{Str("it's"), `"it's"`, ""},
		{Str("a'b\"\n\t\x00\x7f\\"), `'a\'b"\n\t\x00\x7f\\'`, ""},
		{Str("é€\U0001f600\u00ad\u200b"), `'é€😀\xad\u200b'`, ""},
		{Str("\xed\xa0\x80"), `'\ud800'`, "7503000000eda080"},
		{Str(strings.Repeat("x", 256)), "'" + strings.Repeat("x", 256) + "'", ""},
		{Bytes("a\xff'"), `b"a\xff'"`, "730300000061ff27"},
		{Tuple{}, "()", "2900"},
		{Tuple{NewInt(1)}, "(1,)", "29016901000000"},
		{Tuple(make300()), "", ""},
		{FrozenSet{}, "frozenset()", "3e00000000"},
		{FrozenSet{NewInt(1), NewInt(2)}, "frozenset({1, 2})", ""},
		{List{None{}}, "[None]", ""},
		{Set{NewInt(1)}, "{1}", ""},
		{Dict{{Str("a"), None{}}}, "{'a': None}", "7b7a01614e30"},
		{FrozenDict{}, "frozendict()", "7d30"},
		{FrozenDict{{NewInt(1), NewInt(2)}}, "frozendict({1: 2})", "7d6901000000690200000030"},
		{Slice{NewInt(1), None{}, None{}}, "slice(1, None, None)", "3a69010000004e4e"},
	}
	for _, tt := range tests {
		data, err := Marshal(tt.c, V315)
		if err != nil {
			t.Errorf("%s: %v", tt.repr, err)
			continue
		}
		if tt.hex != "" && hex.EncodeToString(data) != tt.hex {
			t.Errorf("%s: written as %x, want %s", tt.repr, data, tt.hex)
		}
		back, err := Unmarshal(data, V315)
		if err != nil {
			t.Errorf("%s: %v", tt.repr, err)
		} else if !reflect.DeepEqual(back, tt.c) {
			t.Errorf("%s: read back as %s", tt.repr, Repr(back))
		}
		if tt.repr != "" && Repr(tt.c) != tt.repr {
			t.Errorf("repr is %s, want %s", Repr(tt.c), tt.repr)
		}
	}
}

func make300() []Const {
	out := make([]Const, 300)
	for i := range out {
		out[i] = None{}
	}
	return out
}

// TestOldForms reads what marshal no longer writes.
func TestOldForms(t *testing.T) {
	for in, want := range map[string]Const{
		"490000000001000000": NewInt(1 << 32),
		"6603312e35":         Float{math.Float64bits(1.5)},
		"7803312e35023130":   Complex{Float{math.Float64bits(1.5)}, Float{math.Float64bits(10)}},
		"740100000061":       Str("a"),
		"410100000061":       Str("a"),
		"2800000000":         Tuple{},
	} {
		data, err := hex.DecodeString(in)
		if err != nil {
			t.Fatal(err)
		}
		have, err := Unmarshal(data, V37)
		if err != nil || !reflect.DeepEqual(have, want) {
			t.Errorf("%s: %v, error %v", in, have, err)
		}
	}
}

// TestReferences: a number is reserved before the children are read.
func TestReferences(t *testing.T) {
	// (x, x, (x,), again) where the outer tuple is 0, x is 1, the inner tuple 2.
	data := []byte("\xa9\x04\xfa\x01xr\x01\x00\x00\x00\xa9\x01r\x01\x00\x00\x00r\x02\x00\x00\x00")
	have, err := Unmarshal(data, V312)
	if err != nil || Repr(have) != "('x', 'x', ('x',), ('x',))" {
		t.Errorf("%v, error %v", have, err)
	}
	// A flag on a singleton does not count.
	have, err = Unmarshal([]byte("\x29\x03\xce\xfa\x01xr\x00\x00\x00\x00"), V312)
	if err != nil || Repr(have) != "(None, 'x', 'x')" {
		t.Errorf("%v, error %v", have, err)
	}
}

func TestMalformed(t *testing.T) {
	deep := strings.Repeat("\x29\x01", 3000) + "N"
	// Each tuple holds the one before it twice: 2**40 values.
	bomb := "\x29\x29\xfa\x01x"
	for i := 0; i < 40; i++ {
		bomb += "\xa9\x02" + strings.Repeat("r"+string([]byte{byte(i), 0, 0, 0}), 2)
	}
	tests := []struct {
		name, data string
		offset     int
		want       string
	}{
		{"empty", "", 0, "1 bytes expected"},
		{"cut off", "i\x01\x02", 1, "4 bytes expected"},
		{"null", "0", 0, "NULL"},
		{"null inside", "\x29\x010", 2, "NULL inside"},
		{"null as value", "{N0", 2, "NULL inside"},
		{"type code", "?", 0, "unknown marshal type code"},
		{"rest", "NN", 1, "1 bytes follow"},
		{"negative size", "(\xff\xff\xff\xff", 1, "size of -1"},
		{"huge size", "(\xff\xff\xff\x7f", 1, "size of 2147483647"},
		{"reference", "r\x00\x00\x00\x00", 0, "reference to value 0 of 0"},
		{"cycle", "\xdb\x01\x00\x00\x00r\x00\x00\x00\x00", 5, "refers to itself"},
		{"depth", deep, 4002, "nested more than 2000"},
		{"bomb", bomb, -1, "expand to more than"},
		{"utf-8", "u\x02\x00\x00\x00a\xff", 0, "byte 1 of a str is not UTF-8"},
		{"half a surrogate", "u\x02\x00\x00\x00\xed\xa0", 0, "not UTF-8"},
		{"ascii", "z\x01\x80", 0, "byte 0 of an ASCII str"},
		{"int digit", "l\x01\x00\x00\x00\x00\x80", 0, "digit 0"},
		{"int zero digit", "l\x02\x00\x00\x00\x01\x00\x00\x00", 0, "leading zero"},
		{"float text", "f\x01x", 1, "not a float"},
		{"slice", ":NNN", 0, "slice, which CPython 3.12 cannot"},
		{"frozendict", "}0", 0, "frozendict"},
		{"nested sizes", strings.Repeat("(\x20\x00\x00\x00", 20) + strings.Repeat("N", 60), -1, "announced"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Unmarshal([]byte(tt.data), V312)
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("error %v", err)
			}
			if tt.offset >= 0 && e.Offset != tt.offset || !strings.Contains(e.Msg, tt.want) {
				t.Errorf("%v, want byte %d, %q", err, tt.offset, tt.want)
			}
		})
	}
}

func TestHeader(t *testing.T) {
	body := []byte("N")
	for _, tt := range []struct{ head, want string }{
		{"", "16 bytes"},
		{"\xf3\x0d\r\n", "16 bytes"},
		{"PK\x03\x04............", "not a .pyc file"},
		{"\xf3\x0d\r\n\x04\x00\x00\x00........", "unknown .pyc flags"},
		{"\xf3\x0d\r\n\x00\x00\x00\x00........", "holds a None"},
		{"\x33\x0d\r\n\x00\x00\x00\x00........", "3.6 or older"},
		{"\x03\xf3\r\n\x00\x00\x00\x00........", "Python 1 or 2"},
		{"\x42\x0e\r\n\x00\x00\x00\x00........", "pre-release of CPython 3.15"},
		{"\x74\x0e\r\n\x00\x00\x00\x00........", "CPython 3.16"},
		{"\x40\x0d\r\n\x00\x00\x00\x00........", "pre-release of CPython 3.7"},
		{"\x01\x00\r\n\x00\x00\x00\x00........", "not one of CPython's"},
	} {
		_, err := ReadBytes(append([]byte(tt.head), body...)[:min(len(tt.head)+1, 17)])
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: %v, want %q", tt.head, err, tt.want)
		}
	}
	for v := Oldest; v <= Newest; v++ {
		if got, err := versionOfMagic(v.Magic()); got != v || err != nil {
			t.Errorf("magic of %s is that of %s, error %v", v, got, err)
		}
	}
	f := &File{Magic: V312.Magic(), Version: V312, Flags: 3, Hash: 0x0102030405060708, Code: &Code{Version: V312}}
	data, err := f.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	back, err := ReadBytes(data)
	if err != nil || !back.HashBased() || back.Hash != f.Hash {
		t.Errorf("%+v, error %v", back, err)
	}
}

// TestCodeChecks: a code object that is no code object is refused.
func TestCodeChecks(t *testing.T) {
	for name, c := range map[string]*Code{
		"arguments":  {Version: V312, ArgCount: 1},
		"positional": {Version: V312, PosOnlyArgCount: 1},
		"starred":    {Version: V312, Flags: FlagVarArgs},
	} {
		data, err := Marshal(c, V312)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Unmarshal(data, V312); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	for name, c := range map[string]Const{
		"version": &Code{Version: V311},
		"kinds":   &Code{Version: V312, LocalsPlusNames: []string{"a"}},
		"opaque":  &Opaque{Type: "torch.dtype", Name: "x"},
		"null":    Null{},
		"nothing": nil,
		"slice":   Slice{None{}, None{}, None{}},
		"text":    Str("\xff"),
	} {
		if _, err := Marshal(c, V312); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// FuzzUnmarshal looks for panics, and for values that do not survive writing.
func FuzzUnmarshal(f *testing.F) {
	for _, path := range recordedFiles(f) {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		if file, err := ReadBytes(data); err == nil && len(data) < 1500 {
			f.Add(uint8(file.Version-Oldest), data[headerSize:])
		}
	}
	f.Fuzz(func(t *testing.T, version uint8, data []byte) {
		v := Oldest + Version(version%uint8(Newest-Oldest+1))
		c, err := Unmarshal(data, v)
		if err != nil {
			return
		}
		out, err := Marshal(c, v)
		if err != nil {
			t.Fatalf("cannot be written: %v", err)
		}
		if len(out) > 1<<20 {
			return
		}
		again, err := Unmarshal(out, v)
		if err != nil {
			t.Fatalf("cannot be read back: %v", err)
		}
		if Repr(again) != Repr(c) {
			t.Error("differs when read back")
		}
	})
}
