package reports

import (
	"fmt"
	"slices"

	"mtok/schema"
)

// DefaultConfigurations is the workload of settings that name none: each class's
// default configuration of the catalog, as far as they are of one shape of model.
func DefaultConfigurations(catalog *schema.Catalog) Workload {
	w := Workload{Name: "default"}
	for _, row := range catalog.Throughputs {
		switch {
		case !row.Default:
			continue
		case w.Model == "":
			w.Model, w.InputTokens, w.OutputTokens = row.Model, row.InputTokens, row.OutputTokens
		case shapeOf(row.Model, catalog) != shapeOf(w.Model, catalog):
			continue
		}
		w.Configurations = append(w.Configurations, Configuration{row.Class, row.GPUs, row.Precision})
	}
	return w
}

// Workload finds a workload of the settings by its name, the first where the name
// is empty; ErrUnknownName with those that are alike.
func (s Settings) Workload(catalog *schema.Catalog, name string) (Workload, error) {
	all := s.workloads(catalog)
	if name == "" {
		return all[0], nil
	}
	return FindWorkload(all, name)
}

// workloads are those of the settings, never none.
func (s Settings) workloads(catalog *schema.Catalog) []Workload {
	if len(s.Workloads) == 0 {
		return []Workload{DefaultConfigurations(catalog)}
	}
	return s.Workloads
}

// split resolves a workload into what was measured and what was not.
func (w Workload) split(catalog *schema.Catalog) (measured, unmeasured []Resolved, err error) {
	if len(w.Configurations) == 0 {
		return nil, nil, nil // a catalog without any measurement
	}
	all, err := w.Resolve(catalog)
	if err != nil {
		return nil, nil, fmt.Errorf("workload %q: %w", w.Name, err)
	}
	for _, r := range all {
		switch {
		case !r.Measured:
			unmeasured = append(unmeasured, r)
		case !slices.ContainsFunc(measured, func(m Resolved) bool { return m.Row.ID == r.Row.ID }):
			measured = append(measured, r) // once, however it was asked for
		}
	}
	return measured, unmeasured, nil
}

// explained is the measurement by which a class is priced: that of the first
// workload, else the catalog's default.
func explained(catalog *schema.Catalog, s Settings, id schema.ClassID) (schema.Throughput, bool) {
	measured, _, err := s.workloads(catalog)[0].split(catalog)
	if err == nil {
		for _, r := range measured {
			if r.Class == id {
				return r.Row, true
			}
		}
	}
	return catalog.Default(id)
}
