package main

import (
	"strings"

	"mtok/pipeline/history"
	"mtok/reports"
)

// ReferenceConfig is somebody else's watch over prices that reports name beside
// ours: in no figure, and never the cause of an alert.
type ReferenceConfig struct {
	Name string `toml:"name"`
	// Source is the format, or the source named in the rows, of what was imported.
	Source string `toml:"source"`
}

func (c Config) validateReferences() error {
	for i, r := range c.References {
		at := func(key, format string, args ...any) error { return rowInvalid("reference", i, key, format, args...) }
		switch {
		case strings.TrimSpace(r.Name) == "":
			return at("name", "is empty")
		case strings.TrimSpace(r.Source) == "":
			return at("source", "is empty; formats: %s", strings.Join(history.Names(), ", "))
		}
		for _, other := range c.References[:i] {
			if other.Name == r.Name {
				return at("name", "%q stands twice", r.Name)
			}
		}
	}
	return nil
}

func (c Config) references() []reports.Reference {
	var out []reports.Reference
	for _, r := range c.References {
		out = append(out, reports.Reference{Name: r.Name, Source: r.Source})
	}
	return out
}
