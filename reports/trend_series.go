package reports

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"mtok/schema"
)

// trendDay is what is known of one day of a class: nothing on a gap.
type trendDay struct {
	day   schema.Day
	price *schema.DailyMarket // own; of an earlier day where age is above 0
	age   int
	// missing is a provider that was the cheapest on the day before and was not read
	// in full on this one: what rose need not have.
	missing  schema.ProviderID
	imported *schema.DailyMarket
	// cheapest and median are the token costs of one configuration.
	cheapest, median *schema.DailyTokenCost
	importedCost     *schema.DailyTokenCost
	api              *apiQuote
	// broken says that the costs were made with other inputs than those before, judged
	// that the prices were judged by other rules.
	broken, judged bool
}

func (d trendDay) fresh() bool { return d.price != nil && d.age == 0 }

// trendTerm is the term that a trend is of: on demand where nobody says.
func (f Filter) trendTerm() schema.Term { return cmp.Or(f.Term, schema.TermOnDemand) }

// days are the days of the window, each with what is known of it.
func (h record) days(s Settings) []trendDay {
	if h.to < h.from {
		return nil
	}
	own, imported := h.byDay()
	costs := h.costDays()
	api := map[schema.Day][]schema.DailyAPIPrice{}
	for _, p := range h.api {
		api[p.Day] = append(api[p.Day], p)
	}
	out := make([]trendDay, 0, h.to-h.from+1)
	var last *schema.DailyMarket // the newest fresh price
	inputs, rules := "", ""
	quotes := apiQuoting{workload: h.workload, settings: s}
	for day := h.read; day <= h.to; day++ {
		d := trendDay{day: day, price: own[day], imported: imported[day], api: quotes.of(api[day])}
		switch {
		case d.price != nil:
			if last != nil && replaced(last, d.price) && !h.complete[last.CheapestProvider][day] {
				d.missing = last.CheapestProvider
			}
			last = d.price
		case last != nil && h.carries(last, day, s.MaxAge):
			d.price, d.age = last, int(day-last.Day)
		}
		if day < h.from {
			continue
		}
		d.setCosts(costs[day])
		if c := d.cheapest; c != nil {
			d.broken = inputs != "" && inputs != c.Inputs
			inputs = c.Inputs
			judged := ruleLine(h.inputs[c.Inputs])
			d.judged = rules != "" && rules != judged
			rules = judged
		}
		out = append(out, d)
	}
	return out
}

// byDay are the prices of each day, our own and those of others; of our own a live
// night before a recorded one.
func (h *record) byDay() (own, imported map[schema.Day]*schema.DailyMarket) {
	own, imported = map[schema.Day]*schema.DailyMarket{}, map[schema.Day]*schema.DailyMarket{}
	for i := range h.markets {
		m := &h.markets[i]
		into := own
		if m.Origin == schema.OriginImport {
			into = imported
		}
		if old := into[m.Day]; old == nil || m.Origin == schema.OriginLive {
			into[m.Day] = m
		}
	}
	return own, imported
}

// carries reports whether a price still stands on a later day: it is not too old,
// and its provider was not read in full since.
func (h record) carries(last *schema.DailyMarket, day schema.Day, maxAge int) bool {
	if day-last.Day > schema.Day(maxAge) {
		return false
	}
	for d := last.Day + 1; d <= day; d++ {
		if h.complete[last.CheapestProvider][d] {
			return false
		}
	}
	return true
}

// costDays are the token costs of one configuration by day: that which is the
// cheapest on the newest day, for another one is another series.
func (h record) costDays() map[schema.Day][]*schema.DailyTokenCost {
	var newest *schema.DailyTokenCost
	for i := range h.costs {
		c := &h.costs[i]
		if c.Statistic != schema.StatCheapest {
			continue
		}
		if newest == nil || c.Day > newest.Day || c.Day == newest.Day && c.Raw < newest.Raw {
			newest = c
		}
	}
	if newest == nil {
		return nil
	}
	out := map[schema.Day][]*schema.DailyTokenCost{}
	precision := h.precisions()
	for i := range h.costs {
		// The benchmark row may have changed, or another have taken its place: that is a
		// break of the series.
		if c := &h.costs[i]; c.GPUs == newest.GPUs && precision[c.Inputs] == precision[newest.Inputs] {
			out[c.Day] = append(out[c.Day], c)
		}
	}
	return out
}

// precisions are those that each of the inputs was measured at.
func (h record) precisions() map[string]string {
	out := make(map[string]string, len(h.inputs))
	for hash, body := range h.inputs {
		out[hash] = inputField(body, "precision")
	}
	return out
}

func (d *trendDay) setCosts(costs []*schema.DailyTokenCost) {
	slices.SortFunc(costs, func(a, b *schema.DailyTokenCost) int {
		return cmp.Or(cmp.Compare(a.Raw, b.Raw), cmp.Compare(a.Inputs, b.Inputs))
	})
	put := func(into **schema.DailyTokenCost, c *schema.DailyTokenCost) {
		if *into == nil || c.Origin == schema.OriginLive && (*into).Origin != schema.OriginLive {
			*into = c
		}
	}
	for _, c := range costs {
		switch {
		case c.Origin == schema.OriginImport && c.Statistic == schema.StatCheapest:
			put(&d.importedCost, c)
		case c.Origin == schema.OriginImport:
		case c.Statistic == schema.StatCheapest:
			put(&d.cheapest, c)
		default:
			put(&d.median, c)
		}
	}
}

// ruleLine is the line of cost inputs that prices depend on too.
func ruleLine(body string) string {
	for line := range strings.Lines(body) {
		if strings.HasPrefix(line, "eligible ") {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

// inputField is a value of the benchmark row in cost inputs, empty where it is not
// there.
func inputField(body, key string) string {
	for line := range strings.Lines(body) {
		if !strings.HasPrefix(line, "throughput ") {
			continue
		}
		_, rest, found := strings.Cut(line, " "+key+"=")
		if !found {
			return ""
		}
		var value string
		if _, err := fmt.Sscanf(rest, "%q", &value); err == nil {
			return value
		}
		value, _, _ = strings.Cut(rest, " ")
		return strings.TrimSpace(value)
	}
	return ""
}

// benchmark is the id of the row of the catalog in cost inputs.
func benchmark(body string) string {
	for line := range strings.Lines(body) {
		if rest, ok := strings.CutPrefix(line, "throughput "); ok {
			id, _, _ := strings.Cut(rest, " ")
			return id
		}
	}
	return ""
}
