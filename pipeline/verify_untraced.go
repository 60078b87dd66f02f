package pipeline

import (
	"slices"

	"mtok/pipeline/history"
	"mtok/schema"
)

// putBack reports whether a fetch came by our own export: by its own name, or, of
// what the other database had imported itself, by the run that put it back.
func (i *importedFiles) putBack(fetch int64) bool {
	f, imported := i.files[fetch]
	return imported && (f.format == history.OwnName || i.own[f.fetch.RunID])
}

// untraced reports whether a price came by our own export and its page is not here.
// A page that a night or an import of this database lost is a fault.
func (v *Verify) untraced(fetch int64, page string) bool {
	return v.imports.putBack(fetch) && (page == "" || v.NotHeld[page])
}

// traced are the prices of a provider's day that can be held to pages; the others
// are passed on. Sources of a day are judged together: where one page of those that
// were put back is not here, none of them proves a price.
func (v *Verify) traced(a *archivedDay, out *DayEvidence) []schema.Observation {
	partly := slices.ContainsFunc(a.fetches, func(f schema.Fetch) bool { return v.untraced(f.ID, f.PageSHA256) })
	var seen []schema.Observation
	for _, o := range a.seen {
		switch {
		case !v.untraced(o.FetchID, o.PageSHA256) && !(partly && v.imports.putBack(o.FetchID)):
			seen = append(seen, o)
		case o.Quarantine == 0: // held ones are in no figure
			out.pass(o)
		}
	}
	return seen
}

// pass takes a price into the day as it is stored.
func (e *DayEvidence) pass(o schema.Observation) {
	e.Untraced++
	e.Observations = append(e.Observations, o)
}
