package main

import (
	"context"
	"fmt"
	"strings"

	"mtok/pipeline"
	"mtok/pipeline/history"
	"mtok/reports/render"
	"mtok/schema/store"
)

// importScreen says of each file where its rows went.
func (a *app) importScreen(f history.Format, o importOptions, files []pipeline.ReadFile) {
	var sum pipeline.Accounts
	table := newColumns(a.stdout)
	for _, file := range files {
		if file.Already {
			table.row("  "+render.Clean(file.Name), "imported already", "", "", "nothing changed")
			continue
		}
		acc := file.Accounts()
		sum.Read, sum.Prices, sum.Kept = sum.Read+acc.Read, sum.Prices+acc.Prices, sum.Kept+acc.Kept
		table.row("  "+render.Clean(file.Name), counted(acc.Read, "row"), marked(acc.Kept)+" kept",
			counted(acc.Prices, "price"), importNotes(file, acc))
	}
	table.flush()
	told := map[string]bool{}
	for _, file := range files {
		if !file.Already {
			a.listRejects(file, told, o.list)
		}
	}
	fmt.Fprintf(a.stdout, "Imported from %s: %s read, %s kept, %s (%s; %s)\n",
		f.Name, counted(sum.Read, "row"), marked(sum.Kept), counted(sum.Prices, "price"), f.Provenance, f.Licence)
}

// owedScreen says which figures were left for later.
func (a *app) owedScreen(ctx context.Context, s *store.Store) error {
	owed, err := s.UnsettledDays(ctx)
	if err != nil || len(owed) == 0 {
		return err
	}
	fmt.Fprintf(a.stdout, "The daily figures of %s are not made yet: mtok recompute --owed%s makes them\n", counted(len(owed), "day"), a.hereFlags())
	return nil
}

// importNotes are the rows of a file that gave no price, by rule.
func importNotes(file pipeline.ReadFile, acc pipeline.Accounts) string {
	var parts []string
	if acc.Broken > 0 {
		parts = append(parts, fmt.Sprintf("%d broken", acc.Broken))
	}
	for _, c := range acc.Rules {
		parts = append(parts, fmt.Sprintf("%d %s", c.Rows, strings.ReplaceAll(c.Rule, "_", " ")))
	}
	for _, c := range acc.Beside {
		parts = append(parts, fmt.Sprintf("%d %s beside a kept price", c.Rows, strings.ReplaceAll(c.Rule, "_", " ")))
	}
	if file.Own > 0 {
		parts = append(parts, fmt.Sprintf("%d observed by ourselves already", file.Own))
	}
	if len(parts) == 0 {
		return "nothing refused"
	}
	return strings.Join(parts, ", ")
}

// listRejects writes the first refused row of each rule, or all of them.
func (a *app) listRejects(file pipeline.ReadFile, told map[string]bool, all bool) {
	for _, r := range file.Verdict.Rejects {
		if told[r.Rule] && !all {
			continue
		}
		told[r.Rule] = true
		line := fmt.Sprintf("  %s row %d, %s: %s, %q: %s", file.Name, r.Line, r.Rule, r.Label, r.PriceText, r.Reason)
		fmt.Fprintln(a.stdout, render.Clean(line))
	}
	for _, f := range file.Result.Faults {
		fmt.Fprintln(a.stdout, render.Clean(fmt.Sprintf("  %s row %d, broken: %s", file.Name, f.Line, f.Text)))
	}
}
