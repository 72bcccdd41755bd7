package explain

import (
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Of a large log, texts are not held but read again, and nobody can tell.
func TestLargeLogsAreNotHeld(t *testing.T) {
	var b strings.Builder
	var want []string
	for i := range 5 {
		text := fmt.Sprintf("class GraphModule%d(torch.nn.Module):\n", i) + strings.Repeat(fmt.Sprintf("    # %d\n\n", i), 60_000) + "    pass"
		want = append(want, text)
		sum := md5.Sum([]byte(text))
		fmt.Fprintf(&b, "V1121 02:37:03.355000 9006 torch/_dynamo/utils.py:2473] {\"dynamo_output_graph\": {}, \"frame_id\": %d, \"frame_compile_id\": 0, \"attempt\": 0, \"has_payload\": %q}\n\t%s\n",
			i, hex.EncodeToString(sum[:]), strings.ReplaceAll(text, "\n", "\n\t"))
	}
	log := filepath.Join(t.TempDir(), "trace.log")
	if err := os.WriteFile(log, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	models, err := ReadLog(log)
	if err != nil || len(models) != 1 {
		t.Fatal(len(models), err)
	}
	held, again := 0, 0
	for i, c := range models[0].Compiles {
		a := c.Artefacts[0]
		if got := a.Body(); got != want[i] || a.Begin(5) != "class" && a.Begin(6) != "class" {
			t.Errorf("%d: %d bytes, %q", i, len(got), a.Begin(6))
		}
		if held += len(a.Text); a.Text == "" {
			again++
		}
	}
	if held > mostHeld || again == 0 || len(models[0].Compiles) != len(want) {
		t.Errorf("%d bytes held, %d read again", held, again)
	}
	if err := os.Remove(log); err != nil {
		t.Fatal(err)
	}
	if got := models[0].Compiles[4].Artefacts[0].Body(); !strings.HasPrefix(got, "# the log that has this text can no longer be read: ") {
		t.Errorf("%.60q", got)
	}
}

// Versions have most guards in common: each text is read once, and kept once.
func TestCommonGuards(t *testing.T) {
	m := newModel()
	tree := "TREE_GUARD_MANAGER:\n| +- EQUALS_MATCH: L['n'] == 3  # return x * n  # a.py:3 in f\n| +- GLOBAL_STATE: ___check_global_state()\n"
	read := newGuardReader(Identities{})
	first, second := read.all(PartsOfTree(tree, m.keep)), read.all(PartsOfTree(strings.Clone(tree), m.keep))
	if len(first) != 2 || len(second) != 2 || first[0].Text != "L['n'] == 3" || first[0].At != second[0].At || first[0].At.Line != 3 {
		t.Errorf("%+v\n%+v", first, second)
	}
	if len(m.kept) != 2 || len(read.bare) != 2 {
		t.Errorf("%d texts, %d read", len(m.kept), len(read.bare))
	}
	Blame(first, "L['n'] == 3")
	if first[0].Reason == "" || second[0].Reason != "" || read.all(PartsOfTree(tree, m.keep))[0].Reason != "" {
		t.Error("what failed in one version is told of another")
	}
}
