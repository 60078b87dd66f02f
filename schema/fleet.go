package schema

// Fleet is GPUs that the user rents or owns, as the configuration of a day has
// them: a contract, and what is served on it.
type Fleet struct {
	Day           Day // of the configuration that it stood in
	Name          string
	Class         ClassID
	GPUs          int
	USDPerGPUHour USD
	// FixedFrom and FixedTo are the first and the last day of the contract, 0 where
	// it is open. NoticeDays before its end it must be renewed or ended.
	FixedFrom, FixedTo Day
	NoticeDays         int
	Model              string // any name of the catalog's models, empty where not said
	// OutputTokensPerMonth is what came out of it in a month, 0 where unknown: it
	// is never guessed.
	OutputTokensPerMonth int64
	// HoursOn are the hours a day that are paid for, 24 around the clock.
	HoursOn Decimal
}

// Quote is an offer that somebody made the user: typed by hand, with its date and
// where it is written down. It is in no statistic of the market.
type Quote struct {
	Day                Day // of the configuration that it stood in
	Name               string
	Provider           string // as the user calls it
	Class              ClassID
	GPUCount           int
	Term               Term
	Commitment         Commitment
	USDPerGPUHour      USD
	USDPerInstanceHour USD
	QuotedOn           Day
	Source             string
}

// Contracts are the fleets and quotes of one day.
type Contracts struct {
	Fleets []Fleet
	Quotes []Quote
}
