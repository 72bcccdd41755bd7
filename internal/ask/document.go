package ask

import (
	"bytes"
	"encoding/json"

	"github.com/thuml/depyf/internal/answers"
)

// Document is answers as one JSON document: of one process its object, of several an object that lists theirs. Both have
// the version of the form; see docs/json.md.
func Document(several bool, objects []map[string]any) map[string]any {
	if !several && len(objects) == 1 {
		objects[0]["form"] = answers.Form
		return objects[0]
	}
	if objects == nil {
		objects = []map[string]any{}
	}
	return map[string]any{"form": answers.Form, "processes": objects}
}

// Fields are those of what becomes a JSON object, with the name of a process, "" for none.
func Fields(x any, process string) (map[string]any, error) {
	var data bytes.Buffer
	enc := json.NewEncoder(&data)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(x); err != nil {
		return nil, err
	}
	fields := map[string]json.RawMessage{}
	if err := json.Unmarshal(data.Bytes(), &fields); err != nil {
		return nil, err
	}
	out := map[string]any{}
	for name, value := range fields {
		out[name] = value
	}
	if process != "" {
		out["process"] = process
	}
	return out, nil
}
