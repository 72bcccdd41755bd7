package report

import (
	"fmt"
	"strconv"
	"strings"
)

// fewestFolded is how many lines are worth a fold: opening one costs a click.
const fewestFolded = 6

// boilerplate finds what each of Inductor's files begins and ends with, whatever it computes: imports
// before the first kernel, and the code that times it.
func boilerplate(text string) []fold {
	before, _, found := strings.Cut(text, "# AOT ID:")
	if !found || strings.Trim(before, "\n") != "" && !strings.HasPrefix(before, "# ") {
		return nil
	}
	lines := strings.Split(text, "\n")
	head := strings.Count(before, "\n") + 1
	var out []fold
	add := func(first, end int, title string) {
		if end-first >= fewestFolded {
			out = append(out, fold{first, end, fmt.Sprintf("%d lines: %s", end-first, title)})
		}
	}
	for i, l := range lines {
		if i > head && strings.HasPrefix(l, "async_compile = ") {
			add(head, i+1, "imports")
			break
		}
	}
	for i, l := range lines {
		if strings.HasPrefix(l, "def get_args(") || strings.HasPrefix(l, "def benchmark_compiled_module(") {
			add(i, len(lines), "code that times the above")
			break
		}
	}
	return out
}

// layerFolds finds runs of lines that say the same of one layer of a model after the other: of each
// layer as many lines, equal but for the layer's number. The first layer stays in view.
func layerFolds(text string) []fold {
	lines := strings.Split(text, "\n")
	forms := make([]form, len(lines))
	ids := map[string]int{}
	for i, l := range lines {
		forms[i] = formOf(l)
		id, ok := ids[forms[i].text]
		if !ok {
			id = len(ids)
			ids[forms[i].text] = id
		}
		forms[i].id = id
	}
	var out []fold
	for i := 0; i < len(lines); {
		period, times, at := repeated(forms, i)
		if times < 3 || period*(times-1) < fewestFolded {
			i++
			continue
		}
		end := i + period*times
		out = append(out, fold{i + period, end, fmt.Sprintf("%d lines: the same with %s", end-i-period, forms[i].layers(at, times))})
		i = end
	}
	return out
}

// form is a line with its numbers taken out.
type form struct {
	text    string
	numbers []int
	id      int // the same for the same text: lines are compared with hundreds behind them
}

func formOf(line string) form {
	var f form
	var b strings.Builder
	at := 0
	for {
		first, end := layerNumber(line, at)
		if first < 0 {
			break
		}
		n, err := strconv.Atoi(line[first:end])
		if err != nil {
			break
		}
		b.WriteString(line[at:first])
		b.WriteByte(0)
		f.numbers = append(f.numbers, n)
		at = end
	}
	b.WriteString(line[at:])
	f.text = strings.TrimPrefix(strings.TrimSpace(b.String()), "and ")
	return f
}

// layerNumber finds the next number of a layer from a place on, -1 if there is none. It stands in
// brackets or quotes, after a dot or in a parameter's name; others are left alone: they are sizes, and what
// differs in a size is not the same. (A regular expression took a tenth of the time of writing a dump.)
func layerNumber(line string, at int) (first, end int) {
	for i := at; i < len(line); i++ {
		before := line[i]
		if before != '[' && before != '_' && before != '.' && before != '\'' {
			continue
		}
		first = i + 1
		if before == '[' && first < len(line) && line[first] == '\'' {
			first++
		}
		end = first
		for end < len(line) && '0' <= line[end] && line[end] <= '9' {
			end++
		}
		if end == first {
			continue
		}
		rest := line[end:]
		ends := rest == "" || rest[0] == '_' || !wordByte(rest[0])
		switch before {
		case '[':
			ends = strings.HasPrefix(rest, "]") || strings.HasPrefix(rest, "']")
		case '\'':
			ends = strings.HasPrefix(rest, "'")
		}
		if ends {
			return first, end
		}
	}
	return -1, -1
}

func wordByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// longestLayer is how many lines of one layer may stand before the next one's.
const longestLayer = 200

// repeated finds the shortest period with which the lines from i on repeat: the numbers of a line are those of
// the line a period before, some of them greater by one. at is which number counts the layers.
func repeated(forms []form, i int) (period, times, at int) {
	for period = 1; period <= longestLayer && i+2*period <= len(forms); period++ {
		if forms[i].id != forms[i+period].id {
			continue
		}
		at = forms[i].counts(forms[i+period])
		if at < 0 {
			continue
		}
		times = 1
		for i+(times+1)*period <= len(forms) {
			same := true
			for j := i + times*period; same && j < i+(times+1)*period; j++ {
				same = forms[j-period].next(forms[j])
			}
			if !same {
				break
			}
			times++
		}
		if times >= 3 {
			return period, times, at
		}
	}
	return 0, 0, 0
}

// counts tells which number of the line the next one has greater by one, -1 for none.
func (f form) counts(next form) int {
	if !f.next(next) {
		return -1
	}
	for i, n := range f.numbers {
		if next.numbers[i] == n+1 {
			return i
		}
	}
	return -1
}

// next reports whether the line is f of the next layer: no line of a layer may be the same in the next.
func (f form) next(g form) bool {
	if f.text != g.text || len(f.numbers) != len(g.numbers) {
		return false
	}
	counted := len(f.numbers) == 0
	for i, n := range f.numbers {
		switch g.numbers[i] {
		case n:
		case n + 1:
			counted = true
		default:
			return false
		}
	}
	return counted
}

// layers says which layers the fold has.
func (f form) layers(at, times int) string {
	return fmt.Sprintf("%d to %d in place of %d", f.numbers[at]+1, f.numbers[at]+times-1, f.numbers[at])
}
