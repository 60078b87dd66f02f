package reports

import (
	"fmt"

	"mtok/schema"
)

// The units of charts.
const (
	unitHour  = "$/GPU-h"
	unitMTok  = "$ per 1M output tokens"
	unitRatio = "times"
)

// charts are the pictures of one class: prices, and below them token costs.
func (h record) charts(days []trendDay, s Settings) []Chart {
	price := priceChart(h, days, "Price per GPU-hour")
	perM := Chart{Title: fmt.Sprintf("%s: cost of a million output tokens", h.workload.Name), Unit: unitMTok, From: h.from, To: h.to}
	perM.add("flat out, cheapest", false, costPoints(days, cheapestCost, rawCost))
	perM.add(percent(s.Utilization)+" busy", false, costPoints(days, cheapestCost, func(c *schema.DailyTokenCost) schema.USD { return c.Utilized }))
	var api []ChartPoint
	for _, d := range days {
		if d.api == nil {
			continue
		}
		if usd := ratMoney(d.api.perMTok); usd.Kind == KindMoney {
			api = append(api, ChartPoint{Day: d.day, Micros: int64(usd.Amount)})
		}
	}
	perM.add("by API, same mix", false, api)
	perM.add("imported, flat out", true, costPoints(days, importedCost, rawCost))
	var out []Chart
	for _, c := range []Chart{price, perM} {
		if c.Drawn() {
			out = append(out, c)
		}
	}
	return out
}

func priceChart(h record, days []trendDay, title string) Chart {
	c := Chart{Title: title, Unit: unitHour, From: h.from, To: h.to}
	c.add("cheapest eligible", false, pricePoints(days, cheapestPrice))
	c.add("median of providers", false, pricePoints(days, medianPrice))
	c.add("imported, cheapest", true, importedPoints(days))
	return c
}

// add appends a line that has points.
func (c *Chart) add(name string, imported bool, points []ChartPoint) {
	if len(points) > 0 {
		c.Lines = append(c.Lines, ChartLine{Name: name, Imported: imported, Points: points})
	}
}
