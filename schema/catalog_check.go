package schema

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// check finds every fault of the catalogs, so that one run shows them all.
func (c *Catalog) check() error {
	var faults []error
	fault := func(file, row, format string, args ...any) {
		faults = append(faults, fmt.Errorf("%s: %q: %s", file, row, fmt.Sprintf(format, args...)))
	}
	c.checkGPUs(func(row, format string, args ...any) { fault("gpus.toml", row, format, args...) })
	c.checkModels(func(row, format string, args ...any) { fault("models.toml", row, format, args...) })
	c.checkThroughputs(func(row, format string, args ...any) { fault("throughput.toml", row, format, args...) })
	return errors.Join(faults...)
}

// minBandLow is a cent: no GPU is rented below it, and a bound without quotes
// would be read as micro-dollars.
const minBandLow = USD(10_000)

type faultFunc func(row, format string, args ...any)

func (c *Catalog) checkGPUs(fault faultFunc) {
	seen := map[ClassID]bool{}
	for _, g := range c.GPUs {
		row := string(g.ID)
		checkProvenance(row, g.Source, g.Date, fault)
		if seen[g.ID] {
			fault(row, "class occurs twice")
		}
		seen[g.ID] = true
		if row == "" || slug(row) != row {
			fault(row, "class is no slug")
		}
		if g.MemoryGB.Rat().Sign() <= 0 {
			fault(row, "memory_gb is missing")
		}
		if len(g.PrintedGB) == 0 || slices.Min(g.PrintedGB) <= 0 {
			fault(row, "printed_gb needs at least one size")
		}
		if g.Band.Low < minBandLow || g.Band.Low >= g.Band.High {
			fault(row, "band must have %s <= low < high in quotes, has %s to %s", minBandLow, g.Band.Low, g.Band.High)
		}
		for provider, aliases := range g.Aliases {
			checkAliases(row, provider, aliases, fault)
		}
	}
}

func checkAliases(row string, provider ProviderID, aliases []string, fault faultFunc) {
	seen := map[string]bool{}
	for _, alias := range aliases {
		key := nameKey(alias)
		if key == "" || seen[key] {
			fault(row, "alias %q of %s is empty or occurs twice", alias, provider)
		}
		seen[key] = true
	}
}

func (c *Catalog) checkModels(fault faultFunc) {
	owner := map[string]string{}
	for _, m := range c.Models {
		for _, f := range m.Faults() {
			fault(m.ID, "%s", f)
		}
		for _, name := range m.allNames() {
			key := strings.ToLower(name)
			if other, taken := owner[key]; taken {
				fault(m.ID, "name %q is already one of %q", name, other)
			}
			owner[key] = m.ID
		}
	}
}

// allNames are the id and the names, the id once even where it is listed too.
func (m Model) allNames() []string {
	names := []string{m.ID}
	for _, name := range m.Names {
		if !strings.EqualFold(name, m.ID) {
			names = append(names, name)
		}
	}
	return names
}

func (c *Catalog) checkThroughputs(fault faultFunc) {
	seen, defaults := map[string]bool{}, map[ClassID]string{}
	for _, t := range c.Throughputs {
		for _, f := range c.ThroughputFaults(t) {
			fault(t.ID, "%s", f)
		}
		if seen[t.ID] {
			fault(t.ID, "id occurs twice")
		}
		seen[t.ID] = true
		if t.Rows <= 0 {
			fault(t.ID, "rows must be above zero")
		}
		if !t.Default {
			continue
		}
		if other, taken := defaults[t.Class]; taken {
			fault(t.ID, "class %q already has the default %q", t.Class, other)
		}
		defaults[t.Class] = t.ID
	}
}

// checkProvenance demands a source and a day or a month: a figure without them
// can't be checked again by anybody.
func checkProvenance(row, source, date string, fault faultFunc) {
	for _, f := range provenanceFaults(source, date) {
		fault(row, "%s", f)
	}
}
