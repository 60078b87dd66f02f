package main

import (
	"strings"

	"mtok/reports"
	"mtok/reports/cost"
	"mtok/schema"
)

// validateWorkloads checks [[workload]] against the catalog.
func (c Config) validateWorkloads(catalog *schema.Catalog) error {
	if len(c.Workloads) == 0 {
		return invalidf([]string{"workload"}, "none is left: a report needs one")
	}
	for i, w := range c.Workloads {
		for _, earlier := range c.Workloads[:i] {
			if earlier.Name == w.Name {
				return rowInvalid("workload", i, "name", "%q stands twice", w.Name)
			}
		}
		if strings.TrimSpace(w.Name) == "" || len(strings.Fields(w.Name)) > 1 {
			return rowInvalid("workload", i, "name", "%q must be one word", w.Name)
		}
		if _, ok := catalog.Model(w.Model); !ok {
			return rowInvalid("workload", i, "model", "unknown model %q; %s", w.Model, nearHint(w.Model, catalog.ModelNames()))
		}
		for _, v := range []struct {
			key string
			is  schema.Decimal
		}{{"input_tokens", w.InputTokens}, {"output_tokens", w.OutputTokens}, {"ttft_ms", w.TTFTms}, {"tpot_ms", w.TPOTms}} {
			if v.is.IsSet() && v.is.Rat().Sign() <= 0 {
				return rowInvalid("workload", i, v.key, "must be above 0, or left out")
			}
		}
		for _, on := range w.Configurations {
			if reason := configurationFault(on, catalog); reason != "" {
				return rowInvalid("workload", i, "configurations", "%s", reason)
			}
		}
		if err := w.Validate(catalog); err != nil {
			return rowInvalid("workload", i, "", "%s", err)
		}
	}
	return nil
}

// configurationFault is what is wrong with a configuration, empty for nothing.
func configurationFault(on reports.Configuration, catalog *schema.Catalog) string {
	if _, ok := catalog.GPU(on.Class); !ok {
		return "unknown GPU class \"" + string(on.Class) + "\"; " + nearHint(string(on.Class), catalog.ClassNames())
	}
	if on.GPUs < 1 {
		return on.String() + ": gpus must be 1 or more"
	}
	if _, err := cost.ParsePrecision(on.Precision); on.Precision != "" && err != nil {
		return err.Error()
	}
	return ""
}
