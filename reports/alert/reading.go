package alert

import (
	"cmp"
	"slices"
	"strings"

	"mtok/schema"
)

// Provenance says how near to the provider a reading was taken, and so what it
// may raise.
type Provenance string

// The provenances. What a price of each may raise is said by mayRaise.
const (
	Primary      Provenance = "primary"       // read from the provider itself
	Aggregator   Provenance = "aggregator"    // read from somebody who reads providers
	Static       Provenance = "static"        // a table kept by hand
	ReportMedian Provenance = "report_median" // a published median of several prices
	Minimum      Provenance = "minimum"       // a published minimum of several prices
)

// Reading is one price of one offer on one day, by one source.
type Reading struct {
	Day      schema.Day
	Provider schema.ProviderID
	// Class is empty where the name leaves the form open and the chip is sold in
	// several forms; Name then holds what is known: "h100", "a100-80gb".
	Class      schema.ClassID
	Name       string
	GPUs       int    // 0 where the source does not say
	SKU        string // the source's own key of the offer, empty where it has none
	Keyed      bool   // it names offers by keys of its own, whether or not SKU is said
	Region     string // as printed, empty where one price holds everywhere
	Tier       schema.Tier
	Term       schema.Term
	Commitment schema.Commitment
	Price      schema.USD // per GPU-hour
	Provenance Provenance
	Source     string
	// Market marks an ask of a marketplace: such prices are no list.
	Market bool
	// Machine tells asks of a marketplace apart; where it is empty, each price of
	// a count is one.
	Machine string
	// Carried marks a reading of an earlier day that is shown again, Held one of a
	// quarantined night. Neither is a value, nor is one that is Excluded.
	Carried  bool
	Held     bool
	Excluded string
}

// Night is what a provider's night was worth.
type Night struct {
	Day      schema.Day
	Provider schema.ProviderID
	State    NightState
}

// NightState is the state of a Night. A provider whose night is not complete
// raises nothing that night.
type NightState string

// The states.
const (
	NightComplete    NightState = "complete"
	NightPartial     NightState = "partial"
	NightQuarantined NightState = "quarantined"
)

// Confirmed is a person's word for what a provider listed from a day on
// (mtok quarantine confirm), or for one move that began on it (mtok alerts confirm):
// it counts as the second source.
type Confirmed struct {
	Provider schema.ProviderID
	Day      schema.Day
	Move     string // the ID of a Held, empty for all that was listed
}

// offer is the identity of a price from night to night, as one source names it.
type offer struct {
	provider   schema.ProviderID
	class      schema.ClassID
	name       string // only without a class
	gpus       int
	sku        string
	region     string
	tier       schema.Tier
	term       schema.Term
	commitment schema.Commitment
	source     string
	provenance Provenance
	keyed      bool
}

func (r Reading) offer() offer {
	o := offer{
		provider: r.Provider, class: r.Class, gpus: r.GPUs, sku: r.SKU, region: r.Region, tier: r.Tier, term: r.Term,
		commitment: r.Commitment, source: r.Source, provenance: r.Provenance, keyed: r.Keyed || r.SKU != "",
	}
	if r.Class == "" {
		o.name = r.Name
	}
	return o
}

// chip is the first word of a class or a name: "h100".
func (o offer) chip() string { return chipOf(cmp.Or(string(o.class), o.name)) }

func chipOf(name string) string {
	chip, _, _ := strings.Cut(name, "-")
	return chip
}

// compare orders offers by all that they are, so that the order of the input
// never shows.
func (o offer) compare(p offer) int {
	return cmp.Or(
		cmp.Compare(o.provider, p.provider), cmp.Compare(o.class, p.class), cmp.Compare(o.name, p.name),
		cmp.Compare(o.term, p.term), cmp.Compare(o.commitment.MinDays, p.commitment.MinDays),
		cmp.Compare(o.commitment.MaxDays, p.commitment.MaxDays), cmp.Compare(o.tier, p.tier),
		cmp.Compare(o.gpus, p.gpus), cmp.Compare(o.sku, p.sku), cmp.Compare(o.region, p.region), cmp.Compare(o.source, p.source), cmp.Compare(o.provenance, p.provenance),
	)
}

// alike reports whether two sources may speak of the same thing: the provider,
// the term, a tier and a GPU that do not contradict. A source that names no tier
// or no form may mean any.
func (o offer) alike(p offer) bool {
	return o.provider == p.provider && o.term == p.term && o.commitment == p.commitment &&
		sameTier(o.tier, p.tier) && sameGPU(o, p)
}

func sameTier(a, b schema.Tier) bool { return a == b || a == "" || b == "" }

func sameGPU(o, p offer) bool {
	switch {
	case o.class != "" && p.class != "":
		return o.class == p.class
	case o.class != "":
		return named(p.name, o.class)
	case p.class != "":
		return named(o.name, p.class)
	}
	return o.name == p.name
}

// named reports whether a name without a form may stand for a class: the same
// chip, and no word that the class lacks.
func named(name string, class schema.ClassID) bool {
	words := strings.Split(string(class), "-")
	said := strings.Split(name, "-")
	if said[0] != words[0] {
		return false
	}
	return !slices.ContainsFunc(said, func(w string) bool { return !slices.Contains(words, w) })
}

// mayRaise reports whether a price may raise an alert by itself: only of a known
// class, anything where the provider itself was read, and a rise alone where
// somebody else read it. Hand-kept tables, medians and minima raise nothing.
func (o offer) mayRaise(rise bool) bool {
	return o.class != "" && (o.provenance == Primary || o.provenance == Aggregator && rise)
}

// speaks reports whether a source may confirm or contradict at all.
func (p Provenance) speaks() bool { return p == Primary || p == Aggregator }
