package alert

import (
	"cmp"
	"maps"
	"slices"

	"mtok/schema"
	"mtok/schema/stat"
)

// marketKey is one market as one source reads it.
type marketKey struct {
	provider schema.ProviderID
	class    schema.ClassID
	term     schema.Term
	source   string
}

func (k marketKey) compare(l marketKey) int {
	return cmp.Or(cmp.Compare(k.provider, l.provider), cmp.Compare(k.class, l.class),
		cmp.Compare(k.term, l.term), cmp.Compare(k.source, l.source))
}

// baselineShare is how many of the nights of a baseline must be there: more than
// half of them.
func baselineShare(nights int) int { return nights/2 + 1 }

// MarketMoves finds the moves of marketplaces: the rule's statistic over machines,
// so far from its median of the nights before, for so many nights. The input is to
// hold only asks that count, verified and reliable ones where that is published.
func MarketMoves(in Input, r Rule) []Event {
	machines := map[marketKey]map[schema.Day]map[ask]bool{}
	e := engine{in: in}
	spoken := inhibitions(in.Nights)
	for _, reading := range in.Readings {
		if !reading.Market || !e.ask(reading) || spoken.silent(reading.Provider, reading.Day) {
			continue
		}
		key := marketKey{reading.Provider, reading.Class, reading.Term, reading.Source}
		if machines[key] == nil {
			machines[key] = map[schema.Day]map[ask]bool{}
		}
		if machines[key][reading.Day] == nil {
			machines[key][reading.Day] = map[ask]bool{}
		}
		machines[key][reading.Day][ask{reading.Machine, reading.GPUs, reading.Price}] = true
	}
	var events []Event
	for _, key := range slices.SortedFunc(maps.Keys(machines), marketKey.compare) {
		events = append(events, marketEvents(key, marketPoints(machines[key], r), r)...)
	}
	return oneMarket(events, r)
}

// ask reports whether a reading is an ask that counts.
func (e *engine) ask(r Reading) bool { return e.in.unasked(r) == "" }

// ask is one offer of a machine.
type ask struct {
	machine string
	gpus    int
	price   schema.USD
}

// marketPoints are the days of a market with enough machines. Of a machine that is
// known by name the cheapest ask counts.
func marketPoints(days map[schema.Day]map[ask]bool, r Rule) []Point {
	var points []Point
	for _, day := range slices.Sorted(maps.Keys(days)) {
		named := map[string]schema.USD{}
		var prices []schema.USD
		for a := range days[day] {
			if a.machine == "" {
				prices = append(prices, a.price)
			} else if low, seen := named[a.machine]; !seen || a.price < low {
				named[a.machine] = a.price
			}
		}
		prices = append(prices, slices.Collect(maps.Values(named))...)
		if len(prices) >= r.MinMachines {
			points = append(points, Point{Day: day, Value: r.Statistic.of(prices), N: len(prices), Known: true})
		}
	}
	return points
}

// of computes the statistic; it needs at least one price.
func (s Statistic) of(prices []schema.USD) schema.USD {
	if s == StatP25 {
		sorted := slices.Sorted(slices.Values(prices))
		return sorted[(len(sorted)+3)/4-1] // nearest rank
	}
	return stat.Median(prices)
}

// marketEvents walks through one market night by night. The baseline is that of
// the night on which the move began.
func marketEvents(key marketKey, points []Point, r Rule) []Event {
	var events []Event
	var since schema.Day
	var base schema.USD
	nights := 0
	for i, p := range points {
		if nights > 0 && (p.Day-points[i-1].Day > maxGap || !r.far(base, p.Value)) {
			nights = 0
		}
		if nights == 0 {
			var ok bool
			if base, ok = baseline(points[:i], p.Day, r.Baseline); !ok || !r.far(base, p.Value) {
				continue
			}
			since = p.Day
		} else if last := points[i-1].Value; (last > base) != (p.Value > base) {
			nights, since = 0, p.Day // the other way
		}
		nights++
		if nights >= r.For {
			events = append(events, Event{
				Kind: KindMarket, Day: p.Day, Since: since, Provider: key.provider, Class: key.class, Term: key.term,
				From: base, To: p.Value, Sources: []string{key.source},
			})
			nights = 0
		}
	}
	return events
}

// baseline is the median of the values of the nights before a day, where more than
// half of those nights have one.
func baseline(points []Point, day schema.Day, nights int) (schema.USD, bool) {
	var values []schema.USD
	for _, p := range points {
		if p.Known && p.Day < day && day-p.Day <= schema.Day(nights) {
			values = append(values, p.Value)
		}
	}
	if len(values) < max(baselineShare(nights), 1) {
		return 0, false
	}
	return stat.Median(values), true
}

// far reports whether a value lies so far from its baseline, in the direction of
// the rule, that it counts.
func (r Rule) far(from, to schema.USD) bool {
	return from > 0 && r.Direction.holds(from, to) && r.Threshold.reached(from, to)
}

// oneMarket leaves one event a cooldown of each market, whichever source tells it
// first, in the order of days.
func oneMarket(events []Event, r Rule) []Event {
	slices.SortStableFunc(events, func(a, b Event) int { return cmp.Compare(a.Day, b.Day) })
	var left []Event
	for _, e := range events {
		cooling := slices.ContainsFunc(left, func(l Event) bool {
			return l.Provider == e.Provider && l.Class == e.Class && l.Term == e.Term && int(e.Day-l.Day) < r.Cooldown
		})
		if !cooling && r.selects(e) {
			left = append(left, e)
		}
	}
	return left
}
