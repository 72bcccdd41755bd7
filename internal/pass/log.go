package pass

import (
	"fmt"
	"io"
	"slices"
)

// Log returns a Watch that writes the state behind each pass that has changed it.
func Log(w io.Writer) *Watch {
	var last []Line
	return &Watch{Seen: func(s Step) {
		if s.Err != nil {
			fmt.Fprintf(w, "\n== %s: %s\n%v\n", s.Stage, s.Name, s.Err)
			return
		}
		now := s.Show()
		if slices.Equal(now, last) {
			return
		}
		last = now
		if s.Name == "" {
			return
		}
		fmt.Fprintf(w, "\n== %s: %s\n", s.Stage, s.Name)
		for _, l := range now {
			fmt.Fprintln(w, l.Text)
		}
	}}
}
