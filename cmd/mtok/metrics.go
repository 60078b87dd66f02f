package main

import (
	"path/filepath"

	"mtok/reports/web"
	"mtok/schema/store"
	"mtok/scrapers"
)

// MetricsConfig says where a night leaves its metrics.
type MetricsConfig struct {
	// Textfile is read by node_exporter's textfile collector; empty for none.
	Textfile string `toml:"textfile"`
}

func (c MetricsConfig) validate() error {
	if c.Textfile != "" && filepath.Ext(c.Textfile) != ".prom" {
		return invalidf([]string{"metrics", "textfile"}, "%q does not end in .prom: node_exporter would not read it", c.Textfile)
	}
	return nil
}

// writeMetrics writes the metrics file of the configuration, where it names one.
func (a *app) writeMetrics(s *store.Store) error {
	if a.config.Metrics.Textfile == "" {
		return nil
	}
	providers, err := a.config.enabled(nil) // all, also after a night of one
	if err != nil {
		return err
	}
	return web.WriteTextfile(a.config.Metrics.Textfile, a.webOptions(s, providers))
}

func (a *app) webOptions(s *store.Store, providers []scrapers.Provider) web.Options {
	return web.Options{Source: s, Providers: ids(rentals(providers)), Version: version, Now: a.Now, Log: a.log}
}
