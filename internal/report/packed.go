package report

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/explain"
)

// packer keeps the long texts of a page: graphs, kernels, guards. Written as markup, a line each, those of a
// large model are tens of megabytes that every reader's browser takes apart before it shows anything. Here each
// text is kept once, equal ones together, in compressed chunks; the script unpacks the chunk of a text when it
// is opened. What answers a question is not packed: it can be read without the script.
type packer struct {
	prog   *explain.Program
	chunks []string       // deflated JSON, in base64
	open   []packedText   // the chunk that is being filled
	size   int            // of its texts
	known  map[string]int // texts of the open chunk
	places map[string]int
	names  []string // of places, by their number

	deflate *flate.Writer // of all chunks, one after the other
	packed  bytes.Buffer
}

// packedText is a text with what the page knows of its lines.
type packedText struct {
	Text  string    `json:"t"`
	Lang  string    `json:"l,omitempty"`
	From  []int     `json:"m,omitempty"` // pairs: so many lines are from the places of that number, -1 for none
	Nodes []nodeRun `json:"n,omitempty"`
	Folds []fold    `json:"f,omitempty"`
}

// nodeRun are lines, one after the other, that belong to the same operations.
type nodeRun struct {
	Row    int    `json:"r"`           // of the first line, counted from the one before
	Lines  int    `json:"k,omitempty"` // if more than one
	Nodes  string `json:"n,omitempty"` // their names behind AOTAutograd, with blanks between
	Dynamo string `json:"d,omitempty"` // and in Dynamo's graph
	Call   bool   `json:"c,omitempty"` // a kernel is called there
}

// fold is a run of lines that a reader asks for: from the first to before the end, counted from 0.
type fold struct {
	First int    `json:"a"`
	End   int    `json:"b"`
	Title string `json:"s"`
}

// chunkSize is how much text, in bytes, is unpacked at once: less than a moment's work, and enough to compress well.
const chunkSize = 1 << 18

// add keeps a text and returns where it is: the chunk and its number in it. Texts that are equal belong to the same.
func (k *packer) add(text packedText) string {
	if at, ok := k.known[text.Text]; ok {
		return strconv.Itoa(len(k.chunks)) + "." + strconv.Itoa(at)
	}
	if k.known == nil {
		k.known = map[string]int{}
	}
	at := len(k.open)
	ref := strconv.Itoa(len(k.chunks)) + "." + strconv.Itoa(at)
	k.known[text.Text] = at
	k.open = append(k.open, text)
	if k.size += len(text.Text); k.size >= chunkSize {
		k.flush()
	}
	return ref
}

// text keeps a text with what its lines belong to, and returns which places these are.
func (k *packer) text(text packedText, lines []answers.TextLine) (ref string, places []int) {
	last, row := -2, 0
	seen := map[int]bool{}
	for i, l := range lines {
		n := -1
		if name := placesText(k.prog, l.Places); name != "" {
			n = k.place(name)
		}
		if n >= 0 && !seen[n] {
			seen[n] = true
			places = append(places, n)
		}
		if n == last {
			text.From[len(text.From)-2]++
		} else {
			last = n
			text.From = append(text.From, 1, n)
		}
		run := nodeRun{Row: i - row, Nodes: strings.Join(l.Nodes, " "), Dynamo: strings.Join(l.Dynamo, " "), Call: l.Call != nil}
		if run.Nodes == "" && run.Dynamo == "" && !run.Call {
			continue
		}
		if end := len(text.Nodes) - 1; end >= 0 && !run.Call && text.Nodes[end].continues(run) {
			text.Nodes[end].Lines = max(text.Nodes[end].Lines, 1) + 1
			continue
		}
		text.Nodes = append(text.Nodes, run)
		row = i
	}
	if len(places) == 0 {
		text.From = nil
	}
	return k.add(text), places
}

// continues reports whether the next line belongs to the run.
func (r nodeRun) continues(next nodeRun) bool {
	return !r.Call && r.Nodes == next.Nodes && r.Dynamo == next.Dynamo && next.Row == max(r.Lines, 1)
}

// placesText names places, with tabs between.
func placesText(p *explain.Program, list []explain.Place) string {
	var names []string
	for _, at := range list {
		names = append(names, p.Places.Place(at.File, at.Line))
	}
	return strings.Join(names, "\t")
}

// place is the number of a place.
func (k *packer) place(name string) int {
	n, ok := k.places[name]
	if !ok {
		if k.places == nil {
			k.places = map[string]int{}
		}
		n = len(k.names)
		k.places[name] = n
		k.names = append(k.names, name)
	}
	return n
}

func (k *packer) flush() {
	if len(k.open) == 0 {
		return
	}
	k.packed.Reset()
	if k.deflate == nil {
		k.deflate, _ = flate.NewWriter(&k.packed, flate.BestSpeed) // the level is a valid one
	} else {
		k.deflate.Reset(&k.packed)
	}
	enc := json.NewEncoder(k.deflate)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(k.open); err != nil {
		panic(err) // strings and numbers can be encoded, and a buffer can be written to
	}
	if err := k.deflate.Close(); err != nil {
		panic(err)
	}
	k.chunks = append(k.chunks, base64.StdEncoding.EncodeToString(k.packed.Bytes()))
	k.open, k.size, k.known = nil, 0, nil
}
