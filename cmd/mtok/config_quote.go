package main

import (
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"mtok/schema"
)

// QuoteConfig is an offer that somebody made, typed by hand.
type QuoteConfig struct {
	Name     string         `toml:"name"`
	Provider string         `toml:"provider"`
	Class    schema.ClassID `toml:"class"`
	GPUs     int            `toml:"gpus"`
	// Term is on_demand, spot or reserved; CommitmentDays belong to reserved.
	Term           schema.Term    `toml:"term,omitempty"`
	CommitmentDays int            `toml:"commitment_days,omitempty"`
	USDPerGPUHour  number         `toml:"usd_per_gpu_hour"`
	QuotedOn       toml.LocalDate `toml:"quoted_on,omitzero"`
	Source         string         `toml:"source"`
}

// quote reads the i-th [[quote]]; one of a day after today is a slip, where today is
// known.
func (c QuoteConfig) quote(i int, catalog *schema.Catalog, today schema.Day) (schema.Quote, error) {
	fault := func(key, format string, args ...any) (schema.Quote, error) {
		return schema.Quote{}, rowInvalid("quote", i, key, format, args...)
	}
	q := schema.Quote{Name: c.Name, Provider: c.Provider, Class: c.Class, GPUCount: c.GPUs, Term: c.Term, Source: c.Source,
		Commitment: schema.Commitment{MinDays: c.CommitmentDays, MaxDays: c.CommitmentDays}}
	for _, v := range []struct{ key, is string }{{"name", c.Name}, {"provider", c.Provider}, {"source", c.Source}} {
		if strings.TrimSpace(v.is) == "" {
			return fault(v.key, "is missing")
		}
	}
	if _, ok := catalog.GPU(c.Class); !ok {
		return fault("class", "unknown GPU class %q; %s", c.Class, nearHint(string(c.Class), catalog.ClassNames()))
	}
	if c.GPUs < 1 || c.GPUs > maxGPUs {
		return fault("gpus", "%d is not between 1 and %d", c.GPUs, maxGPUs)
	}
	if q.Term == "" {
		q.Term = schema.TermOnDemand
	}
	terms := []string{string(schema.TermOnDemand), string(schema.TermSpot), string(schema.TermReserved)}
	if !slices.Contains(terms, string(q.Term)) {
		return fault("term", "unknown term %q; %s", q.Term, nearHint(string(q.Term), terms))
	}
	if c.CommitmentDays < 0 || (c.CommitmentDays > 0) != (q.Term == schema.TermReserved) {
		return fault("commitment_days", "%d: a commitment belongs to the term \"reserved\", and to no other", c.CommitmentDays)
	}
	var err error
	if q.USDPerGPUHour, err = price(c.USDPerGPUHour); err != nil {
		return fault("usd_per_gpu_hour", "%s", err)
	}
	q.USDPerInstanceHour = q.USDPerGPUHour * schema.USD(c.GPUs)
	if q.QuotedOn = localDay(c.QuotedOn); q.QuotedOn == 0 {
		return fault("quoted_on", "is missing: a quote without its date can't be judged")
	}
	if today != 0 && q.QuotedOn > today {
		return fault("quoted_on", "%s is yet to come: today is %s UTC", q.QuotedOn, today)
	}
	return q, nil
}
