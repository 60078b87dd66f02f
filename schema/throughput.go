package schema

// Model is one row of models.toml: the shape that the physical bounds need.
type Model struct {
	ID              string   `toml:"model"`
	Names           []string `toml:"names,omitzero"`    // names of the same shape in benchmark sources
	ParamsB         Decimal  `toml:"params_b,omitzero"` // 1e9 parameters
	ActiveParamsB   Decimal  `toml:"active_params_b,omitzero"`
	Layers          int      `toml:"layers,omitzero"`
	KVHeads         int      `toml:"kv_heads,omitzero"`
	HeadDim         int      `toml:"head_dim,omitzero"`
	Attention       string   `toml:"attention,omitzero"`
	KVBytesPerToken int64    `toml:"kv_bytes_per_token_fp16,omitzero"`
	KVBytesFP8      int64    `toml:"kv_bytes_per_token_fp8,omitzero"`
	WeightsGBFP16   Decimal  `toml:"weights_gb_fp16,omitzero"` // 1e9 bytes
	WeightsGBFP8    Decimal  `toml:"weights_gb_fp8,omitzero"`
	WeightsGBFP4    Decimal  `toml:"weights_gb_fp4,omitzero"`
	Source          string   `toml:"source,omitzero"`
	Date            string   `toml:"date,omitzero"`
	Notes           string   `toml:"notes,omitzero"`
}

// Throughput is one row of throughput.toml: what one configuration was measured
// to give. It belongs to the whole configuration; it is never divided by GPUs
// or stretched to other lengths.
type Throughput struct {
	ID            string  `toml:"id"`
	Class         ClassID `toml:"class"`
	GPUs          int     `toml:"gpus,omitzero"`
	Model         string  `toml:"model"` // as the source names it
	Precision     string  `toml:"precision,omitzero"`
	Checkpoint    string  `toml:"checkpoint,omitzero"` // the weights, where the source names them
	Engine        string  `toml:"engine,omitzero"`
	EngineVersion string  `toml:"engine_version,omitzero"`
	Profile       string  `toml:"profile,omitzero"` // load and latency promise, in words
	// What follows says the same for comparing rows. Not set where not stated.
	Scenario     Scenario `toml:"scenario,omitzero"`
	Concurrency  int      `toml:"concurrency,omitzero"` // requests in flight at once
	TTFTms       Decimal  `toml:"ttft_ms,omitzero"`
	TPOTms       Decimal  `toml:"tpot_ms,omitzero"`
	LatencyBasis string   `toml:"latency_basis,omitzero"`
	InputTokens  Decimal  `toml:"input_tokens,omitzero"`
	OutputTokens Decimal  `toml:"output_tokens,omitzero"`
	// TokensPerSecond are output tokens only, of all GPUs together.
	TokensPerSecond Decimal `toml:"tokens_per_second,omitzero"`
	Rows            int     `toml:"rows,omitzero"` // published rows behind the figure
	Confidence      string  `toml:"confidence,omitzero"`
	// AcceptedPerStep and PrefixCacheShare are what lifts the physical bound:
	// tokens kept per decode step under speculative decoding, 1 or more, and the
	// share of input tokens found in the prefix cache, below 1.
	AcceptedPerStep  Decimal `toml:"accepted_tokens_per_step,omitzero"`
	PrefixCacheShare Decimal `toml:"prefix_cache_share,omitzero"`
	// AllowImplausible keeps a user's row that breaks physics, marked.
	AllowImplausible bool `toml:"allow_implausible,omitzero"`
	// Default marks the one row per class that `report mtok` prices.
	Default bool   `toml:"default,omitzero"`
	Title   string `toml:"title,omitzero"`
	Source  string `toml:"source,omitzero"`
	Date    string `toml:"date,omitzero"`
	Notes   string `toml:"notes,omitzero"`
	// GivenIn is the file of the user that the row was read from, empty for a
	// row of the catalog.
	GivenIn string `toml:"-"`
}
