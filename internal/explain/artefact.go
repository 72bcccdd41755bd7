package explain

import (
	"fmt"
	"strings"
)

// artefactStem is what an artefact's number counts by.
func artefactStem(a *Artefact) string {
	g := a.Graph
	if g == "" {
		g = "unknown_graph"
		if a.CompileID != "" {
			g = "graph_of_" + idInName.Replace(strings.TrimPrefix(a.CompileID, "!"))
		}
	}
	stage := a.Stage
	if stage == "" {
		stage = "graph"
	}
	return Identifier(g) + "." + Identifier(strings.ReplaceAll(stage, " ", "_"))
}

// idInName makes a part of a file name of a compile id.
var idInName = strings.NewReplacer("/", "_", "@", "_reset_")

// ArtefactFile is the name of the n-th file of its kind. These names are an
// API: other programs glob for them. Only kernels have an underscore before
// the number.
func ArtefactFile(a *Artefact, n int) string {
	ext := ".py"
	if a.Language != "" && !strings.EqualFold(a.Language, "python") {
		if e := Identifier(strings.ToLower(a.Language)); len(e) <= 4 && a.Stage == StageKernel {
			ext = "." + e
		}
	}
	if a.Stage == StageKernel {
		return fmt.Sprintf("%s_%d%s", artefactStem(a), n, ext)
	}
	return fmt.Sprintf("%s.%d%s", artefactStem(a), n, ext)
}

func versionText(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []any:
		var parts []string
		for _, x := range v {
			if n, ok := toInt(x); ok && len(parts) < 3 {
				parts = append(parts, fmt.Sprint(n))
			}
		}
		return strings.Join(parts, ".")
	}
	return ""
}

func rankText(v any) string {
	if n, ok := toInt(v); ok {
		return fmt.Sprint(n)
	}
	s, _ := v.(string)
	return s
}
