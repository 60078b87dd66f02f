package web

import (
	"context"
	"time"

	"mtok/schema"
)

// recentRuns is how far back the run of a provider's newest night is looked for.
const recentRuns = 32

// providers are the gauges of each provider that the night asks.
func (c *collector) providers(ctx context.Context, g *gauges) error {
	latest, err := c.Source.LatestProviderRuns(ctx)
	if err != nil {
		return err
	}
	runs, err := c.Source.LastRuns(ctx, schema.JobNightly, recentRuns)
	if err != nil {
		return err
	}
	nights := map[schema.ProviderID]schema.ProviderRun{}
	for _, n := range latest {
		nights[n.Provider] = n
	}
	bytes := map[int64]map[schema.ProviderID]int64{}
	for _, id := range c.Providers {
		n, ran := nights[id]
		up := int64(0)
		if ran && n.Status == schema.StatusComplete {
			up = 1
		}
		g.count(upDesc, up, string(id))
		if !ran {
			continue
		}
		if bytes[n.RunID] == nil {
			if bytes[n.RunID], err = c.Source.FetchedBytes(ctx, n.RunID); err != nil {
				return err
			}
		}
		g.count(offersDesc, int64(n.Offers), string(id))
		g.count(bytesDesc, bytes[n.RunID][id], string(id))
		for _, r := range runs {
			if r.ID == n.RunID {
				g.duration(tookDesc, n.EndedAt.Sub(r.StartedAt), string(id))
			}
		}
		if err := c.rejects(ctx, g, n); err != nil {
			return err
		}
	}
	return c.successes(ctx, g, nights)
}

// rejects counts the rows of a provider's night that are out.
func (c *collector) rejects(ctx context.Context, g *gauges, n schema.ProviderRun) error {
	rejected, err := c.Source.Rejects(ctx, schema.FetchFilter{RunID: n.RunID, Provider: n.Provider})
	if err != nil {
		return err
	}
	rules := map[string]int64{}
	for _, r := range rejected {
		rules[r.Rule]++
	}
	for rule, count := range rules {
		g.count(rejectsDesc, count, string(n.Provider), rule)
	}
	return nil
}

// successes say when each provider's newest complete night was saved.
func (c *collector) successes(ctx context.Context, g *gauges, nights map[schema.ProviderID]schema.ProviderRun) error {
	complete, err := c.Source.LastCompleteDays(ctx)
	if err != nil {
		return err
	}
	for _, id := range c.Providers {
		day, ever := complete[id]
		if !ever {
			continue
		}
		if n := nights[id]; n.Day == day && n.Status == schema.StatusComplete {
			g.time(successDesc, n.EndedAt, string(id))
			continue
		}
		onDay, err := c.Source.ProviderRuns(ctx, day, day)
		if err != nil {
			return err
		}
		var saved time.Time
		for _, n := range onDay {
			if n.Provider == id && n.Status == schema.StatusComplete && n.EndedAt.After(saved) {
				saved = n.EndedAt
			}
		}
		g.time(successDesc, saved, string(id))
	}
	return nil
}
