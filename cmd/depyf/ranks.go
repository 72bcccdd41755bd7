package main

import (
	"flag"
	"fmt"
	"io"

	"github.com/thuml/depyf/internal/ask"
	"github.com/thuml/depyf/internal/report"
)

const ranksUsage = `usage: depyf ranks [--format text|markdown|json] DUMP_DIR

Says what not all ranks of a distributed run have: failures, graph breaks,
causes of recompilations, graphs (known by their operations and the lines these
come from, not by their names), and functions that take one rank clearly longer
to compile. Ranks wait for each other in every collective, so that the one that
compiles something else holds up the rest. Where they differ, the numbers of all
ranks follow side by side, odd ones with a star. DUMP_DIR holds rank_0, rank_1, ….

Exit status: 0 nothing differs · 1 something does · 2 wrong usage, or the
folder cannot be read or does not hold two ranks.

`

func runRanks(args []string, _ io.Reader, stdout, stderr io.Writer) int {
	fs := flag.NewFlagSet("ranks", flag.ContinueOnError)
	format := fs.String("format", "text", "`FORM`: text, markdown or json")
	paths, status, done := parseArgs(fs, ranksUsage, args, stdout, stderr)
	if done {
		return status
	}
	if len(paths) != 1 || *format != "text" && *format != "markdown" && *format != "json" {
		fmt.Fprint(stderr, ranksUsage)
		return 2
	}
	ranks, err := ask.Ranks(paths[0])
	if err != nil {
		fmt.Fprintf(stderr, "depyf ranks: %v\n", err)
		return 2
	}
	if !ranks.Same() {
		status = 1
	}
	if *format == "json" {
		fields, _ := ask.Fields(ranks, "")
		err = writeJSON(stdout, ask.Document(false, []map[string]any{fields}))
	} else {
		err = writeSection(stdout, report.RankDifferences(ranks), *format, "")
	}
	if err != nil {
		fmt.Fprintf(stderr, "depyf ranks: %v\n", err)
		return 2
	}
	return status
}
