package main

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mtok/reports"
	"mtok/reports/alert"
	"mtok/reports/render"
	"mtok/schema"
)

// replayOptions are the flags of alerts replay.
type replayOptions struct {
	observations, from, to, format string
}

func (a *app) alertsReplayCommand() *cobra.Command {
	var o replayOptions
	cmd := &cobra.Command{
		Use: "replay --observations FILE.csv", Short: "what the rules would have told of the prices in a file",
		Long: `Replays the price and market rules over a file of observations, night by night,
by the code that judges a night. Nothing is stored and nobody is told.

The file has the columns date, provider, gpu_class, form, tier, gpu_count,
usd_per_gpu_hr, stat, source and provenance (primary, aggregator or static);
others are not read. tier is on_demand, spot, reserved, bid_floor, interruptible or
marketplace, or a tier of the provider such as secure or community; where it is
empty, on_demand. stat is list, offer, last_of_day or median(n=N): any other is a
statistic, by which nothing is told, nor is it by a static source.

A price must have been read on two nights before it can move, and a move of one
source must stand for two. How many rows were judged, and why others were not, is
said on stderr. --from and --to choose which days are printed: the nights
before them are read all the same.`,
		RunE: func(*cobra.Command, []string) error { return a.replayAlerts(o) },
	}
	f := cmd.Flags()
	f.StringVar(&o.observations, "observations", "", "CSV `FILE` of observations")
	f.StringVar(&o.from, "from", "", "the first day that is printed, `YYYY-MM-DD`")
	f.StringVar(&o.to, "to", "", "the last day that is printed, `YYYY-MM-DD`")
	a.formatFlag(cmd, &o.format)
	return cmd
}

func (a *app) replayAlerts(o replayOptions) error {
	if o.observations == "" {
		return usagef("--observations is required (see: mtok alerts replay --help)")
	}
	from, to, err := o.days()
	if err != nil {
		return err
	}
	catalog, err := a.config.catalog()
	if err != nil {
		return err
	}
	in, err := readObservations(o.observations, catalog)
	if err != nil {
		return err
	}
	a.tellPassed(in)
	doc := reports.Document{
		Name: "alerts-replay", Title: "mtok alerts replay", Columns: replayColumns(), Empty: len(in.Readings) == 0,
	}
	for _, r := range in.Readings {
		doc.AsOf = max(doc.AsOf, r.Day)
	}
	var rows []replayed
	rules, err := a.alertRules(catalog)
	if err != nil {
		return err
	}
	for _, r := range rules {
		for _, e := range r.Events(in) {
			if e.Day >= from && e.Day <= to {
				rows = append(rows, replayed{e, r.Name})
			}
		}
	}
	slices.SortStableFunc(rows, func(x, y replayed) int { return cmp.Compare(x.Day, y.Day) })
	for _, r := range rows {
		doc.Rows = append(doc.Rows, r.row())
	}
	if len(rows) == 0 {
		doc.After = []string{"Nothing would have been told."}
	}
	return a.write(doc, o.format)
}

// tellPassed says on stderr how many rows the rules judge, and why not the others.
func (a *app) tellPassed(in alert.Input) {
	passed := alert.PassedOver(in)
	judged := len(in.Readings)
	for _, p := range passed {
		judged -= p.Readings
	}
	fmt.Fprintf(a.stderr, "%s judged of %s\n", marked(judged), counted(len(in.Readings), "row"))
	for _, p := range passed {
		fmt.Fprintf(a.stderr, "  %s not judged: %s\n", counted(p.Readings, "row"), render.Clean(p.Why))
	}
	own := alert.OwnTiers(in.Readings)
	for _, tier := range slices.Sorted(maps.Keys(own)) {
		fmt.Fprintf(a.stderr, "  %s of tier %q, which no known provider has: taken as a tier of its own, on demand\n", counted(own[tier], "row"), tier)
	}
}

// days are the first and the last day that is printed.
func (o replayOptions) days() (from, to schema.Day, err error) {
	from, to = math.MinInt64, math.MaxInt64
	for _, v := range []struct {
		flag, text string
		to         *schema.Day
	}{{"--from", o.from, &from}, {"--to", o.to, &to}} {
		if v.text == "" {
			continue
		}
		if *v.to, err = schema.ParseDay(v.text); err != nil {
			return 0, 0, usagef("%s: %w", v.flag, err)
		}
	}
	if from > to {
		return 0, 0, usagef("--from %s lies after --to %s", from, to)
	}
	return from, to, nil
}

// readObservations reads a file as input of the alert rules.
func readObservations(path string, catalog *schema.Catalog) (alert.Input, error) {
	history := alert.History{Markets: marketplaces()}
	in := alert.Input{Bands: map[schema.ClassID]schema.Band{}}
	for _, id := range providerIDs() {
		history.Providers = append(history.Providers, schema.ProviderID(id))
	}
	for _, g := range catalog.GPUs {
		history.Classes = append(history.Classes, g.ID)
		in.Bands[g.ID] = g.Band
	}
	file, err := os.Open(path)
	if err != nil {
		return in, usagef("--observations: %w", err)
	}
	defer file.Close()
	in.Readings, err = history.Read(file)
	if errors.Is(err, alert.ErrHistory) {
		return in, usagef("--observations %s: %w", path, err)
	}
	if err != nil {
		return in, fmt.Errorf("read %s: %w", path, err)
	}
	return in, nil
}

// replayed is an event with the rule that told it.
type replayed struct {
	alert.Event
	rule string
}

func replayColumns() []reports.Column {
	text := func(key, header string) reports.Column {
		return reports.Column{Key: key, Header: header, View: reports.Everywhere}
	}
	figure := func(key, header string, decimals int) reports.Column {
		return reports.Column{Key: key, Header: header, View: reports.Everywhere, Align: reports.AlignRight, Decimals: decimals}
	}
	return []reports.Column{
		text("day", "day"), text("provider", "provider"), text("gpu_class", "class"), figure("gpus", "gpus", 0),
		text("tier", "tier"), text("term", "term"), figure("from", "from $/GPU-h", 3), figure("to", "to $/GPU-h", 3),
		figure("percent", "%", 1), text("rule", "rule"), text("since", "since"), text("sources", "sources"),
	}
}

func (r replayed) row() reports.Row {
	gpus := reports.Null()
	if r.GPUs > 0 {
		gpus = reports.Int(r.GPUs)
	}
	return reports.Row{
		reports.DayCell(r.Day), reports.Text(string(r.Provider)), reports.Text(string(r.Class)), gpus, reports.Text(string(r.Tier)),
		reports.Text(string(r.Term)), reports.Money(r.From), reports.Money(r.To),
		{Kind: reports.KindNumber, Text: r.Percent()}, reports.Text(r.rule), reports.DayCell(r.Since),
		reports.Text(strings.Join(r.Sources, ", ")),
	}
}
