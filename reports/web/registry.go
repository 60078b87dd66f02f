package web

import (
	"fmt"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
)

// registry holds the metrics of mtok, and of its own process where that is the
// one that is scraped.
func registry(o Options, process bool) *prometheus.Registry {
	r := prometheus.NewPedanticRegistry()
	r.MustRegister(&collector{o})
	if process {
		r.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	}
	return r
}

// WriteTextfile writes the metrics for the textfile collector of node_exporter,
// as a whole or not at all. The path ends in .prom.
func WriteTextfile(path string, o Options) error {
	if err := prometheus.WriteToTextfile(path, registry(o, false)); err != nil {
		return fmt.Errorf("metrics textfile: %w", err)
	}
	return nil
}
