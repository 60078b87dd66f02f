package schema

// Model is one row of models.toml: the shape that the physical bounds need.
type Model struct {
	ID              string   `toml:"model"`
	Names           []string `toml:"names"`    // names of the same shape in benchmark sources
	ParamsB         Decimal  `toml:"params_b"` // 1e9 parameters
	ActiveParamsB   Decimal  `toml:"active_params_b"`
	Layers          int      `toml:"layers"`
	KVHeads         int      `toml:"kv_heads"`
	HeadDim         int      `toml:"head_dim"`
	Attention       string   `toml:"attention"`
	KVBytesPerToken int64    `toml:"kv_bytes_per_token_fp16"`
	KVBytesFP8      int64    `toml:"kv_bytes_per_token_fp8"`
	WeightsGBFP16   Decimal  `toml:"weights_gb_fp16"` // 1e9 bytes
	WeightsGBFP8    Decimal  `toml:"weights_gb_fp8"`
	WeightsGBFP4    Decimal  `toml:"weights_gb_fp4"`
	Source          string   `toml:"source"`
	Date            string   `toml:"date"`
	Notes           string   `toml:"notes"`
}

// Throughput is one row of throughput.toml: what one configuration was measured
// to give. It belongs to the whole configuration; it is never divided by GPUs
// or stretched to other lengths.
type Throughput struct {
	ID            string  `toml:"id"`
	Class         ClassID `toml:"class"`
	GPUs          int     `toml:"gpus"`
	Model         string  `toml:"model"` // as the source names it
	Precision     string  `toml:"precision"`
	Checkpoint    string  `toml:"checkpoint"` // the weights, where the source names them
	Engine        string  `toml:"engine"`
	EngineVersion string  `toml:"engine_version"`
	Profile       string  `toml:"profile"` // load and latency promise, in words
	// What follows says the same for comparing rows. Not set where not stated.
	Scenario     Scenario `toml:"scenario"`
	Concurrency  int      `toml:"concurrency"` // requests in flight at once
	TTFTms       Decimal  `toml:"ttft_ms"`
	TPOTms       Decimal  `toml:"tpot_ms"`
	LatencyBasis string   `toml:"latency_basis"`
	InputTokens  Decimal  `toml:"input_tokens"`
	OutputTokens Decimal  `toml:"output_tokens"`
	// TokensPerSecond are output tokens only, of all GPUs together.
	TokensPerSecond Decimal `toml:"tokens_per_second"`
	Rows            int     `toml:"rows"` // published rows behind the figure
	Confidence      string  `toml:"confidence"`
	// AcceptedPerStep and PrefixCacheShare are what lifts the physical bound:
	// tokens kept per decode step under speculative decoding, 1 or more, and the
	// share of input tokens found in the prefix cache, below 1.
	AcceptedPerStep  Decimal `toml:"accepted_tokens_per_step"`
	PrefixCacheShare Decimal `toml:"prefix_cache_share"`
	// AllowImplausible keeps a user's row that breaks physics, marked.
	AllowImplausible bool `toml:"allow_implausible"`
	// Default marks the one row per class that `report mtok` prices.
	Default bool   `toml:"default"`
	Title   string `toml:"title"`
	Source  string `toml:"source"`
	Date    string `toml:"date"`
	Notes   string `toml:"notes"`
	// GivenIn is the file of the user that the row was read from, empty for a
	// row of the catalog.
	GivenIn string `toml:"-"`
}
