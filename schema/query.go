package schema

// ObservationFilter selects observations; empty fields select everything. A
// discarded or replaced night is never selected.
type ObservationFilter struct {
	FromDay     Day // inclusive
	ToDay       Day // inclusive; 0 for no end
	Provider    ProviderID
	Class       ClassID
	Term        Term
	Origin      Origin
	IncludeHeld bool // also nights that a quarantine holds
}

// FetchFilter selects fetches and what hangs on them; empty fields select
// everything.
type FetchFilter struct {
	RunID    int64
	FromDay  Day // inclusive
	ToDay    Day // inclusive; 0 for no end
	Provider ProviderID
}

// Rejected is a Reject with where it came from.
type Rejected struct {
	Reject
	Day      Day
	Provider ProviderID
	RunID    int64
	FetchID  int64
}
