package passpage

import (
	_ "embed" // the page's style and script
	"fmt"
	"html/template"
	"io"
	"reflect"
	"sync"
)

//go:embed assets/page.css
var style string

//go:embed assets/page.js
var script string

//go:embed assets/page.tmpl.html
var text string

var page = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Funcs(template.FuncMap{
		"style":  func() template.CSS { return template.CSS(style) },
		"script": func() template.JS { return template.JS(script) },
	}).Parse(text))
})

// Head says what the page is about.
type Head struct {
	Name    string // of the function
	File    string
	Version string
	Verdict string
}

// part is a column of the page: a pass that has changed something, or several behind
// one another that have not.
type part struct {
	*column
	Idle []*column
}

// way is one run on the page.
type way struct {
	Name  string
	Last  bool
	Parts []part
}

// WriteHTML writes the page.
func (r *Recorder) WriteHTML(w io.Writer, h Head) error {
	runs := r.distinct()
	var ways []way
	for i, n := range runs {
		ways = append(ways, way{Name: fmt.Sprintf("way %d of %d", i+1, len(runs)), Last: i == len(runs)-1, Parts: n.parts()})
	}
	return page().Execute(w, map[string]any{"Head": h, "Ways": ways})
}

// distinct leaves out the runs that are like the one in front of them.
func (r *Recorder) distinct() []*run {
	var out []*run
	for _, n := range r.runs {
		if k := len(out); k == 0 || !reflect.DeepEqual(out[k-1].Columns, n.Columns) {
			out = append(out, n)
		}
	}
	return out
}

func (n *run) parts() []part {
	var out []part
	for _, c := range n.Columns {
		switch k := len(out); {
		case c.Changed:
			out = append(out, part{column: c})
		case k > 0 && out[k-1].Idle != nil:
			out[k-1].Idle = append(out[k-1].Idle, c)
		default:
			out = append(out, part{Idle: []*column{c}})
		}
	}
	return out
}
