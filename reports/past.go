package reports

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"mtok/schema"
)

// pastDays is how far back the line of a price goes.
const pastDays = 90

// Past is the line of one provider's lowest on-demand price of a class up to a day,
// with what is not known of it: "3.29 (Jul-05) > by Jul-18 2.99 (gap Jul 6-17)".
// What we observed ourselves goes before what was imported for the same day. It is
// empty where the price is known of one day alone, and of a market, whose eligible
// machines are others every night.
func (l Loader) Past(ctx context.Context, asOf schema.Day, class schema.ClassID, provider schema.ProviderID, tier schema.Tier) (string, error) {
	prices, err := l.Source.DailyPrices(ctx, asOf-pastDays, asOf, class)
	if err != nil {
		return "", fmt.Errorf("past prices of %s: %w", class, err)
	}
	own, imported := map[schema.Day]schema.USD{}, map[schema.Day]schema.USD{}
	for _, p := range prices {
		if p.Provider == provider && p.Tier == TierEligible {
			return "", nil
		}
		if p.Provider != provider || p.Tier != tier || p.Term != schema.TermOnDemand || p.GPUCount != schema.AnyGPUCount {
			continue
		}
		days := own
		if p.Origin == schema.OriginImport {
			days = imported
		}
		if usd, ok := days[p.Day]; !ok || p.Min < usd {
			days[p.Day] = p.Min
		}
	}
	maps.Copy(imported, own)
	return pastLine(imported), nil
}

// pastLine says when a price was seen to have changed, and which days nobody saw.
func pastLine(days map[schema.Day]schema.USD) string {
	order := slices.Sorted(maps.Keys(days))
	if len(order) < 2 {
		return ""
	}
	first := order[0]
	text := fmt.Sprintf("%s (%s)", days[first].Fixed(hourDecimals), shortDay(first))
	var gaps []string
	for i := 1; i < len(order); i++ {
		before, day := order[i-1], order[i]
		by := ""
		if day > before+1 {
			by = "by " // it changed on one of the days that nobody saw
			gaps = append(gaps, gapText(before+1, day-1))
		}
		if days[day] != days[before] {
			text += fmt.Sprintf(" > %s%s %s", by, shortDay(day), days[day].Fixed(hourDecimals))
		}
	}
	switch {
	case len(gaps) == 1:
		text += " (gap " + gaps[0] + ")"
	case len(gaps) > 1:
		text += " (gaps " + strings.Join(gaps, ", ") + ")"
	}
	return text
}

func shortDay(d schema.Day) string { return d.Time().Format("Jan-02") }

// gapText is "Jul 6-17", "Jul 6" or "Jul 28-Aug 3".
func gapText(from, to schema.Day) string {
	a, b := from.Time(), to.Time()
	switch {
	case from == to:
		return a.Format("Jan 2")
	case a.Month() == b.Month() && a.Year() == b.Year():
		return a.Format("Jan 2") + b.Format("-2")
	}
	return a.Format("Jan 2") + b.Format("-Jan 2")
}
