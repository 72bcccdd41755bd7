package main

import (
	"fmt"
	"sort"
	"strings"

	"github.com/thuml/depyf/internal/score"
)

// printTrees shows the share of functions whose syntax tree is the original's,
// and the most frequent kinds of difference with an example each.
//
// Differences that the bytecode does not tell are counted; with all they are shown, too.
func printTrees(minor int, res []score.File, top int, grep string, all bool) {
	total, bad, untold := 0, 0, 0
	kinds := map[string]int{}
	example := map[string]string{}
	for _, f := range res {
		total += f.Functions
		bad += len(f.Differ)
		for _, d := range f.Differ {
			if d.Untold {
				untold++
				if !all {
					continue
				}
				d.Kind = "(untold) " + d.Kind
			}
			text := fmt.Sprintf("%s:%d %s\n          %s\n          %s", f.Path, d.Line, d.Name, d.Old, d.New)
			if grep != "" && strings.Contains(d.Kind, grep) {
				fmt.Printf("%s\n        %s\n", d.Kind, text)
			}
			kinds[d.Kind]++
			if example[d.Kind] == "" {
				example[d.Kind] = text
			}
		}
	}
	var ks []string
	for k := range kinds {
		ks = append(ks, k)
	}
	sort.Slice(ks, func(i, j int) bool {
		if kinds[ks[i]] != kinds[ks[j]] {
			return kinds[ks[i]] > kinds[ks[j]]
		}
		return ks[i] < ks[j]
	})
	for i, k := range ks {
		if i == top || grep != "" {
			break
		}
		fmt.Printf("%6d  %s\n        %s\n", kinds[k], k, example[k])
	}
	fmt.Printf("3.%d: %d of %d functions have the tree of the original (%.2f %%)\n", minor, total-bad, total, share(total, bad))
	fmt.Printf("3.%d: of %d nothing tells which tree was written, so that no decompiler is above %.2f %%\n", minor, untold, share(total, untold))
}
