package schema

// AnyGPUCount in a daily price stands for all node sizes together.
const AnyGPUCount = 0

// DailyPrice is the price of one GPU-hour on one day, per class, provider, tier,
// term and node size. All amounts are USD per GPU-hour.
type DailyPrice struct {
	Day        Day
	Class      ClassID
	Provider   ProviderID
	Tier       Tier
	Term       Term
	Commitment Commitment
	GPUCount   int // AnyGPUCount for all
	Origin     Origin
	N          int // groups: machines at a marketplace, offers elsewhere
	GPUs       int // GPUs listed, counting each machine once
	Min        USD
	P10        USD // nearest rank
	Median     USD // mean of the middle two when N is even
	Max        USD
	MinOfferID int64
	AsOf       int64 // unix seconds of the newest fetch that went in
}

// DailyMarket is a class across providers on one day, eligible prices only.
type DailyMarket struct {
	Day              Day
	Class            ClassID
	Term             Term
	Origin           Origin
	Cheapest         USD // minimum of the providers' minima
	CheapestProvider ProviderID
	CheapestTier     Tier
	Median           USD // median of the providers' medians
	Providers        int
}

// The statistics of a DailyTokenCost.
const (
	StatCheapest = "cheapest"
	StatMedian   = "median"
)

// DailyTokenCost is what a million output tokens cost on one class on one day.
type DailyTokenCost struct {
	Day       Day
	Class     ClassID
	Term      Term
	Workload  string // its name
	Statistic string
	Inputs    string // hash of the CostInputs that the figure was made with
	Origin    Origin
	Provider  ProviderID // of the cheapest; empty for the median
	Tier      Tier
	GPUs      int // of the configuration
	Replicas  int // configurations on the rented node
	USDPerHour,
	Raw,
	Utilized,
	AllIn USD
}

// CostInputs are the settings and the benchmark row behind token costs: a change
// makes a new version, so that it is never taken for a price move.
type CostInputs struct {
	Hash string // SHA-256 of Body, lower-case hex
	Body string // canonical text
}

// Daily is everything that is recomputed for one day.
type Daily struct {
	Day        Day
	Prices     []DailyPrice
	Markets    []DailyMarket
	TokenCosts []DailyTokenCost
	Inputs     []CostInputs
}
