package cfg

import "github.com/thuml/depyf/internal/pyast"

// part is a part of the subject: a pattern under construction.
type part struct {
	base  pyast.Pattern
	name  string
	subs  []*part // views of the same value, made by COPY
	alts  []*part // alternatives of an or-pattern, in place of subs
	twin  *part   // the same capture in the first alternative of an or-pattern
	star  bool
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
