package reports

import (
	"cmp"
	"fmt"
	"slices"

	"mtok/schema"
)

// outages say what a table can't show: that a later night than the one shown was
// not published, and for each provider whose newest night is not complete, why.
func (n Night) outages(f Filter, maxAge int) []string {
	var out []string
	if line := n.notShown(f); line != "" {
		out = append(out, line)
	}
	latest := slices.SortedFunc(slices.Values(n.Latest), func(a, b schema.ProviderRun) int {
		return cmp.Compare(a.Provider, b.Provider)
	})
	for _, r := range latest {
		// Of a provider that was switched off long ago nobody asks any more.
		long := !n.Empty && r.Day < n.AsOf-schema.Day(maxAge)
		if line := n.outage(r); line != "" && !long && (f.Provider == "" || f.Provider == r.Provider) {
			out = append(out, line)
		}
	}
	return out
}

// notShown says why the report is of an earlier night than the newest, or than
// the one asked for; empty where it is not.
func (n Night) notShown(f Filter) string {
	newest := n.AsOf
	for _, r := range n.Latest {
		newest = max(newest, r.Day)
	}
	if n.Empty {
		return ""
	}
	if newest == n.AsOf {
		if f.DayNamed && f.Day > n.AsOf {
			return fmt.Sprintf("There is no night of %s; showing %s.", f.Day, n.AsOf)
		}
		return ""
	}
	what := "failed"
	for _, r := range n.Latest {
		switch {
		case r.Day != newest || r.Status == schema.StatusFailed || r.Status == schema.StatusAbandoned:
		case gavePrices(r):
			return fmt.Sprintf("The night of %s is not published yet; showing %s.", newest, n.AsOf)
		case r.Status == schema.StatusQuarantined:
			what = "was not published"
		case what == "failed":
			what = "gave no price"
		}
	}
	return fmt.Sprintf("The night of %s %s; showing %s.", newest, what, n.AsOf)
}

// outage is what went wrong with a provider's part; empty for nothing.
func (n Night) outage(r schema.ProviderRun) string {
	what := string(r.Status)
	switch r.Status {
	case schema.StatusComplete, schema.StatusRunning:
		return ""
	case schema.StatusPartial:
		what = "read in part"
	case schema.StatusQuarantined:
		return n.held(r)
	}
	line := fmt.Sprintf("%s: %s on %s", r.Provider, what, r.Day)
	if r.ErrorKind != "" {
		line += " (" + r.ErrorKind + ")"
	}
	return withDetail(line, r.Detail)
}

// held is the line of a night that a quarantine held. Its part stays marked once
// somebody decided: confirmed, its prices are there; discarded, they are not.
func (n Night) held(r schema.ProviderRun) string {
	for _, q := range n.Held {
		if q.Provider == r.Provider && q.Day == r.Day {
			return withDetail(fmt.Sprintf("%s: held on %s", r.Provider, r.Day), q.Evidence)
		}
	}
	if slices.ContainsFunc(n.Observations, func(o schema.Observation) bool {
		return o.Offer.Provider == r.Provider && o.Day == r.Day && o.Quarantine == 0
	}) {
		return ""
	}
	return withDetail(fmt.Sprintf("%s: discarded on %s", r.Provider, r.Day), r.Detail)
}

// withDetail adds the beginning of a text.
func withDetail(line, detail string) string {
	if first := Brief(detail); first != "" {
		return line + ": " + first
	}
	return line
}
