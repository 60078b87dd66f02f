package main

import (
	"slices"

	"mtok/reports"
	"mtok/schema"
)

// reportRequest reads what flags and arguments narrow the reports to, and the load of
// report api.
func (a *app) reportRequest(o reportOptions, args []string, catalog *schema.Catalog) (filter reports.Filter, load []int64, err error) {
	if filter, err = a.reportFilter(o, catalog); err != nil {
		return filter, nil, err
	}
	if err := reportFlags(o, args); err != nil {
		return filter, nil, err
	}
	if o.given("load") {
		if load, err = hourlyLoad(o.load); err != nil {
			return filter, nil, err
		}
	}
	if filter.Month, err = monthArg(args); err != nil {
		return filter, nil, err
	}
	if err := classArgs(&filter, args, catalog); err != nil {
		return filter, nil, err
	}
	filter.Window, err = o.span.window(o.given, a.Now())
	return filter, load, err
}

// reportFlags refuses the flags that a named report can't follow: a figure beside a
// flag that was passed over would be taken for another one. Of all reports together
// each follows those that are for it.
func reportFlags(o reportOptions, args []string) error {
	if len(args) == 0 {
		return nil
	}
	name := args[0]
	if !slices.Contains([]string{"trend", "compare", "quality"}, name) {
		for _, flag := range []string{"days", "from", "to"} {
			if o.given(flag) && name == "month" {
				return usagef("--%s: report month is of one month: report month 2026-11", flag)
			} else if o.given(flag) {
				return usagef("--%s: report %s is of one night: --day names it; many days are in report trend, compare and quality", flag, name)
			}
		}
	}
	if o.given("load") && name != "api" {
		return usagef("--load is for report api, not for report %s", name)
	}
	if o.given("term") && o.term != "on-demand" && o.term != string(schema.TermOnDemand) {
		switch name {
		case "api":
			return usagef("--term %s: report api compares an API with what can be rented on demand, and with nothing else", o.term)
		case "fleet":
			return usagef("--term %s: report fleet sets the on-demand market beside your GPUs, and no other", o.term)
		}
	}
	if name == "month" {
		for _, flag := range []string{"day", "class", "provider", "term", "workload"} {
			if o.given(flag) {
				return usagef("--%s: report month is of all your GPUs in one month, and narrowed by nothing", flag)
			}
		}
	}
	return nil
}
