package pipeline

import (
	"errors"
	"slices"

	"mtok/pipeline/validate"
	"mtok/schema"
	"mtok/scrapers"
)

// entry is one line of the ledger.
func (pn *providerNight) entry(day schema.Day, status schema.RunStatus, err error) schema.ProviderRun {
	entry := schema.ProviderRun{
		RunID: pn.run.ID, Provider: pn.provider.ID, Day: day, Status: status, EndedAt: pn.night.Now(),
	}
	if err != nil {
		entry.ErrorKind, entry.Detail = errorKind(err), err.Error()
	}
	return entry
}

// errorKind is the short stable name of a failure, for the ledger and metrics.
func errorKind(err error) string {
	var fetch *scrapers.FetchError
	var hold *validate.Hold
	var incomplete *incompleteError
	var unread *unreadError
	var older *olderDayError
	switch {
	case errors.As(err, &fetch):
		return string(fetch.Kind)
	case errors.As(err, &hold):
		return hold.Rule
	case errors.Is(err, scrapers.ErrLayout):
		return "layout"
	case errors.As(err, &older):
		return "older_day"
	case errors.As(err, &unread):
		return "unread"
	case errors.As(err, &incomplete):
		return "incomplete"
	default:
		return kindOther
	}
}

// kindOther is the kind of a failure that has no name of its own, such as one of
// the store.
const kindOther = "error"

// outcome is the provider's line of the summary, its days taken together: the
// worst status of them, and all that was found.
func (pn *providerNight) outcome(nights []schema.ProviderNight) Outcome {
	out := Outcome{
		ProviderRun: nights[0].Result, Name: pn.provider.Name, StockNote: pn.provider.StockNote,
		LookAlikes: pn.lookAlikes, Rules: map[string]int{},
	}
	out.Offers, out.Rejects = 0, 0
	var faults []error
	for _, night := range nights {
		if worse(night.Result.Status, out.Status) {
			out.ProviderRun.Status, out.ErrorKind, out.Detail = night.Result.Status, night.Result.ErrorKind, night.Result.Detail
		}
		if night.Result.Detail != "" {
			faults = append(faults, errors.New(night.Result.Detail))
		}
		out.Offers += night.Result.Offers
		out.Rejects += night.Result.Rejects
		out.Notices = append(out.Notices, night.Notices...)
		out.count(night)
	}
	slices.SortFunc(out.Nodes, func(a, b Node) int { return b.GPUCount - a.GPUCount })
	out.Nodes = slices.Compact(out.Nodes)
	out.Err = errors.Join(faults...)
	return out
}

// count adds what the summary says of a night's rows.
func (o *Outcome) count(night schema.ProviderNight) {
	for _, r := range night.Rejects {
		for _, reject := range r.Rejects {
			o.Rules[reject.Rule]++
		}
	}
	machines := map[string]bool{}
	for _, seen := range night.Observations {
		switch {
		case seen.Offer.Term == schema.TermBidFloor:
			o.Floors++
		case seen.Offer.GroupKey != "":
			machines[seen.Offer.GroupKey] = true
		case !seen.Offer.PerGPU:
			o.Nodes = append(o.Nodes, Node{Class: seen.Class, GPUCount: seen.Offer.GPUCount})
		}
	}
	o.Machines += len(machines)
}

// worse orders statuses by how much is wrong.
func worse(a, b schema.RunStatus) bool {
	order := []schema.RunStatus{schema.StatusComplete, schema.StatusPartial, schema.StatusQuarantined, schema.StatusFailed}
	return slices.Index(order, a) > slices.Index(order, b)
}
