package reports

import (
	"errors"
	"fmt"
	"slices"

	"mtok/reports/cost"
	"mtok/schema"
)

// Workload is what somebody runs: a model, the lengths of its requests, how long
// they may wait, and the configurations that it may run on.
type Workload struct {
	Name  string `toml:"name"`
	Model string `toml:"model"` // any name of the catalog's models
	// InputTokens and OutputTokens are the mean lengths of a request. One that is
	// not set accepts whatever was measured.
	InputTokens  schema.Decimal `toml:"input_tokens,omitzero"`
	OutputTokens schema.Decimal `toml:"output_tokens,omitzero"`
	// TTFTms and TPOTms are the longest that requests may wait, for the first
	// token and for each further one. Not set: a ceiling will do.
	TTFTms         schema.Decimal  `toml:"ttft_ms,omitzero"`
	TPOTms         schema.Decimal  `toml:"tpot_ms,omitzero"`
	Configurations []Configuration `toml:"configurations"`
}

// Configuration is so many GPUs of a class.
type Configuration struct {
	Class     schema.ClassID `toml:"class"`
	GPUs      int            `toml:"gpus"`
	Precision string         `toml:"precision,omitempty"` // empty: whatever was measured
}

// String prints "2x h100-sxm-80gb FP8".
func (c Configuration) String() string {
	text := fmt.Sprintf("%dx %s", c.GPUs, c.Class)
	if c.Precision != "" {
		text += " " + c.Precision
	}
	return text
}

// Latency is the bound on waiting, not set where there is none.
func (w Workload) Latency() schema.Latency {
	if !w.TTFTms.IsSet() && !w.TPOTms.IsSet() {
		return schema.Latency{}
	}
	return schema.Latency{TTFTms: w.TTFTms, TPOTms: w.TPOTms, Basis: schema.LatencyPromise}
}

// DefaultWorkloads are those of a configuration that names none.
func DefaultWorkloads() []Workload {
	thousand := schema.MustDecimal("1000")
	return []Workload{
		// what each class was measured on, the first the one that others are set beside
		{Name: "chat-70b", Model: "llama-3.3-70b", InputTokens: thousand, OutputTokens: thousand,
			Configurations: []Configuration{{"h100-sxm-80gb", 2, "FP8"}, {"h200-sxm-141gb", 1, "FP8"}, {"b200-sxm-180gb", 1, "FP4"},
				{"gb200-186gb", 1, "FP4"}, {"gh200-96gb", 1, "FP8"}, {"a100-sxm-80gb", 4, "FP16"}, {"a100-pcie-80gb", 4, "FP16"},
				{"l40s-48gb", 4, "FP8"}, {"rtx-pro-6000-96gb", 1, "FP4"}}},
		{Name: "rag-70b", Model: "llama-3.3-70b", InputTokens: schema.MustDecimal("5000"), OutputTokens: schema.MustDecimal("500"),
			Configurations: []Configuration{{"h100-sxm-80gb", 2, "FP8"}, {"h200-sxm-141gb", 1, "FP8"}, {"gh200-96gb", 1, "FP8"}, {"b200-sxm-180gb", 1, "FP4"}}},
		// MLPerf's Interactive scenario; its result files leave the input length out.
		{Name: "chat-70b-interactive", Model: "llama-3.3-70b", OutputTokens: schema.MustDecimal("294.45"),
			TTFTms: schema.MustDecimal("450"), TPOTms: schema.MustDecimal("40"),
			Configurations: []Configuration{{"h100-sxm-80gb", 8, "FP8"}, {"h200-sxm-141gb", 8, "FP8"}, {"b200-sxm-180gb", 8, "FP8"}}},
		{Name: "gpt-oss-120b", Model: "gpt-oss-120b", InputTokens: thousand, OutputTokens: thousand,
			Configurations: []Configuration{{"h100-sxm-80gb", 4, "FP8"}, {"h200-sxm-141gb", 1, "FP8"}, {"b200-sxm-180gb", 2, "FP4"}, {"gb200-186gb", 1, "FP4"}}},
	}
}

// FindWorkload returns the workload of that name, or ErrUnknownName with those
// that are alike.
func FindWorkload(workloads []Workload, name string) (Workload, error) {
	var names []string
	for _, w := range workloads {
		if w.Name == name {
			return w, nil
		}
		names = append(names, w.Name)
	}
	return Workload{}, UnknownName("workload", name, names)
}

// Validate reports everything by which the workload can't be priced.
func (w Workload) Validate(catalog *schema.Catalog) error {
	var errs []error
	fault := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("workload %q: %w", w.Name, fmt.Errorf(format, args...)))
	}
	if w.Name == "" {
		fault("name is missing")
	}
	if _, ok := catalog.Model(w.Model); !ok {
		fault("%w", UnknownName("model", w.Model, catalog.ModelNames()))
	}
	for _, v := range []struct {
		key string
		is  schema.Decimal
	}{{"input_tokens", w.InputTokens}, {"output_tokens", w.OutputTokens}, {"ttft_ms", w.TTFTms}, {"tpot_ms", w.TPOTms}} {
		if v.is.IsSet() && v.is.Rat().Sign() <= 0 {
			fault("%s must be above 0", v.key)
		}
	}
	if w.TTFTms.IsSet() != w.TPOTms.IsSet() {
		fault("ttft_ms and tpot_ms come together")
	}
	if len(w.Configurations) == 0 {
		fault("no configuration")
	}
	for i, c := range w.Configurations {
		if _, ok := catalog.GPU(c.Class); !ok {
			fault("%w", UnknownName("class", string(c.Class), catalog.ClassNames()))
		}
		if c.GPUs < 1 {
			fault("%s: gpus must be 1 or more", c)
		}
		if _, err := cost.ParsePrecision(c.Precision); c.Precision != "" && err != nil {
			fault("%s: %w", c.Class, err)
		}
		if slices.Contains(w.Configurations[:i], c) {
			fault("%s occurs twice", c)
		}
	}
	return errors.Join(errs...)
}
