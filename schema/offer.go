package schema

// ProviderID names a provider in keys, files and reports: "lambda".
type ProviderID string

// ClassID is the slug of a GPU class ("h100-sxm-80gb"), or UnmatchedPrefix and
// the raw name where the catalog knows no class.
type ClassID string

// Term is what kind of promise a price is for.
type Term string

// The terms of design: a bid floor is a minimum bid, not a price that one gets.
const (
	TermOnDemand Term = "on_demand"
	TermSpot     Term = "spot"
	TermBidFloor Term = "bid_floor"
	TermReserved Term = "reserved"
)

// Tier separates what a provider sells at different prices under one GPU name:
// "secure", "community", "cluster", "verified". Empty where there is only one.
type Tier string

// The tiers that are part of an offer's identity.
const (
	TierCluster   Tier = "cluster"   // Lambda's 1-Click Cluster: reserved capacity, minimum GPUs
	TierSecure    Tier = "secure"    // RunPod's own and partner datacenters
	TierCommunity Tier = "community" // RunPod's community hosts
)

// The tiers of a machine at Vast.ai, which belong to the night: see
// Attributes.Tier.
const (
	TierVerified   Tier = "verified"
	TierUnverified Tier = "unverified"
	TierDeverified Tier = "deverified" // was verified and lost it
)

// Basis says what a listed price covers.
type Basis string

// Only an instance price (GPU with its CPU, memory and local disk) is
// comparable; a component price is kept out of every figure.
const (
	BasisInstance     Basis = "instance"
	BasisGPUComponent Basis = "gpu_component"
)

// Unit is the unit in which a price is listed.
type Unit string

// The units that providers list.
const (
	UnitGPUHour      Unit = "gpu_hour"
	UnitInstanceHour Unit = "instance_hour"
)

// Stock says whether an offer can be rented now, as far as the provider
// publishes it. The zero value is unknown, which never means available.
type Stock int8

// The states of Stock.
const (
	StockUnknown Stock = iota
	StockAvailable
	StockSoldOut
)

// Commitment is the length of a reserved term in days; zero for none.
type Commitment struct {
	MinDays int
	MaxDays int
}

// OfferKey is the identity of an offer from night to night. It holds neither
// the GPU class, which a catalog change may move, nor the source, since a page
// and an API of one provider list the same offers.
type OfferKey struct {
	Provider   ProviderID
	SKU        string // the provider's own stable key, see each provider file
	GPUCount   int
	Region     string // as printed, "" where one price holds for all regions
	Term       Term
	Commitment Commitment
	Tier       Tier
}

// Offer is one listing as printed by its source.
type Offer struct {
	OfferKey
	GPURaw  string // the GPU name as printed
	FormRaw string // the form factor as printed, where it stands apart from the name
	VRAMMiB int64  // memory of one GPU, 0 where not printed
	Basis   Basis
	Unit    Unit
	// GroupKey is the machine at a marketplace, where slices of one machine are
	// listed several times; empty elsewhere.
	GroupKey string
	// PerGPU marks a listing per GPU that names no node size: any count up to
	// MaxGPUs can be rented at it, MaxGPUs 0 meaning that the limit is not
	// published. Otherwise the offer is for exactly GPUCount GPUs.
	PerGPU    bool
	MaxGPUs   int
	PriceText string // the price cell as printed
	Currency  string // ISO 4217
	Amount    Decimal
	// Stock is what is said of this offer as a whole; StockPoints say more,
	// where it is published by GPU count or by region. See StockFor.
	Stock       Stock
	StockPoints StockPoints
	Attributes  Attributes
	// Note is what a reader must know of the listing, such as that its price
	// was never compared with an invoice; empty for most.
	Note string
	// Excluded is the reason why the price is kept but never counts, such as a
	// machine that does not work; empty for most.
	Excluded string
}

// Attributes are what eligibility is judged by. They belong to the observation,
// so that the past can be judged again under other rules; nil is not published.
type Attributes struct {
	MaxDays        *int64 // days that the machine is still offered for
	NVLink         *bool
	Datacenter     *bool
	ReliabilityPPM *int64 // millionths, rounded down
	StorageGB      *int64 // disk that the price includes, where the request chose it
	// Tier is the tier of the night where it is no part of the offer's identity,
	// as at Vast; empty elsewhere.
	Tier Tier
}
