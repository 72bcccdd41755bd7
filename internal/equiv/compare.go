package equiv

import (
	"maps"
	"slices"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/pyc"
)

// Compare decides whether a and b, compiled by one CPython version, mean the
// same, with all the code objects inside them. Equal means proven: the same
// effects with the same operands in the same order on every path, exceptional
// ones included.
func Compare(a, b *pyc.Code, opt Options) Result {
	if a == nil || b == nil {
		return Result{Diff: Diff{Where: nowhere, Reason: "no code"}}
	}
	c := &comparer{opt: opt, seen: map[[2]*pyc.Code]bool{}}
	c.enqueue(a, b, a.Name)
	res := Result{Level: E0, Compared: map[*pyc.Code]bool{}}
	for len(c.queue) > 0 {
		p := c.queue[0]
		c.queue = c.queue[1:]
		res.Compared[p.a] = true
		level, diff := c.codes(p)
		if diff == nil {
			res.Level = max(res.Level, level) // "E0" < "E1" < "E2"
			unloaded(p.a, c.nested, res.Compared)
			continue
		}
		diff.Path, diff.Codes = p.path, [2]*pyc.Code{p.a, p.b}
		res.Diffs = append(res.Diffs, *diff)
		if !opt.All {
			break
		}
		c.pairLeftovers(p)
	}
	res.Functions = c.pairs[1:]
	res.Equal = len(res.Diffs) == 0
	if !res.Equal {
		res.Diff, res.Level = res.Diffs[0], ""
	}
	return res
}

// comparer is the state of one Compare.
type comparer struct {
	opt    Options
	queue  []codePair
	seen   map[[2]*pyc.Code]bool
	pairs  [][2]*pyc.Code // those seen, in order
	nested []codePair     // met in the pair at hand; path is not yet set
	walk   walker
}

// codePair is a pair of code objects to compare. Nested code objects are taken
// as equal while their parents are compared, and queued: the whole is equal only
// if every pair is.
type codePair struct {
	a, b *pyc.Code
	path string
}

func (c *comparer) enqueue(a, b *pyc.Code, path string) {
	if k := [2]*pyc.Code{a, b}; !c.seen[k] {
		c.seen[k] = true
		c.pairs = append(c.pairs, k)
		c.queue = append(c.queue, codePair{a, b, path})
	}
}

// codes compares one pair of code objects: the cheapest way that says "equal"
// wins. The nested pairs are queued only if the way that met them succeeded, for
// a failed one may have paired what does not belong together.
func (c *comparer) codes(p codePair) (Level, *Diff) {
	if why := headerDiff(p.a, p.b, c.opt); why != "" {
		return "", &Diff{Where: nowhere, Reason: why}
	}
	level, diff := c.tryAll(p)
	if diff == nil {
		if level != E0 {
			if diff := c.unreached(p); diff != nil {
				return "", diff
			}
		}
		for _, n := range c.nested {
			c.enqueue(n.a, n.b, p.path+"."+n.a.Name)
		}
	}
	return level, diff
}

// unreached pairs the nested code objects that the comparison did not come to, as what makes them cannot be reached:
// `if a and (): f(lambda: b)`. Nothing runs them, and yet a text that says something else there is not the original's.
// Compilers leave out such code each in its own way, and keep it in an order of their own: what belongs together is
// known only where both sides have as many left over of each name, and then it is what is equal.
func (c *comparer) unreached(p codePair) *Diff {
	met := map[*pyc.Code]bool{}
	for _, n := range c.nested {
		met[n.a], met[n.b] = true, true
	}
	left := func(code *pyc.Code) map[string][]*pyc.Code {
		out := map[string][]*pyc.Code{}
		for k := range code.Inner() {
			if !met[k] {
				out[k.Name] = append(out[k.Name], k)
			}
		}
		return out
	}
	as, bs := left(p.a), left(p.b)
	for name := range as {
		if len(as[name]) != len(bs[name]) {
			return nil
		}
	}
	if len(as) != len(bs) {
		return nil
	}
	once := c.opt
	once.All = false
	for _, name := range slices.Sorted(maps.Keys(bs)) {
		rest := bs[name]
		for _, a := range as[name] {
			i := slices.IndexFunc(rest, func(b *pyc.Code) bool { return Compare(a, b, once).Equal })
			if i < 0 {
				return &Diff{Where: nowhere, Reason: "what cannot be reached has another " + name}
			}
			c.nested = append(c.nested, codePair{a: a, b: rest[i]})
			rest = slices.Delete(rest, i, i+1)
		}
	}
	return nil
}

