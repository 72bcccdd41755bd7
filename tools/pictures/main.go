// Command pictures makes the pictures of the documentation: what a browser shows first of a page.
//
//	pictures OUT.png=REPORT.html [OUT.png=REPORT.html#PLACE] …
//
// PLACE is the id of what the picture begins with.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/thuml/depyf/internal/browser"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "pictures:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	path, err := browser.Find()
	if err != nil {
		return err
	}
	b, err := browser.Start(path)
	if err != nil {
		return err
	}
	defer b.Close()
	for _, arg := range args {
		out, page, ok := strings.Cut(arg, "=")
		if !ok {
			return fmt.Errorf("%s: OUT.png=REPORT.html is expected", arg)
		}
		if err := picture(b, out, page); err != nil {
			return fmt.Errorf("%s: %w", page, err)
		}
	}
	return nil
}

func picture(b *browser.Browser, out, page string) error {
	file, place, _ := strings.Cut(page, "#")
	file, err := filepath.Abs(file)
	if err != nil {
		return err
	}
	p, err := b.Open(file, browser.View{Width: 1280, Height: 860})
	if err != nil {
		return err
	}
	const drawn = `new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))`
	script := drawn
	if place != "" {
		script = fmt.Sprintf(`(document.getElementById(%q).scrollIntoView(), %s)`, place, drawn)
	}
	if err := p.Do(script, nil); err != nil {
		return err
	}
	data, err := p.Picture()
	if err != nil {
		return err
	}
	return os.WriteFile(out, data, 0o644)
}
