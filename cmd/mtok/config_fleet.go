package main

import (
	"strconv"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"

	"mtok/schema"
)

// FleetConfig is GPUs of the user: a contract and what is served on it.
type FleetConfig struct {
	Name          string         `toml:"name"`
	Class         schema.ClassID `toml:"class"`
	GPUs          int            `toml:"gpus"`
	USDPerGPUHour number         `toml:"usd_per_gpu_hour"`
	FixedFrom     toml.LocalDate `toml:"fixed_from,omitzero"`
	FixedTo       toml.LocalDate `toml:"fixed_to,omitzero"`
	NoticeDays    int            `toml:"notice_days,omitempty"`
	Model         string         `toml:"model,omitempty"`
	// TokensPerMonth are output tokens, as counted; left out where unknown.
	TokensPerMonth number `toml:"tokens_per_month,omitempty"`
	// HoursOn are the hours a day that are paid for; around the clock when left out.
	HoursOn number `toml:"hours_on,omitempty"`
}

// maxTokens bounds a month's tokens: more than all the GPUs of the world give.
const maxTokens = "1000000000000000000"

// contracts are the fleets and quotes of the configuration.
func (c Config) contracts(catalog *schema.Catalog) (schema.Contracts, error) {
	var out schema.Contracts
	for i, f := range c.Fleets {
		fleet, err := f.fleet(i, catalog)
		if err != nil {
			return schema.Contracts{}, err
		}
		for _, earlier := range out.Fleets {
			if earlier.Name == fleet.Name {
				return schema.Contracts{}, rowInvalid("fleet", i, "name", "%q stands twice", fleet.Name)
			}
		}
		out.Fleets = append(out.Fleets, fleet)
	}
	for i, q := range c.Quotes {
		quote, err := q.quote(i, catalog, c.today)
		if err != nil {
			return schema.Contracts{}, err
		}
		for _, earlier := range out.Quotes {
			if earlier.Name == quote.Name {
				return schema.Contracts{}, rowInvalid("quote", i, "name", "%q stands twice", quote.Name)
			}
		}
		out.Quotes = append(out.Quotes, quote)
	}
	return out, nil
}

// fleet reads the i-th [[fleet]].
func (c FleetConfig) fleet(i int, catalog *schema.Catalog) (schema.Fleet, error) {
	fault := func(key, format string, args ...any) (schema.Fleet, error) {
		return schema.Fleet{}, rowInvalid("fleet", i, key, format, args...)
	}
	f := schema.Fleet{Name: c.Name, Class: c.Class, GPUs: c.GPUs, NoticeDays: c.NoticeDays, Model: c.Model, HoursOn: schema.MustDecimal("24")}
	if strings.TrimSpace(c.Name) == "" {
		return fault("name", "is missing")
	}
	if _, ok := catalog.GPU(c.Class); !ok {
		return fault("class", "unknown GPU class %q; %s", c.Class, nearHint(string(c.Class), catalog.ClassNames()))
	}
	if c.GPUs < 1 || c.GPUs > maxGPUs {
		return fault("gpus", "%d is not between 1 and %d", c.GPUs, maxGPUs)
	}
	var err error
	if f.USDPerGPUHour, err = price(c.USDPerGPUHour); err != nil {
		return fault("usd_per_gpu_hour", "%s", err)
	}
	f.FixedFrom, f.FixedTo = localDay(c.FixedFrom), localDay(c.FixedTo)
	if f.FixedTo != 0 && f.FixedTo < f.FixedFrom {
		return fault("fixed_to", "%s is before fixed_from %s", f.FixedTo, f.FixedFrom)
	}
	if c.NoticeDays < 0 || c.NoticeDays > maxNotice || c.NoticeDays > 0 && f.FixedTo == 0 {
		return fault("notice_days", "%d: a notice is given so many days before fixed_to, at most %d", c.NoticeDays, maxNotice)
	}
	if _, ok := catalog.Model(c.Model); c.Model != "" && !ok {
		return fault("model", "unknown model %q; %s", c.Model, nearHint(c.Model, catalog.ModelNames()))
	}
	if c.TokensPerMonth != "" {
		plain := number(strings.ReplaceAll(string(c.TokensPerMonth), "_", ""))
		d, err := plain.decimal("1", maxTokens)
		if err == nil {
			f.OutputTokensPerMonth, err = strconv.ParseInt(d.String(), 10, 64)
		}
		if err != nil {
			return fault("tokens_per_month", "%q is no whole number of output tokens above 0; leave it out where it is unknown", c.TokensPerMonth)
		}
	}
	if c.HoursOn != "" {
		if f.HoursOn, err = c.HoursOn.decimal("0.01", "24"); err != nil {
			return fault("hours_on", "%s: hours a day", err)
		}
	}
	return f, nil
}

const (
	maxGPUs   = 1_000_000 // of a contract
	maxNotice = 3650      // days, ten years
)

// price reads USD above 0.
func price(n number) (schema.USD, error) {
	if _, err := n.decimal("0.000001", "100000"); err != nil {
		return 0, err
	}
	return schema.ParseUSD(string(n))
}

// localDay is a date of the file as a day, 0 for none.
func localDay(d toml.LocalDate) schema.Day {
	if d == (toml.LocalDate{}) {
		return 0
	}
	return schema.DayOf(d.AsTime(time.UTC))
}