// unloaded notes the code objects of a, the first of an equal pair, that the pair left aside: no instruction that
// control reaches loads them, or nobody sees what is made of them, so they are compared with a.
func unloaded(a *pyc.Code, nested []codePair, compared map[*pyc.Code]bool) {
	inner := slices.Collect(a.Inner())
	if len(inner) == 0 {
		return // as in most code
	}
	met := map[*pyc.Code]bool{}
	for _, n := range nested {
		met[n.a] = true
	}
	for _, k := range inner {
		if !met[k] {
			for _, in := range k.All() {
				compared[in] = true
			}
		}
	}
}

func (c *comparer) tryAll(p codePair) (Level, *Diff) {
	c.nested = c.nested[:0]
	if sameBytes(p.a, p.b, c.pairNamesake) {
		return E0, nil
	}
	fa, err := c.opt.decode(p.a)
	if err != nil {
		return "", &Diff{Where: nowhere, Reason: "the first code cannot be decoded: " + err.Error()}
	}
	fb, err := c.opt.decode(p.b)
	if err != nil {
		return "", &Diff{Where: nowhere, Reason: "the second code cannot be decoded: " + err.Error()}
	}
	return c.funcs(fa, fb)
}

// funcs compares decoded code whose headers agree.
func (c *comparer) funcs(fa, fb *bytecode.Func) (Level, *Diff) {
	c.walk.reset(c, newSide(fa), newSide(fb))
	c.nested = c.nested[:0]
	if c.walk.sameListing() {
		return E1, nil
	}
	c.nested = c.nested[:0]
	if diff := c.walk.bisimulate(); diff != nil {
		return "", diff
	}
	return E2, nil
}

// pairNested notes a pair of code constants met at the same place.
func (c *comparer) pairNested(a, b *pyc.Code) bool {
	if a == nil || b == nil {
		return false
	}
	c.nested = append(c.nested, codePair{a: a, b: b})
	return true
}

// pairNamesake notes a pair of constants of the same code. Those of two names may be what nothing reaches on either side,
// which takes a look at the instructions: see unreached.
func (c *comparer) pairNamesake(a, b *pyc.Code) bool {
	return a != nil && b != nil && a.Name == b.Name && c.pairNested(a, b)
}

// pairLeftovers queues, for a pair that differs, the nested code objects that
// were not queued before, so that Options.All reports on them too: by name, and of one
// name those that are equal, then the others in order. Two orders of the code differ in those of its functions, too.
// This cannot make anything equal: the parents already are not.
func (c *comparer) pairLeftovers(p codePair) {
	seenA, seenB := map[*pyc.Code]bool{}, map[*pyc.Code]bool{}
	for k := range c.seen {
		seenA[k[0]], seenB[k[1]] = true, true
	}
	var rest []*pyc.Code
	for _, k := range p.b.Consts {
		if k, ok := k.(*pyc.Code); ok && !seenB[k] {
			rest = append(rest, k)
		}
	}
	once := c.opt
	once.All = false
	for _, equal := range []bool{true, false} {
		for _, k := range p.a.Consts {
			x, ok := k.(*pyc.Code)
			if !ok || seenA[x] {
				continue
			}
			for i, y := range rest {
				if y.Name == x.Name && (!equal || i < maxAlike && Compare(x, y, once).Equal) {
					c.enqueue(x, y, p.path+"."+x.Name)
					seenA[x], rest = true, slices.Delete(rest, i, i+1)
					break
				}
			}
		}
	}
}

// maxAlike bounds how many code objects are compared with each of another code.
const maxAlike = 16
