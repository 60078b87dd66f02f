package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"mtok/pipeline"
	"mtok/reports"
	"mtok/reports/cost"
	"mtok/reports/render"
	"mtok/schema"
	"mtok/schema/store"
)

// nightScreen is what a night ends with: what each provider gave, the cheapest
// rentable price of each measured class, and what to look at next.
func (a *app) nightScreen(ctx context.Context, s *store.Store, summary pipeline.Summary, plan nightPlan) error {
	fmt.Fprintln(a.stdout, plan.title)
	a.outcomes(a.stdout, summary)
	loader, err := a.loaderOf(s, plan.tonight.known())
	if err != nil {
		return err
	}
	tonight, err := loader.Cheapest(ctx, reports.Filter{Day: summary.Run.Day, DayNamed: true})
	if err != nil {
		return err
	}
	if len(tonight.Best) > 0 {
		a.cheapest(a.stdout, tonight, watched(summary))
		line, err := loader.AgainstAPI(ctx, reports.Filter{Day: summary.Run.Day, DayNamed: true})
		if err != nil {
			return err
		}
		if line != "" {
			fmt.Fprintln(a.stdout, line)
		}
		if err := a.pastLine(ctx, loader, tonight, summary.Run.Day); err != nil {
			return err
		}
	} else {
		fmt.Fprintln(a.stdout, nothingPriced(summary, tonight))
	}
	if err := a.settingsLine(ctx, s, loader.Catalog, summary.Run.Day); err != nil {
		return err
	}
	db := ""
	if name := plan.db; name != "" {
		db = " --db " + shellQuote(name)
	} else if a.dbPath != "" {
		db = " --db " + shellQuote(a.dbPath)
	}
	fmt.Fprintf(a.stdout, "Look next: mtok report mtok%s\n", db)
	fmt.Fprintf(a.stdout, "           mtok report api%s\n", db)
	fmt.Fprintf(a.stdout, "           mtok report prices%s\n", db)
	fmt.Fprintf(a.stdout, "           mtok explain h100-sxm-80gb%s\n", db)
	fmt.Fprintf(a.stdout, "           mtok status%s\n", db)
	return nil
}

// outcomes writes a line a provider, and below it what went wrong there.
func (a *app) outcomes(w io.Writer, s pipeline.Summary) {
	table := newColumns(w)
	for _, o := range s.Outcomes {
		status, tail := string(o.Status), ""
		if o.Status == schema.StatusComplete {
			status, tail = "ok", "stock: "+o.StockNote
		}
		offers, text := fmt.Sprintf("%3d offers", o.Offers), found(o)
		if len(o.Notices) > 0 && o.Offers == 0 {
			offers, text, status, tail = "  no price", noticeText(o.Notices[0]), "noted", ""
		}
		if o.Provider.ListsTokens() {
			offers, text, status, tail = listText(o, s.Run.Day, a.config.Report.MaxAgeDays)
		}
		table.row("  "+string(o.Provider), offers, text, status, tail)
	}
	table.flush()
	for _, o := range s.Outcomes {
		if o.Err == nil {
			continue
		}
		faults := slices.Collect(strings.Lines(o.Err.Error()))
		for i, line := range faults {
			if i == shownFaults && len(faults) > shownFaults+1 {
				fmt.Fprintf(w, "  %s: and %d more like it: mtok status\n", o.Provider, len(faults)-i)
				break
			}
			fmt.Fprintf(w, "  %s: %s\n", o.Provider, reports.Brief(render.Clean(line)))
		}
	}
}

// shownFaults is how many faults of one provider a screen lists.
const shownFaults = 3

// found says in a few words what a provider's pages held besides prices.
func found(o pipeline.Outcome) string {
	var parts []string
	if node := nodeText(o.Nodes); node != "" {
		parts = append(parts, node)
	}
	if o.LookAlikes > 0 {
		parts = append(parts, fmt.Sprintf("%d look-alike rows skipped", o.LookAlikes))
	}
	if o.Machines > 0 {
		parts = append(parts, fmt.Sprintf("%d machines", o.Machines))
	}
	if o.Floors > 0 {
		parts = append(parts, fmt.Sprintf("%d of them floors of bids", o.Floors))
	}
	for _, rule := range slices.Sorted(maps.Keys(o.Rules)) {
		parts = append(parts, fmt.Sprintf("%d %s", o.Rules[rule], strings.ReplaceAll(rule, "_", " ")))
	}
	return strings.Join(parts, ", ")
}

