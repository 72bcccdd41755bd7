package jsonrpc

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
)

// What is written is read again, message by message, in both framings.
func TestRoundTrip(t *testing.T) {
	sent := []Message{
		{ID: json.RawMessage(`1`), Method: "ask", Params: json.RawMessage(`{"a":"line\nbreak"}`)},
		{Method: "tell"},
		Reply(Message{ID: json.RawMessage(`"x"`)}, map[string]int{"n": 2}, nil),
		Reply(Message{ID: json.RawMessage(`2`)}, nil, nil),
		Reply(Message{ID: json.RawMessage(`3`)}, nil, errors.New("no")),
		Reply(Message{ID: json.RawMessage(`4`)}, nil, &Failure{InvalidParams, "bad"}),
	}
	want := []string{
		`{"jsonrpc":"2.0","id":1,"method":"ask","params":{"a":"line\nbreak"}}`, `{"jsonrpc":"2.0","method":"tell"}`, `{"jsonrpc":"2.0","id":"x","result":{"n":2}}`,
		`{"jsonrpc":"2.0","id":2,"result":null}`, `{"jsonrpc":"2.0","id":3,"error":{"code":-32603,"message":"no"}}`, `{"jsonrpc":"2.0","id":4,"error":{"code":-32602,"message":"bad"}}`,
	}
	for _, f := range []Framing{Headers, Lines} {
		var b bytes.Buffer
		for _, m := range sent {
			if err := f.Write(&b, m); err != nil {
				t.Fatal(err)
			}
		}
		r := bufio.NewReaderSize(&b, 16) // smaller than a message
		for i := range sent {
			m, err := f.Read(r)
			if err != nil {
				t.Fatal(err)
			}
			if got, _ := json.Marshal(m); string(got) != want[i] {
				t.Errorf("framing %d: got %s, want %s", f, got, want[i])
			}
		}
		if _, err := f.Read(r); !errors.Is(err, io.EOF) {
			t.Errorf("framing %d: at the end: %v", f, err)
		}
	}
}

// One message that is none leaves the stream usable; a broken stream does not.
func TestBroken(t *testing.T) {
	for input, want := range map[string]string{
		"Content-Length: 2\r\n\r\n{]":           "one",
		"Content-Length: 2\r\n\r\n[]":           "one",
		"Content-Length: 9\r\n\r\n{}":           "stream",
		"Content-Length: -1\r\n\r\n":            "stream",
		"Content-Length: 99999999999\r\n\r\n{}": "stream",
		"Length: 2\r\n\r\n{}":                   "stream",
		"nonsense":                              "stream",
	} {
		_, err := Headers.Read(bufio.NewReader(strings.NewReader(input)))
		var one *Failure
		if got := map[bool]string{true: "one", false: "stream"}[errors.As(err, &one)]; err == nil || got != want {
			t.Errorf("%q: %v", input, err)
		}
	}
	r := bufio.NewReader(strings.NewReader("{]\n\r\n \n{\"method\":\"after\"}\nhalf"))
	var one *Failure
	if _, err := Lines.Read(r); !errors.As(err, &one) || one.Code != ParseError {
		t.Errorf("%v", err)
	}
	if m, err := Lines.Read(r); err != nil || m.Method != "after" {
		t.Errorf("%v, %+v", err, m)
	}
	if _, err := Lines.Read(r); !errors.Is(err, io.EOF) {
		t.Errorf("half a message: %v", err)
	}
}
