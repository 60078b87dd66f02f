package web

import (
	"context"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"mtok/schema"
)

// scrapeTimeout is how long the store may take for one scrape; Prometheus waits
// for 10 seconds by default.
const scrapeTimeout = 8 * time.Second

// collector reads the store at every scrape.
type collector struct{ Options }

// Describe sends the descriptions of all metrics.
func (c *collector) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{
		priceDesc, costDesc, publishedDesc, upDesc, successDesc, offersDesc, rejectsDesc, bytesDesc, tookDesc,
		runDesc, databaseDesc, walDesc, buildDesc, errorDesc,
	} {
		out <- d
	}
}

// Collect sends what can be read; a part that can't is missing, and scrape_error
// says so.
func (c *collector) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), scrapeTimeout)
	defer cancel()
	var g gauges
	failed := int64(0)
	for _, part := range []struct {
		name string
		read func(context.Context, *gauges) error
	}{
		{"published figures", c.published}, {"providers", c.providers}, {"runs", c.lastRun}, {"sizes", c.sizes},
	} {
		var of gauges
		if err := part.read(ctx, &of); err != nil {
			c.Log.Error("metrics not read", slog.String("part", part.name), slog.Any("error", err))
			failed = 1
			continue
		}
		g.list = append(g.list, of.list...)
	}
	g.count(errorDesc, failed)
	g.count(buildDesc, 1, c.Version)
	for _, m := range g.list {
		out <- m
	}
}

// sizes are those of the database.
func (c *collector) sizes(ctx context.Context, g *gauges) error {
	database, log, err := c.Source.Size(ctx)
	g.count(databaseDesc, database)
	g.count(walDesc, log)
	return err
}

// lastRun is the end of the newest finished night.
func (c *collector) lastRun(ctx context.Context, g *gauges) error {
	run, ok, err := lastFinished(ctx, c.Source)
	if ok {
		g.time(runDesc, run.FinishedAt)
	}
	return err
}

// lastFinished is the newest night that is not running any more.
func lastFinished(ctx context.Context, src Source) (schema.Run, bool, error) {
	runs, err := src.LastRuns(ctx, schema.JobNightly, 2) // the lock lets one be running
	for _, r := range runs {
		if r.Status != schema.StatusRunning {
			return r, true, err
		}
	}
	return schema.Run{}, false, err
}
