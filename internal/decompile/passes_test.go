package decompile

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/asm"
	"github.com/thuml/depyf/internal/cases"
	"github.com/thuml/depyf/internal/choice"
	"github.com/thuml/depyf/internal/pass"
	"github.com/thuml/depyf/internal/pyc"
	"github.com/thuml/depyf/internal/structure"
)

const passesDir = "testdata/passes"

// passTest is one file: a pass, the code in disassembly, and what the pass is given
// and makes of it.
//
//	What it shows.
//
//	pass unthread
//	in dynamo wholly
//	of C
//	-- code --
//	-- before --
//	-- after --
//
// "in" says how the code is lifted (searched: with the first decision taken the other way), "of" names the code object that is looked at when
// it is not the first.
type passTest struct {
	about, pass, of string
	how             []string
	code            string
	before, after   string
}

func readPassTest(text string) *passTest {
	s := cases.Sections(text)
	p := &passTest{code: s["code"], before: s["before"], after: s["after"]}
	for line := range strings.Lines(s[""]) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch word {
		case "pass":
			p.pass = rest
		case "of":
			p.of = rest
		case "in":
			p.how = strings.Fields(rest)
		default:
			p.about += line
		}
	}
	return p
}

func (p *passTest) String() string {
	out := strings.TrimSpace(p.about) + "\n\npass " + p.pass + "\n"
	if len(p.how) > 0 {
		out += "in " + strings.Join(p.how, " ") + "\n"
	}
	if p.of != "" {
		out += "of " + p.of + "\n"
	}
	return out + "-- code --\n" + p.code + "-- before --\n" + p.before + "-- after --\n" + p.after
}

// run decompiles up to the pass, and notes the state in front of it and behind it.
func (p *passTest) run(t *testing.T) (before, after string) {
	t.Helper()
	code, err := asm.Parse(p.code)
	if err != nil {
		t.Fatal(err)
	}
	var last []pass.Line
	through(code, p.how, func(c *pyc.Code) *pass.Watch {
		if p.of == "" && c != code || p.of != "" && c.Name != p.of {
			return nil
		}
		return &pass.Watch{Until: p.pass, Seen: func(s pass.Step) {
			if s.Err != nil {
				before, after = passText(last), "error: "+s.Err.Error()+"\n"
				return
			}
			now := s.Show()
			if s.Name == p.pass {
				before, after = passText(last), passText(now)
			}
			last = now
		}, Broken: func(err error) { t.Error(err) }}
	})
	return before, after
}

// through decompiles code in the way that the words say.
func through(code *pyc.Code, how []string, watch func(*pyc.Code) *pass.Watch) {
	has := func(word string) bool { return slices.Contains(how, word) }
	opt := Options{Dynamo: has("dynamo"), Watch: watch}
	w := way{unseen: has("unseen")}
	switch {
	case has("head"):
		w.spill = inHead
	case has("wholly"):
		w.spill = wholly
	}
	if has("dispatch") {
		w.dispatch = structure.Resisting
	}
	w.named = has("named")
	if code.IsFunction() {
		if opt.Dynamo {
			opt.Rename = withStableNames(code, nil)
		}
		l := newLadder(asCompiled)
		if has("searched") {
			l.choices[code] = choice.Taking(1)
		}
		funcOnce(code, opt, w, l)
		return
	}
	_, _, _, _ = newUnit(code, opt).module()
}

func passText(lines []pass.Line) string {
	var sb strings.Builder
	for _, l := range lines {
		if l.At > 0 {
			fmt.Fprintf(&sb, "%-50s # %d\n", l.Text, l.At)
		} else {
			sb.WriteString(l.Text + "\n")
		}
	}
	return sb.String()
}

// TestPasses runs single passes: each changes what it is given as the file says. Each
// pass of the table has such a file.
func TestPasses(t *testing.T) {
	files, err := filepath.Glob(passesDir + "/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	tested := map[string]bool{}
	for _, path := range files {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			p := readPassTest(string(text))
			if strings.TrimSpace(p.about) == "" {
				t.Error("the file does not say what it shows")
			}
			before, after := p.run(t)
			if before == after {
				t.Errorf("the pass %q changes nothing here:\n%s", p.pass, after)
				return
			}
			tested[p.pass] = true
			if *update {
				p.before, p.after = before, after
				if err := os.WriteFile(path, []byte(p.String()), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if before != p.before {
				t.Errorf("before %q:\n%s\nwant:\n%s", p.pass, before, p.before)
			}
			if after != p.after {
				t.Errorf("behind %q:\n%s\nwant:\n%s", p.pass, after, p.after)
			}
		})
	}
	for _, r := range Passes {
		if !tested[r.Name] {
			t.Errorf("no file in %s tests the pass %q", passesDir, r.Name)
		}
	}
}
