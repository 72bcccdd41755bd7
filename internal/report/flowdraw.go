package report

import (
	"fmt"
	"html"
	"strings"
)

func (fl *flow) svg(title string) string {
	width, height := fl.place()
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="flow" role="group" aria-label="%s" width="%d" height="%d" viewBox="0 0 %d %d" style="min-width: %dpx">`,
		html.EscapeString(title), width, height, width, height, width*flowShrink/100)
	for _, e := range fl.edges {
		e.draw(&b)
	}
	for _, n := range fl.nodes {
		n.draw(&b)
	}
	b.WriteString("</svg>")
	return b.String()
}

// outline is the chart as a list, for a screen on which no box could be read.
func (fl *flow) outline() string {
	var b strings.Builder
	b.WriteString(`<ul class="outline">`)
	for _, n := range fl.nodes {
		if n.kind != "function" && n.kind != "folded" {
			continue
		}
		b.WriteString("<li>" + n.text() + "<ul>")
		for _, e := range fl.edges {
			if e.from == n && e.to.kind != "function" {
				b.WriteString("<li>" + e.to.text())
				sep := " → "
				for _, next := range fl.edges {
					if next.from == e.to {
						b.WriteString(sep + next.to.name())
						sep = ", "
					}
				}
				b.WriteString("</li>")
			}
		}
		b.WriteString("</ul></li>")
	}
	b.WriteString("</ul>")
	return b.String()
}

func (r flowRow) html() string {
	text := html.EscapeString(r.text)
	if r.link == "" {
		return text
	}
	return link(r.link, text)
}

func (n *flowNode) name() string { return n.rows[0].html() }

func (n *flowNode) text() string {
	out := n.name()
	for i, r := range n.rows[1:] {
		text := html.EscapeString(r.text)
		if r.link != n.rows[i].link { // the first of some that lead to one place is a link
			text = r.html()
		}
		out += ", " + text
	}
	return out
}

func (e flowEdge) draw(b *strings.Builder) {
	class := "edge"
	x1, y1, x2, y2 := e.from.x, e.from.y+e.from.h, e.to.x, e.to.y
	mid := (y1 + y2) / 2
	path := fmt.Sprintf("M%d %d C%d %d %d %d %d %d", x1, y1, x1, mid, x2, mid, x2, y2-6)
	if e.back {
		// Around the side, so that it does not run through the boxes between.
		class += " back"
		side := max(e.from.x+e.from.w/2, e.to.x+e.to.w/2) + flowGapX/2
		fx, fy, tx, ty := e.from.x+e.from.w/2, e.from.y+e.from.h/2, e.to.x+e.to.w/2, e.to.y+e.to.h/2
		path = fmt.Sprintf("M%d %d C%d %d %d %d %d %d", fx, fy, side, fy, side, ty, tx+6, ty)
		x2, y2 = tx, ty
		fmt.Fprintf(b, `<path class="%s" d="%s"/><path class="head" d="M%d %d l9 -4 v8 z"/>`, class, path, x2, y2)
		return
	}
	fmt.Fprintf(b, `<path class="%s" d="%s"/><path class="head" d="M%d %d l-4 -9 h8 z"/>`, class, path, x2, y2)
}

// draw draws a box. Its frame and title lead to one place, each other row to its own.
func (n *flowNode) draw(b *strings.Builder) {
	open := func(id string) string {
		if id == "" {
			return ""
		}
		fmt.Fprintf(b, `<a href="#%s">`, html.EscapeString(id))
		return "</a>"
	}
	text := func(i int, class string) {
		fmt.Fprintf(b, `<text class="%s" x="%d" y="%d">%s</text>`, class, n.x, n.y+flowLine*(i+1)+1, html.EscapeString(n.rows[i].text))
	}
	end := open(n.rows[0].link)
	fmt.Fprintf(b, `<g class="node %s"><rect x="%d" y="%d" width="%d" height="%d" rx="7"/>`, n.kind, n.x-n.w/2, n.y, n.w, n.h)
	text(0, "title")
	b.WriteString("</g>" + end)
	for i, r := range n.rows[1:] {
		end := open(r.link)
		text(i+1, strings.TrimSpace("sub "+r.class))
		b.WriteString(end)
	}
}
