package report

import "cmp"

// contentsView is a line of the page's table of contents.
type contentsView struct {
	ID, Title string
	Code      bool // the title is a name
	Bad       bool // it tells of what went wrong
	Count     int
	Short     string // the answer in brief, in marked text; may be empty
}

// mostContents is how many functions the contents name; behind them stands how many more there are.
const mostContents = 12

// contents lists the parts of the page in their order, each with how much is in it.
func contents(v *pageView) []contentsView {
	var out []contentsView
	add := func(id, title string, n int) {
		if n > 0 {
			out = append(out, contentsView{ID: id, Title: title, Count: n})
		}
	}
	tell := func(s Section) {
		if add(s.Name, s.Title, cmp.Or(s.Count, len(s.Items))); len(s.Items) > 0 {
			out[len(out)-1].Short, out[len(out)-1].Bad = s.Short, s.Bad
		}
	}
	if v.Trouble != nil {
		tell(*v.Trouble)
	}
	add("left", "Left uncompiled", len(v.Skipped))
	for _, s := range v.Answers {
		tell(s)
	}
	if add("source", "Your source", len(v.Sources)); len(v.Sources) > 0 {
		out[len(out)-1].Short = "the operations and kernels of each line"
	}
	add("functions", "Functions, versions and graphs", v.Counts.Functions)
	for _, f := range v.Functions[:min(mostContents, len(v.Functions))] {
		n := len(f.Versions)
		for _, r := range append(f.Resumes, f.Crowd...) {
			n += len(r.Versions)
		}
		out = append(out, contentsView{ID: f.ID, Title: f.Name, Code: true, Count: n})
	}
	add("orphans", "Resume functions that no code was seen to call", len(v.Orphans))
	add("idle", "Nothing to compile in them", len(v.Idle))
	add("exported", "Graphs of exported programs", len(v.Exported))
	add("others", "Graphs that were not joined to a function", len(v.Others))
	add("missing", "What is missing", len(v.Missing))
	return out
}
