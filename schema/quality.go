package schema

// RejectCount is how many rows of a provider's pages a rule refused.
type RejectCount struct {
	Provider ProviderID
	Rule     string
	N        int
	Last     Day    // the newest day that has one
	Reason   string // of one of them
}

// ParseCount is how many pages of a provider a parser version read.
type ParseCount struct {
	Provider    ProviderID
	Version     int
	N           int
	First, Last Day
	Errors      int // pages that it could not read
}
