package report

import (
	"html"
	"html/template"
	"net/url"
	"strings"

	"github.com/thuml/depyf/internal/explain"
)

// links are what the names in a page's texts lead to. Whatever says "toy.py:7" or names a graph, a version or a
// resume function leads there, wherever it stands: no part of the page has links of its own making.
type links struct {
	page   string            // relative to the one that is written; "" for the same
	places map[string]string // id by place: the line in the source that is shown, or what says most of it
	codes  map[string]string // id by what is set as code; "" for a name of two things
}

// newLinks knows the functions: where they begin and, of resume functions, the name by which the code calls them.
func newLinks(p *explain.Program) *links {
	l := &links{places: map[string]string{}, codes: map[string]string{}}
	for _, f := range p.Functions {
		l.code(f.Title, anchor(f))
	}
	for _, f := range p.Resumes {
		l.code(resumeTitle(f), anchor(f))
	}
	return l
}

// place lets a place lead to an id, unless it leads somewhere already.
func (l *links) place(name, id string) bool {
	if l.places[name] != "" {
		return false
	}
	l.places[name] = id
	return true
}

func (l *links) code(name, id string) {
	if old, ok := l.codes[name]; ok && old != id {
		id = ""
	}
	l.codes[name] = id
}

// marked is marked text for the page.
func (l *links) marked(s string) template.HTML {
	var b strings.Builder
	for _, sp := range spans(s) {
		if !sp.code {
			l.write(&b, sp.text)
			continue
		}
		text := "<code>" + html.EscapeString(sp.text) + "</code>"
		if id := l.codes[sp.text]; id != "" {
			text = l.link(id, text)
		}
		b.WriteString(text)
	}
	return template.HTML(b.String()) // link and write escape
}

// plain is plain text for the page.
func (l *links) plain(s string) template.HTML {
	var b strings.Builder
	l.write(&b, s)
	return template.HTML(b.String()) // write escapes
}

// write writes plain text; what names a place is a link.
func (l *links) write(b *strings.Builder, s string) {
	done := 0
	for i := 0; i < len(s); i++ {
		if s[i] != ':' {
			continue
		}
		end := i + 1
		for end < len(s) && s[end] >= '0' && s[end] <= '9' {
			end++
		}
		for start := done + strings.LastIndexAny(s[done:i], " (") + 1; end > i+1 && start < i; start = i {
			id := l.places[s[start:end]]
			if id == "" {
				break
			}
			b.WriteString(html.EscapeString(s[done:start]))
			b.WriteString(l.link(id, html.EscapeString(s[start:end])))
			done = end
		}
		i = max(i, done-1)
	}
	b.WriteString(html.EscapeString(s[done:]))
}

// lineID is the id of a line of the user's. It has nothing in it that a link would have to write in another way.
func lineID(place string) string { return "line-" + url.PathEscape(place) }

var mayBreak = strings.NewReplacer(".", "<wbr>.", "[", "<wbr>[")

// breakable is code that may be broken where a reader would break it: in front of a dot or a bracket.
func breakable(s string) template.HTML {
	s = html.EscapeString(s)
	s = mayBreak.Replace(s)
	return template.HTML(s) // escaped above
}

func (l *links) link(id, text string) string {
	return `<a href="` + html.EscapeString(l.page+"#"+id) + `">` + text + "</a>"
}

// link leads to a place on the same page.
func link(id, text string) string { return (&links{}).link(id, text) }