func noticeText(n schema.Notice) string {
	if n.Kind == schema.NoticeNoPublicPrice {
		return n.Detail
	}
	return n.Kind + ": " + n.Detail
}

// nodeText names the node size where nearly all listings share one that is not
// a single GPU, with the exceptions.
func nodeText(nodes []pipeline.Node) string {
	sizes := map[int]int{}
	for _, n := range nodes {
		sizes[n.GPUCount]++
	}
	common := 0
	for size, classes := range sizes {
		if size > 1 && classes > sizes[common] {
			common = size
		}
	}
	if common == 0 || 2*sizes[common] <= len(nodes) {
		return ""
	}
	var others []string
	for _, n := range nodes {
		if n.GPUCount != common {
			others = append(others, fmt.Sprintf("%s %d", n.Class, n.GPUCount))
		}
	}
	text := fmt.Sprintf("%d-GPU nodes", common)
	if len(others) > 0 {
		text += " (" + strings.Join(others, ", ") + ")"
	}
	return text
}

// nothingPriced says why the screen of a night has no price.
func nothingPriced(s pipeline.Summary, tonight reports.Tonight) string {
	read, held := 0, 0
	for _, o := range s.Outcomes {
		if o.Provider.ListsTokens() {
			continue
		}
		if read += o.Offers; o.Status == schema.StatusQuarantined {
			held += o.Offers
		}
	}
	switch {
	case read == 0:
		return "Nothing was read tonight."
	case read == held:
		return "All that was read tonight is held: see mtok status."
	case tonight.Offered > 0:
		return "No class with a measured throughput could be rented on demand tonight."
	}
	return "No class with a measured throughput was offered on demand tonight."
}

// cheapest writes the best price of each class under the workload it is of.
func (a *app) cheapest(w io.Writer, tonight reports.Tonight, watched int) {
	ref, model := tonight.Reference, tonight.Model
	if model == "" {
		model = ref.Model + " unless noted,"
	}
	fmt.Fprintf(w, "%s %s, %s in / %s out: cheapest rentable of %d watched, rent only, net of tax\n",
		model, ref.Precision, cmp.Or(ref.InputTokens.String(), "?"), cmp.Or(ref.OutputTokens.String(), "?"), watched)
	table := newColumns(w)
	for _, b := range tonight.Best {
		notes := slices.Clone(b.Caveats)
		month := groupThousands(b.RentPerMonth.Fixed(0)) + " $/mo"
		switch {
		case b.On.Shape == cost.ShapeLarger && b.On.Replicas == 1:
			notes = append(notes, fmt.Sprintf("must rent %d", b.On.NodeGPUs))
		case b.On.Shape == cost.ShapeLarger:
			notes = append(notes, fmt.Sprintf("%s $/h as 1 of %d replicas: rent %s $/h, %s",
				hourly(b), b.On.Replicas, b.Rent.Fixed(2), month))
			month = fmt.Sprintf("share of %dx", b.On.NodeGPUs)
		}
		cells := []string{
			"  " + string(b.Row.Class), fmt.Sprintf("%dx", b.Row.GPUs),
			strings.TrimSpace(string(b.Provider) + " " + string(b.Tier)), hourly(b) + " $/h",
			month, b.FlatOut.Fixed(3) + " $/MTok flat out",
		}
		for _, u := range b.Busy {
			cells = append(cells, u.PerMTok.Fixed(3)+" at "+u.Share)
		}
		table.row(append(cells, strings.Join(notes, "; "))...)
	}
	table.flush()
	fmt.Fprintln(w, "Throughput: "+tonight.Load())
}

// hourly is the price of the configuration, rounded for the screen.
func hourly(b reports.Best) string {
	usd, err := schema.RoundUSD(b.On.USDPerHour)
	if err != nil {
		return "?"
	}
	return usd.Fixed(2)
}

// groupThousands puts commas into a whole number.
func groupThousands(digits string) string {
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// shellQuote makes a path safe to copy into a shell.
func shellQuote(path string) string {
	plain := func(r rune) bool {
		return r == '/' || r == '.' || r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z'
	}
	if strings.IndexFunc(path, func(r rune) bool { return !plain(r) }) < 0 {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}
