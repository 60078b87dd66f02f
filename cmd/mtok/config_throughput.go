package main

import (
	"errors"

	"mtok/reports/cost"
	"mtok/schema"
)

// withThroughputs adds the user's measurements, [[throughput]]. One that breaks
// physics is refused with the arithmetic, unless the user insists.
func (c Config) withThroughputs(catalog *schema.Catalog) (*schema.Catalog, error) {
	for i, t := range c.Throughputs {
		if err := checkThroughput(catalog, i, t); err != nil {
			return nil, err
		}
		for _, earlier := range c.Throughputs[:i] {
			if earlier.ID == t.ID {
				return nil, rowInvalid("throughput", i, "id", "%q stands twice", t.ID)
			}
			if earlier.Default && t.Default && earlier.Class == t.Class {
				return nil, rowInvalid("throughput", i, "default", "%q already is the default of %s", earlier.ID, t.Class)
			}
		}
		with, err := catalog.With(schema.UserRows{Throughputs: []schema.Throughput{t}}, givenIn)
		if err != nil {
			return nil, rowInvalid("throughput", i, "", "%s", err)
		}
		catalog = with
	}
	return catalog, nil
}

// checkThroughput checks the i-th row against the catalog and against physics.
func checkThroughput(catalog *schema.Catalog, i int, t schema.Throughput) error {
	if faults := catalog.ThroughputFaults(t); len(faults) > 0 {
		f := faults[0]
		switch {
		case f.Unknown != "" && f.Key == "class":
			return rowInvalid("throughput", i, f.Key, "unknown GPU class %q; %s", f.Unknown, nearHint(f.Unknown, catalog.ClassNames()))
		case f.Unknown != "" && f.Key == "model":
			return rowInvalid("throughput", i, f.Key, "unknown model %q; %s", f.Unknown, nearHint(f.Unknown, catalog.ModelNames()))
		case f.Key == "load":
			return rowInvalid("throughput", i, "", "%s", f.Reason)
		}
		return rowInvalid("throughput", i, f.Key, "%s", f.Reason)
	}
	if _, err := cost.ParsePrecision(t.Precision); err != nil {
		return rowInvalid("throughput", i, "precision", "%s", err)
	}
	err := cost.CheckUserRow(catalog, t)
	var implausible *cost.ImplausibleError
	switch {
	case errors.As(err, &implausible):
		return rowInvalid("throughput", i, "tokens_per_second", "%s; allow_implausible = true keeps it, marked", err)
	case err != nil:
		return rowInvalid("throughput", i, "", "%s", err)
	}
	return nil
}
