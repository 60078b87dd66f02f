package schema

// ObservationFilter selects observations; empty fields select everything. A
// discarded or replaced night is never selected.
type ObservationFilter struct {
	FromDay     Day // inclusive
	ToDay       Day // inclusive; 0 for no end, so that 1970-01-01 can't be asked for alone
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
	ToDay    Day // inclusive; 0 for no end, as in ObservationFilter
	Provider ProviderID
}

// KnownOffer is an offer as it was last published, with its price of that day.
// Of what the night prints, Offer holds PriceText, Currency, Excluded and
// Attributes.Tier.
type KnownOffer struct {
	Offer         Offer
	Class         ClassID
	Day           Day
	USDPerGPUHour USD
}

// Rejected is a Reject with where it came from.
type Rejected struct {
	Reject
	Day      Day
	Provider ProviderID
	RunID    int64
	FetchID  int64
}
