package main

import (
	"regexp"
	"slices"

	"mtok/reports"
	"mtok/reports/cost"
	"mtok/schema"
)

// APIConfig is an endpoint of an API to compare rented GPUs with.
type APIConfig struct {
	// Workload is the workload that it is for, empty for every one of its model.
	Workload string `toml:"workload,omitempty"`
	Model    string `toml:"model,omitempty"` // as the list names it
	Endpoint string `toml:"endpoint,omitempty"`
	// Precision tells endpoints of one host apart.
	Precision string `toml:"precision,omitempty"`
	// Fee is a share on top of the bill: 0.055 is 5.5 %.
	Fee number `toml:"fee,omitempty"`
	// CachedShare is how much of the input is read from the cache.
	CachedShare number `toml:"cached_share,omitempty"`
}

// apiModel is "meta-llama/llama-3.3-70b-instruct".
var apiModel = regexp.MustCompile(`^[a-z0-9]+(?:[.-][a-z0-9]+)*/[a-z0-9]+(?:[.-][a-z0-9]+)*$`)

// validateAPIs checks [[api]] against the workloads.
func (c Config) validateAPIs() error {
	for i, api := range c.APIs {
		fault := func(key, format string, args ...any) error { return rowInvalid("api", i, key, format, args...) }
		if slices.Contains(c.APIs[:i], api) {
			return fault("", "stands twice")
		}
		if api.Workload != "" {
			if _, err := reports.FindWorkload(c.Workloads, api.Workload); err != nil {
				return fault("workload", "%s", err)
			}
		}
		if api.Model != "" && !apiModel.MatchString(api.Model) {
			return fault("model", "%q is not like \"meta-llama/llama-3.3-70b-instruct\"", api.Model)
		}
		if _, err := cost.ParsePrecision(api.Precision); api.Precision != "" && err != nil {
			return fault("precision", "%s", err)
		}
		if api.Precision != "" && api.Endpoint == "" {
			return fault("precision", "belongs to an endpoint: the list's price names neither")
		}
		for _, v := range []struct {
			key string
			is  number
		}{{"fee", api.Fee}, {"cached_share", api.CachedShare}} {
			if _, err := v.is.decimal("0", "1"); v.is != "" && err != nil {
				return fault(v.key, "%s: a share, such as 0.055 for 5.5 %%", err)
			}
		}
	}
	return nil
}

// apis are the choices of a valid configuration.
func (c Config) apis() []reports.APIChoice {
	var out []reports.APIChoice
	share := func(n number) schema.Decimal {
		if n == "" {
			return schema.Decimal{}
		}
		return schema.MustDecimal(string(n))
	}
	for _, api := range c.APIs {
		out = append(out, reports.APIChoice{
			Workload: api.Workload, Model: api.Model, Endpoint: api.Endpoint, Precision: api.Precision,
			Fee: share(api.Fee), CachedShare: share(api.CachedShare),
		})
	}
	return out
}

// apiModels are the models of which the night asks who serves them, besides those
// that the section of the provider names; nil for the provider's default.
func (c Config) apiModels(id schema.ProviderID) []string {
	models := slices.Clone(c.Providers[id].Models)
	if id != schema.ProviderOpenRouter {
		return models
	}
	for _, api := range c.APIs {
		if api.Model != "" && !slices.Contains(models, api.Model) {
			models = append(models, api.Model)
		}
	}
	return models
}
