package web

import (
	"context"
	"fmt"

	"github.com/prometheus/client_golang/prometheus"

	"mtok/schema"
)

// published are the prices and costs of the newest published day.
func (c *collector) published(ctx context.Context, g *gauges) error {
	day, ok, err := c.Source.LatestDay(ctx)
	if err != nil || !ok {
		return err
	}
	prices, err := c.Source.DailyPrices(ctx, day, day, "")
	if err != nil {
		return err
	}
	costs, err := c.Source.DailyTokenCosts(ctx, day, day, "")
	if err != nil {
		return err
	}
	g.time(publishedDesc, day.Time())
	lowest := lowestOf{g: g, seen: map[string]int{}}
	for _, p := range prices {
		if p.GPUCount != schema.AnyGPUCount || p.Term == schema.TermBidFloor || p.Origin == schema.OriginImport {
			continue
		}
		lowest.add(priceDesc, p.Min, string(p.Class), string(p.Provider), string(p.Tier), string(p.Term), days(p.Commitment))
	}
	for _, t := range costs {
		if t.Origin == schema.OriginImport {
			continue
		}
		for kind, amount := range map[string]schema.USD{"raw": t.Raw, "utilized": t.Utilized, "all_in": t.AllIn} {
			lowest.add(costDesc, amount, string(t.Class), string(t.Term), t.Workload, t.Statistic, kind)
		}
	}
	lowest.send()
	return nil
}

// days is a commitment as a label: "30", "14-365", empty for none.
func days(c schema.Commitment) string {
	switch {
	case c == (schema.Commitment{}):
		return ""
	case c.MinDays == c.MaxDays:
		return fmt.Sprint(c.MinDays)
	}
	return fmt.Sprintf("%d-%d", c.MinDays, c.MaxDays)
}

// lowestOf keeps one value for each set of labels, since two would fail the whole
// scrape: a day may hold live and recorded figures of one offer.
type lowestOf struct {
	g    *gauges
	list []amount
	seen map[string]int
}

type amount struct {
	desc   *prometheus.Desc
	usd    schema.USD
	labels []string
}

func (l *lowestOf) add(d *prometheus.Desc, usd schema.USD, labels ...string) {
	key := fmt.Sprintf("%p%q", d, labels)
	i, ok := l.seen[key]
	if !ok {
		l.seen[key] = len(l.list)
		l.list = append(l.list, amount{d, usd, labels})
	} else if usd < l.list[i].usd {
		l.list[i].usd = usd
	}
}

func (l *lowestOf) send() {
	for _, a := range l.list {
		l.g.usd(a.desc, a.usd, a.labels...)
	}
}
