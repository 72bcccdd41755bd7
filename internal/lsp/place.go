package lsp

import (
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// pathOf is the file that a URI names; ok is false for one that is in no file system.
func pathOf(uri string) (path string, ok bool) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Host != "" && u.Host != "localhost" {
		return "", false
	}
	path = u.Path
	if len(path) > 2 && path[0] == '/' && path[2] == ':' {
		path = path[1:] // /C:/Users
	}
	return filepath.FromSlash(path), path != ""
}

// uriOf names a file.
func uriOf(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// link is a URI with a line, counted from 1, for Markdown.
func link(path string, row int) string { return fmt.Sprintf("%s#L%d", uriOf(path), row) }

// plainLines are the lines of a text, without their ends.
func plainLines(text string) []string {
	return strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
}

// utf16Len is the length of a text in UTF-16 code units.
func utf16Len(s string) int {
	n := 0
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		n++
		if r > 0xFFFF {
			n++
		}
	}
	return n
}

// wholeLine is the text of a line, counted from 1, without the white space around it.
func wholeLine(lines []string, line int) span {
	if line < 1 || line > len(lines) {
		return span{}
	}
	text := lines[line-1]
	start := utf16Len(text[:len(text)-len(strings.TrimLeft(text, " \t"))])
	end := utf16Len(strings.TrimRight(text, " \t\r"))
	return span{position{line - 1, min(start, end)}, position{line - 1, end}}
}

// startOf is the beginning of a line, counted from 1.
func startOf(row int) span { return span{position{row - 1, 0}, position{row - 1, 0}} }
