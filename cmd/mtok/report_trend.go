package main

import (
	"time"

	"github.com/spf13/cobra"

	"mtok/reports"
	"mtok/schema"
)

// windowOptions are the flags of reports over many days.
type windowOptions struct {
	days     int
	from, to string
}

func (w *windowOptions) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.IntVar(&w.days, "days", reports.DefaultWindow, "reports over many days: the last `N` days")
	f.StringVar(&w.from, "from", "", "reports over many days: from `YYYY-MM-DD` on, in place of --days")
	f.StringVar(&w.to, "to", "", "reports over many days: up to `YYYY-MM-DD`")
}

// maxWindow is more days than there were GPU clouds.
const maxWindow = 20_000

// window reads the flags; a window that ends before it begins is a usage error.
func (w windowOptions) window(given func(string) bool, now time.Time) (reports.Window, error) {
	var out reports.Window
	var err error
	if given("days") {
		if w.days < 1 || w.days > maxWindow {
			return out, usagef("--days must be 1 to %d, is %d", maxWindow, w.days)
		}
		if given("from") {
			return out, usagef("--days and --from exclude each other")
		}
		out.Days = w.days
	}
	if given("from") {
		out.FromNamed = true
		if out.From, err = schema.ParseDay(w.from); err != nil {
			return out, usagef("--from: %w", err)
		}
	}
	if given("to") {
		out.ToNamed = true
		if out.To, err = schema.ParseDay(w.to); err != nil {
			return out, usagef("--to: %w", err)
		}
	}
	if today := schema.DayOf(now); out.FromNamed && out.From > today {
		return out, usagef("--from %s is yet to come: today is %s UTC", out.From, today)
	}
	if out.FromNamed && out.ToNamed && out.From > out.To {
		return out, usagef("--from %s is after --to %s", out.From, out.To)
	}
	return out, nil
}

// classReports are the reports that take GPU classes behind their name, and how
// many.
func classReports() map[string]int { return map[string]int{"trend": 1, "compare": 2} }

// classArgs reads the GPU classes that stand behind the name of a report.
func classArgs(filter *reports.Filter, args []string, catalog *schema.Catalog) error {
	if len(args) == 0 {
		return nil
	}
	most := classReports()[args[0]]
	switch classes := args[1:]; {
	case most == 0 || len(classes) == 0:
		return nil
	case len(classes) > most:
		return usagef("report %s takes %s, not %d", args[0], map[int]string{1: "one GPU class", 2: "two GPU classes"}[most], len(classes))
	case args[0] == "compare" && len(classes) == 1:
		return usagef("report compare takes two GPU classes, or none for the pairs of the workload")
	case filter.Class != "":
		return usagef("--class and a class behind the name exclude each other")
	}
	var err error
	if filter.Class, err = classArg(args[1], catalog); err != nil {
		return err
	}
	if len(args) > 2 {
		if filter.Other, err = classArg(args[2], catalog); err != nil {
			return err
		}
		if filter.Other == filter.Class {
			return usagef("report compare takes two different GPU classes")
		}
	}
	return nil
}
