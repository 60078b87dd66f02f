package pipeline

import (
	"errors"
	"slices"

	"mtok/pipeline/validate"
	"mtok/schema"
	"mtok/scrapers"
)

// result judges the whole of what a provider gave tonight.
func (pn *providerNight) result() schema.ProviderNight {
	kept, doubles := validate.Duplicates(pn.seen)
	pn.seen = kept
	for _, d := range doubles {
		pn.reject(d.FetchID, d.Reject)
	}
	status, err := schema.StatusComplete, errors.Join(pn.failures...)
	switch {
	case err != nil && pn.answered == 0:
		status = schema.StatusFailed
	case err != nil:
		status = schema.StatusPartial
	}
	night := schema.ProviderNight{
		Run: pn.run, Parses: pn.parses, Rejects: pn.rejects, Notices: pn.notices, Observations: pn.seen,
	}
	if expect, bind := pn.expect(status); bind {
		if breach := validate.Canaries(expect, pn.seen); breach != nil {
			status, err = schema.StatusQuarantined, breach
			night.Quarantine = &schema.Quarantine{
				RunID: pn.run.ID, Provider: pn.provider.ID, Day: pn.run.Day, Rule: breach.Rule,
				Evidence: breach.Error(), State: schema.QuarantineHeld, CreatedAt: pn.night.Now(),
			}
		}
	}
	night.Result = pn.ledgerEntry(status, err)
	night.Result.Offers, night.Result.Rejects = len(pn.seen), pn.rejectCount()
	return night
}

// expect are the canaries that bind tonight: all of them on a complete night,
// the classes alone where every request answered but something was missing. A
// provider that says it publishes no price is held to none.
func (pn *providerNight) expect(status schema.RunStatus) (scrapers.Expect, bool) {
	expect := pn.provider.Expect
	switch {
	case len(pn.notices) > 0:
		return expect, false
	case status == schema.StatusComplete:
		return expect, true
	case status == schema.StatusPartial && pn.answered == pn.asked:
		expect.MinOffers = 0
		return expect, true
	}
	return expect, false
}

// reject adds to the rejects of a fetch.
func (pn *providerNight) reject(fetch int64, rejects ...schema.Reject) {
	for i := range pn.rejects {
		if pn.rejects[i].FetchID == fetch {
			pn.rejects[i].Rejects = append(pn.rejects[i].Rejects, rejects...)
			return
		}
	}
	if len(rejects) > 0 {
		pn.rejects = append(pn.rejects, schema.FetchRejects{FetchID: fetch, Rejects: rejects})
	}
}

func (pn *providerNight) rejectCount() int {
	count := 0
	for _, r := range pn.rejects {
		count += len(r.Rejects)
	}
	return count
}

func (pn *providerNight) ledgerEntry(status schema.RunStatus, err error) schema.ProviderRun {
	entry := schema.ProviderRun{
		RunID: pn.run.ID, Provider: pn.provider.ID, Day: pn.run.Day, Status: status, EndedAt: pn.night.Now(),
	}
	if err != nil {
		entry.ErrorKind, entry.Detail = errorKind(err), err.Error()
	}
	return entry
}

// errorKind is the short stable name of a failure, for the ledger and metrics.
func errorKind(err error) string {
	var fetch *scrapers.FetchError
	var breach *validate.Breach
	var incomplete *incompleteError
	switch {
	case errors.As(err, &fetch):
		return string(fetch.Kind)
	case errors.As(err, &breach):
		return breach.Rule
	case errors.Is(err, scrapers.ErrLayout):
		return "layout"
	case errors.As(err, &incomplete):
		return "incomplete"
	default:
		return "error"
	}
}

// outcome is the provider's line of the summary.
func (pn *providerNight) outcome(night schema.ProviderNight) Outcome {
	out := Outcome{
		ProviderRun: night.Result, Name: pn.provider.Name, StockNote: pn.provider.StockNote,
		LookAlikes: pn.lookAlikes, Notices: night.Notices,
	}
	for _, r := range night.Rejects {
		for _, reject := range r.Rejects {
			if reject.Rule == validate.RuleUnpriced {
				out.Unpriced++
			}
		}
	}
	for _, o := range night.Observations {
		if !o.Offer.PerGPU {
			out.Nodes = append(out.Nodes, Node{Class: o.Class, GPUCount: o.Offer.GPUCount})
		}
	}
	slices.SortFunc(out.Nodes, func(a, b Node) int { return b.GPUCount - a.GPUCount })
	out.Nodes = slices.Compact(out.Nodes)
	out.Err = errors.Join(pn.failures...)
	if night.Quarantine != nil {
		out.Err = &validate.Breach{Rule: night.Quarantine.Rule, Detail: night.Quarantine.Evidence}
	}
	return out
}
