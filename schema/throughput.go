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
	Engine        string  `toml:"engine"`
	EngineVersion string  `toml:"engine_version"`
	Profile       string  `toml:"profile"` // load and latency promise, in words
	InputTokens   Decimal `toml:"input_tokens"`
	OutputTokens  Decimal `toml:"output_tokens"`
	// TokensPerSecond are output tokens only, of all GPUs together.
	TokensPerSecond Decimal `toml:"tokens_per_second"`
	Rows            int     `toml:"rows"` // published rows behind the figure
	Confidence      string  `toml:"confidence"`
	// Default marks the one row per class that `report mtok` prices.
	Default bool   `toml:"default"`
	Title   string `toml:"title"`
	Source  string `toml:"source"`
	Date    string `toml:"date"`
	Notes   string `toml:"notes"`
}
