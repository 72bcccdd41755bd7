package mcpserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// tool is what a client may call.
type tool struct {
	Name        string         `json:"name"`
	Title       string         `json:"title"`
	Description string         `json:"description"`
	Input       map[string]any `json:"inputSchema"`
	Annotations map[string]any `json:"annotations"`

	answer func(arguments json.RawMessage) (reply, error)
}

// reply is what a tool says: words, and the same for programs.
type reply struct {
	text string
	data map[string]any
}

// add adds a tool. Its arguments are the fields of In: json has the name of each, and omitempty where it may be left out; about says
// what it is.
func add[In any](s *Server, name, title, says string, answer func(In) (reply, error)) {
	fields := fieldsOf(reflect.TypeFor[In]())
	s.offered = append(s.offered, tool{
		Name: name, Title: title, Description: says, Input: schema(fields),
		Annotations: map[string]any{"title": title, "readOnlyHint": true, "idempotentHint": true, "openWorldHint": false},
		answer: func(arguments json.RawMessage) (reply, error) {
			var in In
			if err := decode(arguments, fields, &in); err != nil {
				return reply{}, err
			}
			return answer(in)
		},
	})
}

// field is one argument.
type field struct {
	name, kind, about string
	optional          bool
}

var kinds = map[reflect.Kind]string{reflect.String: "string", reflect.Int: "integer", reflect.Float64: "number"}

func fieldsOf(t reflect.Type) []field {
	var out []field
	for _, f := range reflect.VisibleFields(t) {
		if f.Anonymous {
			continue
		}
		name, rest, _ := strings.Cut(f.Tag.Get("json"), ",")
		kind := f.Type
		if kind.Kind() == reflect.Pointer {
			kind = kind.Elem()
		}
		out = append(out, field{name, kinds[kind.Kind()], f.Tag.Get("about"), rest == "omitempty"})
	}
	return out
}

// schema is the JSON Schema of the arguments.
func schema(fields []field) map[string]any {
	properties, required := map[string]any{}, []string{}
	for _, f := range fields {
		properties[f.name] = map[string]any{"type": f.kind, "description": f.about}
		if !f.optional {
			required = append(required, f.name)
		}
	}
	return map[string]any{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
}

// decode reads arguments, and says of wrong ones what is wrong.
func decode(arguments json.RawMessage, fields []field, in any) error {
	if len(arguments) == 0 || string(arguments) == "null" {
		arguments = json.RawMessage("{}")
	}
	var given map[string]json.RawMessage
	if err := json.Unmarshal(arguments, &given); err != nil {
		return errors.New("the arguments are no JSON object")
	}
	var names []string
	for _, f := range fields {
		names = append(names, f.name)
		if _, ok := given[f.name]; !ok && !f.optional {
			return fmt.Errorf("%s is missing: %s", f.name, f.about)
		}
		delete(given, f.name)
	}
	for name := range given {
		return fmt.Errorf("there is no argument %q; there is %s", name, strings.Join(names, ", "))
	}
	dec := json.NewDecoder(bytes.NewReader(arguments))
	err := dec.Decode(in)
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		name := wrong.Field[strings.LastIndexByte(wrong.Field, '.')+1:]
		for _, f := range fields {
			if f.name == name {
				return fmt.Errorf("%s is of the type %s, not %s", name, f.kind, wrong.Value)
			}
		}
	}
	return err
}
