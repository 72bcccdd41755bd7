package cfg

import (
	"maps"
	"slices"

	"github.com/thuml/depyf/internal/pyast"
)

// part is a part of the subject: a pattern under construction.
type part struct {
	base  pyast.Pattern
	name  string
	subs  []*part // views of the same value, made by COPY
	alts  []*part // alternatives of an or-pattern, in place of subs
	twin  *part   // the same capture in the first alternative of an or-pattern
	star  bool
	any   bool // matched by `_` on the way
	seq   *seqInfo
	mapp  *mapInfo
	class *pyast.MatchClass
	items []*part // of the class pattern
}

type seqInfo struct {
	n     int
	sized bool
	open  bool // at least n
	items []*part
	star  int // index, or -1

	picked map[int]*part // items taken by index, from the end when negative
}

type mapInfo struct {
	keys  []pyast.Expr
	items []*part
	rest  string
}

func parts(n int) []*part {
	out := make([]*part, n)
	for i := range out {
		out[i] = &part{}
	}
	return out
}

// spread lays out the items that were taken one by one, with wildcards for the
// others and the star as late as possible.
func (s *seqInfo) spread() {
	front, back := 0, 0
	for k := range s.picked {
		front, back = max(front, k+1), max(back, -k)
	}
	for i := 0; i < s.n-back; i++ {
		s.items = append(s.items, s.item(i))
	}
	s.items = append(s.items, &part{star: true})
	for i := back; i > 0; i-- {
		s.items = append(s.items, s.item(-i))
	}
}

func (s *seqInfo) item(k int) *part {
	if p := s.picked[k]; p != nil {
		return p
	}
	return &part{}
}

// marks is what is known of some parts at one moment.
type marks struct {
	parts map[*part]part
	seqs  map[*part]seqInfo
	maps  map[*part]mapInfo
	names map[*part]pyast.MatchClass
}

// marks keeps what is known of all parts that the reader may reach, so that an attempt
// to read on in one way can be taken back.
func (r *reader) marks() *marks {
	m := &marks{map[*part]part{}, map[*part]seqInfo{}, map[*part]mapInfo{}, map[*part]pyast.MatchClass{}}
	m.keep(r.root)
	for i := range r.st {
		m.keep(r.st[i].part)
		m.keep(r.st[i].owner)
	}
	return m
}

func (m *marks) keep(p *part) {
	if p == nil {
		return
	}
	if _, seen := m.parts[p]; seen {
		return
	}
	m.parts[p] = *p
	m.keepAll(p.subs)
	m.keepAll(p.alts)
	m.keepAll(p.items)
	m.keep(p.twin)
	if s := p.seq; s != nil {
		kept := *s
		kept.picked = maps.Clone(s.picked)
		m.seqs[p] = kept
		m.keepAll(s.items)
		m.keepAll(slices.Collect(maps.Values(s.picked)))
	}
	if s := p.mapp; s != nil {
		m.maps[p] = *s
		m.keepAll(s.items)
	}
	if p.class != nil {
		m.names[p] = *p.class
	}
}

func (m *marks) keepAll(list []*part) {
	for _, p := range list {
		m.keep(p)
	}
}

// restore takes back what has been learnt since.
func (m *marks) restore() {
	for p, was := range m.parts {
		*p = was
		if p.seq != nil {
			*p.seq = m.seqs[p]
		}
		if p.mapp != nil {
			*p.mapp = m.maps[p]
		}
		if p.class != nil {
			*p.class = m.names[p]
		}
	}
}
