package explain

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// library is what encoding/json reads.
func library(text string) (fields, bool) {
	var f map[string]any
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	return f, dec.Decode(&f) == nil
}

var envelopes = []string{
	`{"dynamo_start": {"stack": [{"line": 7, "name": "f", "filename": 3, "loc": "x = \"a\\\\\""}]}, "frame_id": 0}`,
	`{"artifact": {"name": "é", "encoding": "json"}, "has_payload": "00", "x": [1, -2.5e+3, true, false, null, [], {}]}`,
	` { "a" : [ 1 , 2 ] , "b" : "" } `,
	`{"s": "\ud83d\ude00 \u00e9 \/ \\ \" \n", "k\u0065y": 1}`,
	`{"a": {"a": {"a": [[[[1]]]]}}}`,
	`{}`,
}

// What is read is what the library reads.
func TestEnvelopesAreReadAsJSON(t *testing.T) {
	for _, text := range envelopes {
		got, ok := readEnvelope(text)
		want, valid := library(text)
		if !valid || !ok || !reflect.DeepEqual(got, want) {
			t.Errorf("%s\ngot  %v %v\nwant %v", text, ok, got, want)
		}
	}
}

// What nothing asks for is left out, whatever it holds, and all else is there.
func TestUnaskedValuesArePassedOver(t *testing.T) {
	text := `{"compilation_metrics": {"inductor_config": "{\"a\": \"}\\\\\"}", "stack": [{"line": [1, "]"]}], "dynamo_config": null,
		"stack_trace": 1, "co_name": "f", "fail_type": NaN}, "stack": "outside", "frame_id": 3}`
	got, ok := readEnvelope(text)
	want := fields{"compilation_metrics": map[string]any{"co_name": "f", "fail_type": nil}, "stack": "outside", "frame_id": json.Number("3")}
	if !ok || !reflect.DeepEqual(got, want) {
		t.Errorf("%v %v", ok, got)
	}
}

// No entry stops the reader, and one that is no JSON is none.
func FuzzEnvelope(f *testing.F) {
	for _, text := range append(envelopes, `{"a": tru}`, `{"a" 1}`, `{"a": 01}`, `{"a": "`, `{"a": "\`, `[1]`, `{"stack": {]}`, "{\"a\": \"\x01\xff\"}", `{"a": 1,}`, `{"a": 1} x`, strings.Repeat(`{"a":`, 200)) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, ok := readEnvelope(text)
		want, valid := library(text)
		if valid && !ok {
			t.Fatalf("%q is JSON", text)
		}
		if passes := strings.Contains(text, "_config") || strings.Contains(text, "stack") || strings.Contains(text, "u0"); valid && !passes && !reflect.DeepEqual(got, want) {
			t.Fatalf("%q\ngot  %v\nwant %v", text, got, want)
		}
	})
}
