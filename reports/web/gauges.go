package web

import (
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"mtok/schema"
)

// gauges collects values. Prometheus counts in floats: this file alone makes them,
// of figures that are finished.
type gauges struct{ list []prometheus.Metric }

func (g *gauges) add(d *prometheus.Desc, value float64, labels []string) {
	for i, l := range labels {
		labels[i] = strings.ToValidUTF8(l, "\uFFFD") // the library panics on others
	}
	g.list = append(g.list, prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...))
}

func (g *gauges) count(d *prometheus.Desc, n int64, labels ...string) { g.add(d, float64(n), labels) }

// usd keeps micro-dollars below 2^53, nine billion dollars, exactly apart.
func (g *gauges) usd(d *prometheus.Desc, amount schema.USD, labels ...string) {
	g.add(d, float64(amount)/1_000_000, labels)
}

func (g *gauges) time(d *prometheus.Desc, at time.Time, labels ...string) {
	g.add(d, float64(at.UnixMilli())/1000, labels)
}

func (g *gauges) duration(d *prometheus.Desc, took time.Duration, labels ...string) {
	g.add(d, took.Seconds(), labels)
}
