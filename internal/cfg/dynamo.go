package cfg

import "strings"

// What only Dynamo calls so.

// StableGlobal reports whether Dynamo installs the global once under a name of
// its own and never changes it, so that it may be read later than the original
// code does.
func StableGlobal(name string) bool {
	for _, p := range []string{"__compiled_fn_", "__resume_at_", "__import_", "__comprehension_", BuiltinPrefix} {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return namedByID(name)
}

// namedByID reports whether a name is one that OutputGraph.install_global_by_id
// (torch/_dynamo/output_graph.py) makes: "<prefix>_<id of the object>_c<compilation>".
func namedByID(name string) bool {
	i := strings.LastIndex(name, "_c")
	if i < 0 || i+2 == len(name) || name[i+2] < '0' || name[i+2] > '9' {
		return false
	}
	rest := name[:i]
	id := rest[strings.LastIndexByte(rest, '_')+1:]
	return len(id) >= 9 && strings.Trim(id, "0123456789") == "" // an address
}

// ResumeName reports whether a code object of that name is a resume function:
// torch 2.2 names them "resume_in_f" or "<resume in f>", later ones
// "torch_dynamo_resume_in_f_at_12".
func ResumeName(name string) bool {
	name = strings.TrimPrefix(name, "torch_dynamo_")
	return strings.HasPrefix(name, "resume_in_") || strings.HasPrefix(name, "<resume in ")
}
