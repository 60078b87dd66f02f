package schema

// GPUClass is one row of gpus.toml: a chip in one form factor with one memory
// size. Prices of different classes are never mixed.
type GPUClass struct {
	ID           ClassID `toml:"class"`
	Vendor       string  `toml:"vendor"`
	Architecture string  `toml:"architecture"`
	FormFactor   string  `toml:"form_factor"`
	NVLink       string  `toml:"nvlink"`
	MemoryGB     Decimal `toml:"memory_gb"` // usable memory of one GPU, read as GiB in every bound
	// PrintedGB are the memory sizes that sellers print for this very part.
	PrintedGB         []int   `toml:"printed_gb"`
	MemoryReportedMiB int64   `toml:"memory_reported_mib"`
	BandwidthGBs      Decimal `toml:"memory_bandwidth_gb_s"` // 1e9 bytes/s; not set where unknown
	BF16TFLOPS        Decimal `toml:"bf16_dense_tflops"`
	FP8TFLOPS         Decimal `toml:"fp8_dense_tflops"`
	FP4TFLOPS         Decimal `toml:"fp4_dense_tflops"`
	TDPWatts          int     `toml:"tdp_w"`
	AllInWatts        int     `toml:"all_in_power_w"` // per GPU with its share of server and cooling
	// Band is the believable range of a price in USD per GPU-hour; a price
	// outside it is no price.
	Band Band `toml:"band"`
	// Aliases are the exact names per provider, see Catalog.Match.
	Aliases map[ProviderID][]string `toml:"aliases"`
	Source  string                  `toml:"source"`
	Date    string                  `toml:"date"`
	Notes   string                  `toml:"notes"`
}

// Band is an inclusive price range in USD per GPU-hour.
type Band struct {
	Low  USD `toml:"low"`
	High USD `toml:"high"`
}

// Holds reports whether a price lies inside the band.
func (b Band) Holds(p USD) bool { return p >= b.Low && p <= b.High }

// UnmatchedPrefix begins the class of a GPU that the catalog does not know.
const UnmatchedPrefix = "unmatched:"
