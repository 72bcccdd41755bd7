package card

import (
	"embed"
	"fmt"
	"html"
	"html/template"
	"slices"
	"strings"
	"sync"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/explain"
	"github.com/thuml/depyf/internal/report"
)

//go:embed assets
var assets embed.FS

var page = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{"md": report.HTML}).ParseFS(assets, "assets/*.tmpl.html"))
})

// Style is the style sheet of a card, for pages that have it once.
func Style() string {
	data, err := assets.ReadFile("assets/card.css")
	if err != nil {
		panic(err) // it is part of the program
	}
	return string(data)
}

// mostInNotebook is how large a page may be, in bytes, to be kept in a notebook. A larger one stays in its folder.
const mostInNotebook = 1 << 20

// Told is what the caller knows that no session does.
type Told struct {
	Dump   string // what commands call the dump folder
	Raised string // what the function that was called has raised, in a line; "" for nothing
	Called bool   // it was one function, compiled for this and called, and not a block of the program's
}

// Text is the card for a terminal.
func Text(f *answers.Facts, told Told) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n", plain(lead(f)))
	if told.Raised != "" {
		fmt.Fprintf(&b, "The call raised %s\n\n", told.Raised)
	}
	if nothing(f) {
		for _, s := range reasons(f, told) {
			fmt.Fprintf(&b, "* %s\n", plain(s))
		}
		b.WriteByte('\n')
	}
	for _, s := range report.InBriefFor(f, told.Dump) {
		b.WriteString(s.TitledText())
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// plain is marked text as it is printed.
func plain(s string) string { return strings.Join(strings.Fields(s), " ") }

// Sections is the card without its style and without the page: for a page that goes on.
func Sections(f *answers.Facts, told Told) (string, error) {
	var b strings.Builder
	err := page().ExecuteTemplate(&b, "sections", newView(f, told))
	return explain.CleanName(b.String()), err
}

// HTML is the card for a notebook. The whole page is put in below it, if there is one.
func HTML(f *answers.Facts, told Told, whole string) (string, error) {
	sections, err := Sections(f, told)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "<div class=\"depyf\"><style>%s</style>\n%s", Style(), sections)
	switch {
	case whole == "":
	case len(whole) > mostInNotebook:
		fmt.Fprintf(&b, "<p class=\"quiet\">The whole page is too large to be kept in a notebook, %.1f MB: <code>%s</code></p>\n", float64(len(whole))/1e6, html.EscapeString(told.Dump+"/report.html"))
	default:
		fmt.Fprintf(&b, "<details class=\"page\"><summary>The whole page: your source, versions, guards, graphs</summary>"+
			"<iframe title=\"What torch.compile did\" sandbox=\"allow-scripts\" loading=\"lazy\" srcdoc=\"%s\"></iframe></details>\n", html.EscapeString(framed(whole)))
	}
	b.WriteString("</div>\n")
	return b.String(), nil
}

// framed is a page for a frame whose text is given with it. Its links within itself lead into the page around it unless it is told what
// they are relative to.
func framed(whole string) string {
	return strings.Replace(whole, "<head>", `<head><base href="about:srcdoc">`, 1)
}

type view struct {
	Lead     string
	Told     Told
	Torch    string
	Reasons  []string
	Sections []report.Section // those that have something to say
	Quiet    []string         // of the others: that there is nothing
}

func newView(f *answers.Facts, told Told) view {
	v := view{Lead: lead(f), Told: told, Torch: f.Program.Model.Start.Torch}
	if nothing(f) {
		v.Reasons = reasons(f, told)
	}
	for _, s := range report.InBriefFor(f, told.Dump) {
		switch {
		case len(s.Items) > 0:
			v.Sections = append(v.Sections, s)
		case !nothing(f):
			v.Quiet = append(v.Quiet, s.Lead)
		}
	}
	return v
}

func nothing(f *answers.Facts) bool {
	return len(f.Program.Functions)+len(f.Program.Resumes) == 0 && backward(f) == 0
}

// backward is how long backward passes took to compile, in seconds: those of functions that were compiled before, too.
func backward(f *answers.Facts) float64 {
	sum := 0.0
	for _, s := range f.Spent() {
		sum += s.Backward
	}
	return sum
}

// reasons say why nothing may have been compiled.
func reasons(f *answers.Facts, told Told) []string {
	switch {
	case !f.Program.Model.Ended, len(f.Program.Lost)+len(f.Program.Failed) > 0, f.Program.Model.Raised != nil: // it goes on, or the reason is known
		return nil
	case told.Called:
		return []string{
			"A function that is given as `torch.compile` has made it may have been compiled before: call `torch._dynamo.reset()`, or give the function itself.",
			"`torch.compile` may be off: `TORCHDYNAMO_DISABLE`, `torch.compiler.set_stance`.",
		}
	}
	return []string{
		"What is called there may have been compiled before: call `torch._dynamo.reset()` first.",
		"No function under `torch.compile` may have been called, or `torch.compile` is off: `TORCHDYNAMO_DISABLE`, `torch.compiler.set_stance`.",
	}
}

// lead is the session in one sentence, in marked text.
func lead(f *answers.Facts) string {
	p := f.Program
	switch {
	case nothing(f) && !p.Model.Ended:
		return "Nothing has been compiled yet."
	case nothing(f):
		return "Nothing was compiled."
	case len(p.Functions)+len(p.Resumes) == 0:
		return fmt.Sprintf("Only backward passes, of functions that had been compiled before, in %.1f s.", backward(f))
	}
	var names []string
	for _, fn := range p.Functions {
		names = append(names, "`"+strings.ReplaceAll(fn.Title, "`", "'")+"`")
	}
	text := strings.Join(names[:min(3, len(names))], ", ")
	if n := len(names) - 3; n > 0 {
		text += fmt.Sprintf(" and %s", count(n, "more function"))
	}
	if text == "" {
		text = count(len(p.Resumes), "resume function")
	}
	versions, seconds := 0, 0.0
	for _, fn := range slices.Concat(p.Functions, p.Resumes) {
		versions += len(fn.Versions)
	}
	for _, s := range f.Spent() {
		seconds += s.Total + s.Backward
	}
	took := ""
	if seconds > 0 { // torch has told
		took = fmt.Sprintf("compiled in %.1f s, ", seconds)
	}
	return fmt.Sprintf("%s: %s%s, %s, %s.", text, took, count(versions, "version"), count(len(answers.BreakPlaces(f.BreakLines())), "graph break"), count(recompilations(f), "recompilation"))
}

func recompilations(f *answers.Facts) int {
	n := 0
	for _, c := range f.Causes() {
		n += c.Recompilations
	}
	return n
}

func count(n int, word string) string {
	switch n {
	case 0:
		return "no " + word
	case 1:
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}
