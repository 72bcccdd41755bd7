package pyc

// code writes the fields of a code object in the order reader.code reads them.
func (w *writer) code(c *Code, depth int) {
	if c == nil {
		w.fail("a nil code object")
		return
	}
	if c.Version != w.version {
		w.fail("code of CPython %s for %s", c.Version, w.version)
		return
	}
	if len(c.LocalsPlusKinds) != len(c.LocalsPlusNames) {
		w.fail("code %q: %d variable names, %d kinds", c.Name, len(c.LocalsPlusNames), len(c.LocalsPlusKinds))
		return
	}
	v := w.version
	w.byte('c')
	w.long(c.ArgCount)
	if v.HasPosOnlyArgs() {
		w.long(c.PosOnlyArgCount)
	}
	w.long(c.KwOnlyArgCount)
	if !v.HasLocalsPlus() {
		w.long(len(c.VarNames()))
	}
	w.long(c.StackSize)
	w.long(int(int32(c.Flags)))
	w.bytes(c.Bytecode)
	w.items('(', c.Consts, depth)
	w.names(c.Names)
	if v.HasLocalsPlus() {
		w.names(c.LocalsPlusNames)
		kinds := make([]byte, len(c.LocalsPlusKinds))
		for i, k := range c.LocalsPlusKinds {
			kinds[i] = byte(k)
		}
		w.bytes(kinds)
	} else {
		w.names(c.VarNames())
		w.names(c.FreeVars())
		w.names(c.CellVars())
	}
	w.str(c.Filename, false)
	w.str(c.Name, true)
	if v.HasLocalsPlus() {
		w.str(c.QualName, true)
	}
	w.long(c.FirstLine)
	w.bytes(c.LineTable)
	if v.HasExceptionTable() {
		w.bytes(c.ExceptionTable)
	}
}

func (w *writer) names(names []string) {
	if len(names) < 256 {
		w.byte(')')
		w.byte(byte(len(names)))
	} else {
		w.byte('(')
		w.long(len(names))
	}
	for _, s := range names {
		w.str(s, true)
	}
}
