package alert

import (
	"cmp"
	"math/big"
	"slices"

	"mtok/schema"
)

// Target judges a value against a fixed price: at or below it, or at or above it
// where the rule looks up. It needs no baseline and may fire on the first night.
func (r Rule) Target(points []Point, day schema.Day) Check {
	p, c := tonight(points, day)
	if !c.Known {
		return c
	}
	return r.limit(c, r.Threshold.Target, p.Value)
}

// limit is the check of a value against a limit that it must reach.
func (r Rule) limit(c Check, limit, value schema.USD) Check {
	down := r.Direction != Up
	c.From = limit
	c.Active = value <= limit
	if !down {
		c.Active = value >= limit
	}
	c.Clear = !c.Active && r.rearmed(limit, value, down)
	return c
}

// Relative judges a value against the median of the rule's baseline nights: any
// change or one of so many per cent. Without more than half of these nights there
// is no value to judge.
func (r Rule) Relative(points []Point, day schema.Day) Check {
	p, c := tonight(points, day)
	if !c.Known {
		return c
	}
	base, ok := baseline(before(points, day, r.Baseline), day, r.Baseline)
	if !ok {
		c.Known = false
		return c
	}
	c.From = base
	c.Active = r.far(base, p.Value)
	c.Clear = !c.Active
	return c
}

// RelativeTo is Relative to the baseline that a state began with: while an alert is
// pending or firing its own move must not become what it is measured against.
func (r Rule) RelativeTo(s State, points []Point, day schema.Day) Check {
	if s.Checksum != r.Checksum() || s.From == 0 || s.Status != Pending && s.Status != Firing {
		return r.Relative(points, day)
	}
	p, c := tonight(points, day)
	if !c.Known {
		return c
	}
	c.From = s.From
	c.Active = r.far(s.From, p.Value)
	c.Clear = !c.Active
	if s.Status == Firing && !c.Active {
		c.Clear = r.rearmed(r.edge(s.From, s.Told), p.Value, s.Told < s.From)
	}
	return c
}

// NewLow judges whether a value lies below every one of the baseline nights, or of
// all nights where the rule names no baseline.
func (r Rule) NewLow(points []Point, day schema.Day) Check {
	p, c := tonight(points, day)
	past := before(points, day, r.Baseline)
	if !c.Known || len(past) < oldNights {
		c.Known = false
		return c
	}
	low := slices.MinFunc(past, func(a, b Point) int { return cmp.Compare(a.Value, b.Value) }).Value
	c.From = low
	c.Active = p.Value < low && (r.Threshold.Kind != ThresholdPercent || percentApart(low, p.Value, r.Threshold.Percent))
	c.Clear = !c.Active
	return c
}

// BreakEven judges whether self-hosting costs less a million tokens than the API
// does, or more where the rule looks up (see Sides). It tells when a side is left,
// so that the first night only says on which side one is.
func (r Rule) BreakEven(self, api []Point, day schema.Day) Check {
	mine, c := tonight(self, day)
	theirs, ok := at(api, day)
	c.Crossing = true
	if !c.Known || !ok || !theirs.fresh() {
		c.Known = false
		return c
	}
	c.From = theirs.Value
	c.Active = (r.Direction == Up) == (mine.Value > theirs.Value) && mine.Value != theirs.Value
	c.Clear = !c.Active && r.rearmed(theirs.Value, mine.Value, r.Direction != Up)
	return c
}

// Sides are the rules by which a rule that looks both ways is judged, each with a
// state of its own: crossing a line upwards and downwards are two alerts. Rules
// about moves have one side.
func (r Rule) Sides() []Rule {
	if r.Direction != Both || r.Metric != MetricBreakEven && r.Metric != MetricAvailable {
		return []Rule{r}
	}
	down, up := r, r
	down.Direction, up.Direction = Down, Up
	return []Rule{down, up}
}

// Mine judges the market's price against that of a contract, both per GPU-hour: so
// many per cent under it, and over by the re-arm margin. It needs no baseline.
func (r Rule) Mine(market []Point, contract schema.USD, day schema.Day) Check {
	p, c := tonight(market, day)
	if !c.Known || contract <= 0 {
		c.Known = false
		return c
	}
	c.From = contract
	c.Active = p.Value < contract && r.Threshold.reached(contract, p.Value)
	c.Clear = !c.Active && (!r.Rearm.IsSet() || r.rearmed(r.edge(contract, 0), p.Value, true))
	return c
}

// Renewal judges whether a contract ends within so many days: one series for each
// number of days of a rule.
func (r Rule) Renewal(end schema.Day, within int, day schema.Day) Check {
	left := end - day
	active := left >= 0 && left <= schema.Day(within)
	return Check{Day: day, Known: true, Active: active, Clear: !active}
}

// Stock is what a night says of the stock of a shape.
type Stock struct {
	Day       schema.Day
	State     schema.Stock
	Inhibited bool
	// Complete says that all was asked: only then does an offer that is not listed
	// count as sold out.
	Complete bool
	Listed   bool
}

// Available judges whether a shape can be rented: it tells when it comes into
// stock, or when it leaves where the rule looks down. Stock that nobody publishes
// is no value.
func (r Rule) Available(night Stock) Check {
	c := Check{Day: night.Day, Crossing: true, Inhibited: night.Inhibited}
	var in bool
	switch {
	case night.Listed && night.State != schema.StockUnknown:
		c.Known, in = true, night.State == schema.StockAvailable
	case !night.Listed && night.Complete:
		c.Known = true
	}
	c.Active = c.Known && in == (r.Direction != Down)
	c.Clear = c.Known && !c.Active
	return c
}

// Stale judges whether a source is dead: no complete read for the nights of the
// rule's For. last is its last good day, 0 for none yet.
func (r Rule) Stale(last, day schema.Day) Check {
	nights := day - last
	return Check{Day: day, Known: last != 0, Active: last != 0 && nights > 0, Clear: last != 0 && nights <= 0}
}

// edge is where the condition of a relative rule ends, on the side of the told
// value.
func (r Rule) edge(from, told schema.USD) schema.USD {
	if r.Threshold.Kind != ThresholdPercent {
		return from
	}
	share := new(big.Rat).Quo(r.Threshold.Percent.Rat(), big.NewRat(100, 1))
	if told < from {
		share.Neg(share)
	}
	limit := new(big.Rat).Mul(from.Rat(), share.Add(share, big.NewRat(1, 1)))
	edge, err := schema.RoundUSD(limit)
	if err != nil {
		return from // too large to be a price
	}
	return edge
}

// tonight is the point of a day and the check that it begins.
func tonight(points []Point, day schema.Day) (Point, Check) {
	p, ok := at(points, day)
	return p, Check{Day: day, Known: ok && p.fresh(), Inhibited: ok && p.Inhibited, Value: p.Value}
}
