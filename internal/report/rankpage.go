package report

import (
	"html"
	"html/template"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/thuml/depyf/internal/lazyregexp"
)

// The page of several processes: what differs between the ranks, with links into the page of the rank that has it.

// differenceView is an item with its links.
type differenceView struct {
	Strong  string
	Text    template.HTML
	Details []template.HTML
	Process string
	Link    string // where the page of that process tells of it
}

// rankPages knows where the pages of processes have what.
type rankPages struct {
	top   string
	links map[string]*links
	ids   map[string]map[string]bool
}

func newRankPages(top string) *rankPages {
	return &rankPages{top, map[string]*links{}, map[string]map[string]bool{}}
}

var idOnPage = lazyregexp.New(` id="([^"]+)"`)

// of is what leads into the page of a process; nothing does if that has not been written.
func (r *rankPages) of(process string) (*links, map[string]bool) {
	if l := r.links[process]; l != nil {
		return l, r.ids[process]
	}
	l := &links{page: path.Join(process, htmlName), places: map[string]string{}, codes: map[string]string{}}
	ids := map[string]bool{}
	r.links[process], r.ids[process] = l, ids
	data, err := os.ReadFile(filepath.Join(r.top, process, htmlName))
	if err != nil {
		return l, ids
	}
	for _, m := range idOnPage.FindAllStringSubmatch(string(data), -1) {
		id := html.UnescapeString(m[1])
		ids[id] = true
		if place, ok := strings.CutPrefix(id, "line-"); ok {
			if place, err = url.PathUnescape(place); err == nil {
				l.place(place, id)
			}
		}
	}
	return l, ids
}

// view is an item with the links that it can have.
func (r *rankPages) view(it Item) differenceView {
	l, ids := &links{}, map[string]bool(nil)
	if it.Process != "" {
		l, ids = r.of(it.Process)
	}
	v := differenceView{Strong: it.Strong, Process: it.Process}
	for _, text := range append([]string{it.Text}, it.Details...) {
		for _, s := range spans(text) { // a graph's file stands for the graph
			name, _, _ := strings.Cut(s.text, ".")
			if id := "graph-" + name; s.code && ids[id] {
				l.code(s.text, id)
			}
		}
	}
	v.Text = l.marked(it.Text)
	for _, d := range it.Details {
		v.Details = append(v.Details, l.marked(d))
	}
	switch {
	case len(ids) == 0:
	case ids[it.Part]:
		v.Link = l.page + "#" + it.Part
	default:
		v.Link = l.page
	}
	return v
}
