package decompile

import (
	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/evidence"
	"github.com/thuml/depyf/internal/pyc"
)

// judged are the options with how the source is indented and spaced. A file is written several times: who does so judges it once, in front.
func (o Options) judged(code *pyc.Code) Options {
	if o.source.Indentation.Unit == 0 {
		o.decodes = decodes{}
		o.source = evidence.Judge(code, o.decodes.keep)
	}
	return o
}

// decodes are code objects that were decoded to look at the source's layout, and are to be decompiled yet: decoding is a
// twelfth of the work.
type decodes map[*pyc.Code]*bytecode.Func

// keep decodes c for a look at it.
func (d decodes) keep(c *pyc.Code) (*bytecode.Func, error) {
	f, err := bytecode.Decode(c)
	if err == nil {
		d[c] = f
	}
	return f, err
}

// take decodes c for who may change what comes of it.
func (d decodes) take(c *pyc.Code) (*bytecode.Func, error) {
	if f := d[c]; f != nil {
		delete(d, c)
		return f, nil
	}
	return bytecode.Decode(c)
}
