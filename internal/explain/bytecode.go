package explain

import (
	"errors"
	"fmt"

	"github.com/thuml/depyf/internal/decompile"
	"github.com/thuml/depyf/internal/pyc"
)

// bytecode takes a code object that Dynamo made: it is decompiled, the result
// is written, and the answer says whether it may run in the place of the code.
func (s *Session) bytecode(f fields) (map[string]any, error) {
	var errs []error
	oldCode, err := s.code(f, "old")
	errs = append(errs, err)
	newCode, err := s.code(f, "new")
	errs = append(errs, err)
	name := f.str("func")
	if name == "" && oldCode != nil {
		name = oldCode.Name
	}
	id := Identifier(name)
	number := s.model.take("code:" + id)
	def := fmt.Sprintf("__transformed_code_%d_for_%s", number, id)
	res := fields{"number": number, "def": def, "file": def + ".py"}

	from := s.model.origin(oldCode, newCode, f)
	from.File = s.cellTitle(from.Code)
	made := s.run(newCode, def, ParamsOf(f["callees"]), from)
	if made.Name != "" {
		res["def"] = made.Name
	}
	res["new"] = made.fields()
	if src := f.str("source"); src != "" {
		res["source_ok"] = s.parses(src, f.str("source_file"))
	}
	if !res.bool("source_ok") {
		if original, ok := s.original(f, oldCode, id); ok {
			res["old"] = original.fields()
		}
	}
	var problems []any
	for _, err := range errs {
		if err != nil {
			problems = append(problems, map[string]any{"where": "bytecode of " + name, "error": err.Error()})
		}
	}
	res["problems"] = problems
	s.commit(Record{Type: "bytecode", Fields: f, Result: res})
	if newCode == nil {
		return map[string]any{}, errors.Join(errs...)
	}

	c := s.model.Codes[len(s.model.Codes)-1]
	answer := made.Answer()
	answer["function"], answer["swap"], answer["why"] = c.Def, made.Proven, made.Detail
	if s.sink == nil {
		return answer, nil
	}
	if err := s.sink.Code(s.model, c); err != nil {
		s.problem("report", err, "")
		answer["swap"], answer["why"] = false, "the file could not be written: "+err.Error()
		return answer, nil
	}
	answer["path"] = s.path(c.File)
	return answer, nil
}

// code replaces a code object in the fields by what the model keeps of it, and
// stores the object itself.
func (s *Session) code(f fields, k string) (*pyc.Code, error) {
	v := f[k]
	packet, _ := f[k+"_packet"].([]byte)
	delete(f, k)
	delete(f, k+"_packet")
	if v == nil {
		return nil, fmt.Errorf("no %s code", k)
	}
	c, ok := v.(*pyc.Code)
	if !ok || c == nil {
		return nil, fmt.Errorf("the %s code is a %T, not a code object", k, v)
	}
	info := infoOf(c)
	data, err := (&pyc.File{Version: c.Version, Magic: c.Version.Magic(), Code: c}).Bytes()
	if err != nil && packet != nil {
		// Dynamo's constants are more than marshal can hold: keep the packet.
		data, err = packet, nil
	}
	if err == nil {
		info.Blob, err = s.store.put(data)
	}
	f[k] = info.fields()
	if err != nil {
		err = fmt.Errorf("the %s code is not kept: %w", k, err)
	}
	return c, err
}

// ParamsOf reads the parameter names of the functions that a code calls, by the
// names of their globals, from the value of a packet.
func ParamsOf(callees any) map[string][]string {
	m, _ := callees.(map[string]any)
	out := make(map[string][]string, len(m))
	for name, v := range m {
		list, _ := v.([]any)
		for _, p := range list {
			s, _ := p.(string)
			out[name] = append(out[name], s)
		}
	}
	return out
}

// run decompiles, and makes a result of every failure.
func (s *Session) run(code *pyc.Code, name string, params map[string][]string, from decompile.Origin) DecompileResult {
	if code == nil {
		return DecompileResult{Verdict: "failed", Detail: "the code object could not be read", Name: name}
	}
	if s.decompile == nil {
		return DecompileResult{Verdict: "failed", Detail: "no decompiler", Name: name}
	}
	r, err := s.decompile(code, name, params, from)
	if err != nil {
		r = DecompileResult{Verdict: "failed", Detail: CleanText(err.Error()), Name: name}
	}
	if r.Name == "" {
		r.Name = name
	}
	if r.Legend == nil {
		r.Legend = legendOf(code)
	}
	return r
}

// parses reports whether text is a Python module.
func (s *Session) parses(src, filename string) bool {
	if Balanced(src) != "" {
		return false
	}
	if s.host == nil {
		return true
	}
	_, err := s.host.Compile(src, filename, 0)
	return err == nil
}

// Answer is what the host is told of a decompiled code object.
func (r *DecompileResult) Answer() map[string]any {
	renames := map[string]any{}
	for short, full := range r.Renames {
		renames[short] = full
	}
	functions := make([]any, len(r.Functions))
	for i, n := range r.Functions {
		functions[i] = []any{n.At, n.Name, n.Line}
	}
	return map[string]any{
		"source": r.Source, "verdict": r.Verdict, "detail": r.Detail, "name": r.Name,
		"wrapped": r.Wrapped, "inside": r.Inside, "bare": r.Bare, "bare_until": r.BareUntil, "renames": renames, "functions": functions,
	}
}
