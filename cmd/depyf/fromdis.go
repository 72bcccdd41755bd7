package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/thuml/depyf/internal/decompile"
	"github.com/thuml/depyf/internal/lazyregexp"
	"github.com/thuml/depyf/internal/listing"
	"github.com/thuml/depyf/internal/pyc"
	"github.com/thuml/depyf/internal/torchlog"
)

// pasted is a listing in a text, and what the text says of it.
type pasted struct {
	about string // "MODIFIED BYTECODE f a.py line 3 [0/0]"; "" for a text that is one listing
	text  string
	opt   listing.Options
}

var bytecodeHead = lazyregexp.New(`^((?:ORIGINAL|MODIFIED) BYTECODE (\S+) (.*) line (\d+))\s*\n`)

// listings finds the listings of a text: those that torch has logged, or all of it is one.
func listings(data []byte) ([]pasted, error) {
	r, err := torchlog.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	var out []pasted
	for {
		e, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if e.Message == nil {
			continue
		}
		m := bytecodeHead.FindStringSubmatch(e.Message.Text)
		if m == nil {
			continue
		}
		n, _ := strconv.Atoi(m[4])
		about := m[1]
		if e.Message.ID != "" {
			about += " [" + e.Message.ID + "]"
		}
		out = append(out, pasted{about, e.Message.Text[len(m[0]):], listing.Options{Name: m[2], Filename: m[3], Line: n}})
	}
	if len(out) == 0 {
		out = []pasted{{"", string(torchlog.Text(data)), listing.Options{Filename: "a listing"}}}
	}
	return out, nil
}

// fromListing decompiles what dis has printed. Of several listings the worst verdict counts.
func (c *decompileCmd) fromListing(path string, data []byte) outcome {
	list, err := listings(data)
	if err != nil {
		return outcome{err: err}
	}
	var out outcome
	for _, p := range list {
		if c.version != "" {
			if p.opt.Version, err = parseVersion(c.version); err != nil {
				return outcome{err: err}
			}
		}
		r, err := listing.Read(p.text, p.opt)
		if err != nil {
			if p.about != "" {
				err = fmt.Errorf("%s: %w", p.about, err)
			}
			return outcome{err: err}
		}
		if r.Other > 0 {
			fmt.Fprintf(c.stderr, "depyf decompile: %d lines of the text are no part of a listing\n", r.Other)
		}
		o := c.decompiled(path, r.Code, r.Missing)
		if o.err != nil {
			return o
		}
		if p.about != "" && !c.json {
			o.text = "# " + oneLine(p.about) + "\n" + o.text
		}
		if out.text != "" && !c.json {
			out.text += "\n\n"
		}
		out.text += o.text
		if out.res == nil || !o.res.Verdict.Proven() && (out.res.Verdict.Proven() || out.res.Verdict == decompile.Unproved) {
			out.res = o.res
		}
	}
	return out
}

// decompiled is what one code object comes to, with what is not known of it.
func (c *decompileCmd) decompiled(path string, code *pyc.Code, missing []string) outcome {
	opt := decompile.Options{NoProof: !c.verify}
	if c.verify {
		if pool := c.pool(code.Version); pool != nil {
			opt.Compile = pool.CompileFlags
		}
	}
	res, err := decompile.Code(code, opt)
	if err != nil {
		return outcome{err: err}
	}
	if c.json {
		text, err := asJSON(path, code, res)
		return outcome{text: text, res: res, err: err}
	}
	head := header(code, res)
	if len(missing) > 0 {
		head += "# Not in the listing: " + oneLine(strings.Join(missing, "; ")) + ".\n"
	}
	if c.color {
		return outcome{text: paint(colorVerdict(string(res.Verdict)), strings.TrimSuffix(head, "\n")) + "\n" + highlight(res.Source), res: res}
	}
	return outcome{text: head + res.Source, res: res}
}
