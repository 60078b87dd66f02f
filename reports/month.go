package reports

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"mtok/reports/cost"
	"mtok/schema"
)

// fleetMonth is what a fleet cost in one month, and what came out of it.
type fleetMonth struct {
	schema.Fleet          // as it stood at the month's end
	gpuHours     *big.Rat // paid for
	hours        *big.Rat // of the clock, paid for
	exact        *big.Rat // the invoice before rounding
	invoice      schema.USD
	recorded     bool // the figures rest on what was kept of the month, or before
	mixed        bool // class, GPUs or model changed within the month
	reasons      []string
}

// tokens are the month's output tokens, nil where unknown.
func (m fleetMonth) tokens() *big.Rat {
	if m.OutputTokensPerMonth == 0 {
		return nil
	}
	return new(big.Rat).SetInt64(m.OutputTokensPerMonth)
}

// history is a fleet of one name: as it was kept, by day, and as the configuration
// has it.
type history struct {
	kept       map[schema.Day]schema.Fleet
	configured *schema.Fleet
	days       []schema.Day // on which any fleet was kept, in order
}

// on is the fleet on a day: as it was last kept, before the first record as on that,
// and after the newest as the configuration has it. It is false where the fleet was
// not there.
func (h history) on(day schema.Day) (f schema.Fleet, recorded, ok bool) {
	if len(h.days) == 0 || day > h.days[len(h.days)-1] {
		if h.configured == nil {
			return schema.Fleet{}, false, false
		}
		return *h.configured, false, true
	}
	i, exact := slices.BinarySearch(h.days, day)
	if !exact {
		i--
	}
	f, ok = h.kept[h.days[max(i, 0)]]
	return f, i >= 0, ok
}

// monthOf adds up a month: each day by the contract that stood on it. It is false
// where the fleet was not there at all. A month without a name is one of 730 hours
// by the configuration.
func (h history) monthOf(m cost.Month) (fleetMonth, bool, error) {
	var out fleetMonth
	if !m.Named() {
		if h.configured == nil {
			return out, false, nil
		}
		out.Fleet, out.hours = *h.configured, paidHours(*h.configured, m)
		out.gpuHours = gpuHours(out.GPUs, out.hours)
		out.exact = new(big.Rat).Mul(out.USDPerGPUHour.Rat(), out.gpuHours)
		return out, true, out.round()
	}
	out.hours, out.gpuHours, out.exact = new(big.Rat), new(big.Rat), new(big.Rat)
	counted, kept, there, prices, served := 0, 0, false, map[schema.USD]bool{}, map[serving]bool{}
	for day := m.First(); day <= m.Last(); day++ {
		f, recorded, ok := h.on(day)
		if !ok {
			continue
		}
		there, out.Fleet, out.recorded = true, f, recorded || out.recorded
		if day < f.FixedFrom || f.FixedTo != 0 && day > f.FixedTo {
			continue
		}
		counted++
		if recorded {
			kept++
		}
		hours := new(big.Rat).SetInt64(24)
		if f.HoursOn.IsSet() {
			hours = f.HoursOn.Rat()
		}
		out.hours.Add(out.hours, hours)
		out.gpuHours.Add(out.gpuHours, gpuHours(f.GPUs, hours))
		out.exact.Add(out.exact, new(big.Rat).Mul(f.USDPerGPUHour.Rat(), gpuHours(f.GPUs, hours)))
		prices[f.USDPerGPUHour], served[serving{f.Class, f.GPUs, f.Model}] = true, true
	}
	out.mixed = len(served) > 1
	if there {
		out.explain(m, counted, kept, len(prices))
	}
	return out, there, out.round()
}

// serving is what must stay for one utilization to be that of a month.
type serving struct {
	class schema.ClassID
	gpus  int
	model string
}

// explain says on what a month rests: so many days under contract, so many of them
// kept, at so many prices.
func (m *fleetMonth) explain(month cost.Month, counted, kept, prices int) {
	say := func(format string, args ...any) { m.reasons = append(m.reasons, fmt.Sprintf(format, args...)) }
	if days := int(month.Last() - month.First() + 1); counted < days {
		say("%d of %d days under contract", counted, days)
		if counted > 0 && m.tokens() != nil {
			say("its tokens are read as those of these days")
		}
	}
	if prices > 1 {
		say("the price changed within the month")
	}
	if m.mixed {
		say("the GPUs or the model changed within the month: no utilization")
	}
	switch {
	case !m.recorded:
		say("not recorded then: as the configuration stands now")
	case kept < counted:
		say("%d of %d days recorded, the others by the contract that is known next to them", kept, counted)
	}
}

func (m *fleetMonth) round() (err error) {
	m.invoice, err = schema.RoundUSD(m.exact)
	return err
}

// variance splits the change of an invoice from one month to the next: more or
// fewer tokens at the old price and rate, tokens per GPU-hour, and the price of a
// GPU-hour. The parts add up to the change. It is false where tokens or hours of
// either month are unknown.
type variance struct{ total, price, volume, throughput schema.USD }

func varianceOf(old, now fleetMonth) (variance, bool) {
	before, after := old.tokens(), now.tokens()
	if before == nil || after == nil || old.gpuHours.Sign() == 0 || now.gpuHours.Sign() == 0 {
		return variance{}, false
	}
	oldPrice := new(big.Rat).Quo(old.exact, old.gpuHours)
	newPrice := new(big.Rat).Quo(now.exact, now.gpuHours)
	// the GPU-hours that the new tokens would have taken at the old rate
	asBefore := new(big.Rat).Mul(old.gpuHours, new(big.Rat).Quo(after, before))
	volume := new(big.Rat).Mul(oldPrice, new(big.Rat).Sub(asBefore, old.gpuHours))
	price := new(big.Rat).Mul(new(big.Rat).Sub(newPrice, oldPrice), now.gpuHours)
	v := variance{total: now.invoice - old.invoice}
	var errs [2]error
	v.volume, errs[0] = schema.RoundUSD(volume)
	v.price, errs[1] = schema.RoundUSD(price)
	if errs[0] != nil || errs[1] != nil {
		return variance{}, false
	}
	v.throughput = v.total - v.volume - v.price // the rest, so that nothing is lost in rounding
	return v, true
}

// histories sorts kept and configured fleets by name, those of the configuration
// first.
func histories(kept, configured []schema.Fleet) (names []string, by map[string]*history) {
	by = map[string]*history{}
	var days []schema.Day
	of := func(name string) *history {
		if by[name] == nil {
			by[name] = &history{kept: map[schema.Day]schema.Fleet{}}
			names = append(names, name)
		}
		return by[name]
	}
	for i, f := range configured {
		of(f.Name).configured = &configured[i]
	}
	for _, f := range slices.SortedFunc(slices.Values(kept), func(a, b schema.Fleet) int {
		return cmp.Or(cmp.Compare(a.Day, b.Day), strings.Compare(a.Name, b.Name))
	}) {
		of(f.Name).kept[f.Day] = f
		days = append(days, f.Day)
	}
	days = slices.Compact(days)
	for _, h := range by {
		h.days = days
	}
	return names, by
}
