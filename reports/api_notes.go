package reports

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"mtok/reports/cost"
	"mtok/schema"
)

// firstOf are the rows that the lines below the table speak of: of each workload
// the first configuration against the first price.
func firstOf(rows []apiRow) []apiRow {
	var out []apiRow
	for _, r := range rows {
		if !slices.ContainsFunc(out, func(o apiRow) bool { return o.workload.Name == r.workload.Name }) {
			out = append(out, r)
		}
	}
	return out
}

// evenLines give the break-even in tokens a day.
func evenLines(rows []apiRow) []string {
	var out []string
	for _, r := range firstOf(rows) {
		what := r.workload.Name + " on " + r.self.rented()
		perDay, fullPerDay := r.self.ofAll(r.even.PerDay), r.self.ofAll(r.even.FullPerDay)
		input := big.NewRat(0, 1)
		if in := r.workload.InputTokens; in.IsSet() {
			input = new(big.Rat).Mul(perDay, new(big.Rat).Quo(in.Rat(), r.workload.OutputTokens.Rat()))
		}
		if cost.Never(r.even.Rent) {
			out = append(out, fmt.Sprintf("%s never breaks even: flat out it costs %s a million, the API %s; full load is %s output tokens/day.",
				what, r.self.perM.Raw.Fixed(mtokDecimals), r.quote.perMTok.FloatString(mtokDecimals), short(fullPerDay)))
			continue
		}
		out = append(out, fmt.Sprintf("%s breaks even at %s output (+%s input) tokens/day on rent alone; full load is %s/day.",
			what, short(perDay), short(input), short(fullPerDay)))
	}
	return out
}

// replicas are the configurations that are rented together, since a larger node
// can't be had in parts.
func (p placed) replicas() int64 { return int64(max(p.on.Replicas, 1)) }

// ofAll is a figure of one configuration for all that are rented together.
func (p placed) ofAll(one *big.Rat) *big.Rat {
	return new(big.Rat).Mul(one, new(big.Rat).SetInt64(p.replicas()))
}

// gpus are those that must be rented.
func (p placed) gpus() int { return max(p.on.NodeGPUs, p.row.GPUs) }

// rented is what must be rented: "2x h100-sxm-80gb", "8x h100-sxm-80gb (4 replicas)".
func (p placed) rented() string {
	text := fmt.Sprintf("%dx %s", p.gpus(), p.row.Class)
	if p.gpus() != p.row.GPUs {
		text += " (" + count(int(p.replicas()), "replica") + ")"
	}
	return text
}

// monthLines set a month of the first configuration beside its tokens flat out.
func monthLines(rows []apiRow, month cost.Month) []string {
	var out []string
	for _, r := range firstOf(rows) {
		hours := big.NewRat(month.Hours(), 1)
		days := new(big.Rat).Quo(hours, big.NewRat(24, 1))
		tokens := new(big.Rat).Mul(r.self.ofAll(r.even.FullPerDay), days)
		p, err := cost.PictureOfMonth(r.self.ofAll(r.self.on.USDPerHour), hours, tokens, mixOf(r.workload), r.quote.perMTok)
		if err != nil {
			continue
		}
		out = append(out, fmt.Sprintf("%s, %s: %d GPUs cost %s; flat out they give %s output and %s input, by API %s.",
			r.workload.Name, month, r.self.gpus(), dollars(p.Rent), short(p.OutputTokens), short(p.InputTokens), dollars(p.API)))
	}
	return out
}

// fleetLines set a month of each of the user's contracts beside its tokens by API.
func fleetLines(fleets []schema.Fleet, workloads []Workload, lists []APIList, s Settings, month cost.Month) []string {
	var out []string
	prices := pricing(lists)
	for _, f := range fleets {
		say := func(format string, args ...any) {
			out = append(out, fmt.Sprintf("Fleet %q: ", f.Name)+fmt.Sprintf(format, args...))
		}
		at := slices.IndexFunc(workloads, func(w Workload) bool { return sameModel(w.Model, f.Model) })
		switch {
		case f.OutputTokensPerMonth == 0:
			say("no comparison, its tokens_per_month are not known.")
			continue
		case at < 0:
			say("no comparison, no workload says how much input goes with the output of its model %q.", f.Model)
			continue
		}
		quotes, reasons := apiQuotes(workloads[at], "", prices, s)
		if len(quotes) == 0 {
			say("no comparison: %s.", strings.Join(reasons, "; "))
			continue
		}
		hours, when := contractHours(f, month)
		if hours.Sign() == 0 {
			say("no comparison, it is not under contract in %s.", month)
			continue
		}
		rent := new(big.Rat).Mul(f.USDPerGPUHour.Rat(), big.NewRat(int64(f.GPUs), 1))
		p, err := cost.PictureOfMonth(rent, hours, new(big.Rat).SetInt64(f.OutputTokensPerMonth), mixOf(workloads[at]), quotes[0].perMTok)
		if err != nil {
			say("no comparison: %s.", err)
			continue
		}
		input := short(p.InputTokens) + " input"
		if p.InputTokens.Cmp(p.OutputTokens) == 0 {
			input = "as much input"
		}
		say("%d GPUs cost %s a month (%s); %s output and %s by API %s (%s, the mix of %s).",
			f.GPUs, dollars(p.Rent), when, short(p.OutputTokens), input, dollars(p.API), quotes[0].name(), workloads[at].Name)
	}
	return out
}

// contractHours are the hours of a month that a fleet is paid for: of a named one
// those of the days under contract, with how many they are where not all.
func contractHours(f schema.Fleet, month cost.Month) (hours *big.Rat, when string) {
	hours, when = paidHours(f, month), month.String()
	if !month.Named() {
		return hours, when
	}
	first, last, all := max(month.First(), f.FixedFrom), month.Last(), int64(month.Last()-month.First())+1
	if f.FixedTo != 0 {
		last = min(last, f.FixedTo)
	}
	days := max(0, int64(last-first)+1)
	if days < all {
		when += fmt.Sprintf(", %d of its %d days under contract", days, all)
	}
	return hours.Mul(hours, big.NewRat(days, all)), when
}

// spillLines say how many configurations to rent for a load whose rest an API
// serves: that of the first row, so that a dear API makes no machine look cheap.
// Where a larger node must be rented, it is rented whole.
func spillLines(rows []apiRow, s Settings) []string {
	if len(s.HourlyTokens) == 0 || len(rows) == 0 {
		return nil
	}
	r := rows[0]
	for _, other := range rows { // that which earns its rent first
		if other.even.Rent.Cmp(r.even.Rent) < 0 && other.workload.Name == r.workload.Name && other.quote.name() == r.quote.name() {
			r = other
		}
	}
	node := r.self.input(s)
	node.USDPerHour = r.self.ofAll(node.USDPerHour)
	rate, err := schema.ParseDecimal(r.self.ofAll(node.TokensPerSecond.Rat()).FloatString(12))
	if err != nil {
		return []string{"Spill-over: " + err.Error() + "."}
	}
	node.TokensPerSecond = rate
	best, all, err := cost.CheapestSpillOver(s.HourlyTokens, node, r.quote.perMTok)
	if err != nil {
		return []string{"Spill-over: " + err.Error() + "."}
	}
	text := func(o cost.SpillOver) string {
		return fmt.Sprintf("%d GPUs and %s of the tokens by API: rent $%s + API $%s = $%s", o.Configurations*r.self.gpus(),
			wholePercent(o.Spilled), groupMoney(o.Rent), groupMoney(o.API), groupMoney(o.Total))
	}
	return []string{
		fmt.Sprintf("Spill-over over the %s of your load, %s on %s %s, the rest by API (%s), rent only:", count(len(s.HourlyTokens), "hour"),
			r.workload.Name, r.self.rented(), r.self.row.Precision, r.quote.name()),
		"  cheapest: " + text(best) + ".",
		"  all by API: " + text(all[0]) + "; none: " + text(all[2]) + ".",
	}
}

// listLines say of when the lists are, what they leave out, and what a fee would
// change.
func listLines(n Night, rows []apiRow, lists []APIList, s Settings, f Filter) []string {
	var out []string
	switch {
	case len(pricing(lists)) > 0:
	case n.FirstList != 0:
		out = append(out, fmt.Sprintf("No price list of an API up to %s; the first is of %s.", f.Day, n.FirstList))
	default:
		out = append(out, "No price list of an API has been published yet: run mtok nightly.")
	}
	for _, l := range lists {
		out = append(out, l.mark(n.AsOf, s.MaxAge))
	}
	if slices.ContainsFunc(rows, func(r apiRow) bool { return r.quote.statistic == apiListed }) {
		out = append(out, "OpenRouter's list names neither host nor precision: set [[api]] endpoint.")
	}
	out = append(out, feeLines(rows)...)
	return append(out, cacheLines(rows)...)
}

// feeLines say what OpenRouter's fee would change where it is in no figure.
func feeLines(rows []apiRow) []string {
	i := slices.IndexFunc(rows, func(r apiRow) bool {
		return r.quote.seen.Provider == schema.ProviderOpenRouter && !r.quote.price.Fee.IsSet() && !cost.Never(r.even.Rent)
	})
	if i < 0 {
		return nil
	}
	fee, before := OpenRouterFee(), rows[i].even.Rent
	after := new(big.Rat).Quo(before, new(big.Rat).Add(big.NewRat(1, 1), fee.Rat()))
	return []string{fmt.Sprintf("OpenRouter's fee of %s on credits is in the figures of [[api]] fee alone: with it %s becomes %s for %s on %s.",
		percent(fee), busyNeeded(before), busyNeeded(after), rows[i].workload.Name, rows[i].self.row.Class)}
}

// cacheLines say what is assumed of cached input.
func cacheLines(rows []apiRow) []string {
	var out []string
	for _, r := range firstOf(rows) {
		q := r.quote
		line := fmt.Sprintf("Cached input: no cache price listed for %s, so none assumed.", q.seen.Model)
		switch {
		case q.seen.Model == "":
			continue
		case q.price.CacheRead > 0 && q.price.CachedShare.Rat().Sign() > 0:
			line = fmt.Sprintf("Cached input: %s of the input of %s at %s.", percent(q.price.CachedShare), q.seen.Model, q.price.CacheRead)
		case q.price.CacheRead > 0:
			line = fmt.Sprintf("Cached input: %s is listed for %s, none assumed: set [[api]] cached_share.", q.price.CacheRead, q.seen.Model)
		}
		if !slices.Contains(out, line) {
			out = append(out, line)
		}
	}
	return out
}

func mixOf(w Workload) cost.Mix { return cost.Mix{Input: w.InputTokens, Output: w.OutputTokens} }

// short prints a number of tokens with three digits: "298 M", "4.2 G".
func short(tokens *big.Rat) string {
	for _, unit := range []struct {
		name string
		of   int64
	}{{" G", 1_000_000_000}, {" M", 1_000_000}, {" k", 1000}} {
		scaled := new(big.Rat).Quo(tokens, big.NewRat(unit.of, 1))
		switch {
		case scaled.Cmp(big.NewRat(100, 1)) >= 0:
			return scaled.FloatString(0) + unit.name
		case scaled.Cmp(big.NewRat(1, 1)) >= 0:
			return strings.TrimSuffix(scaled.FloatString(1), ".0") + unit.name
		}
	}
	return tokens.FloatString(0)
}

// dollars prints whole dollars with commas.
func dollars(u schema.USD) string { return "$" + groupDigits(u.Fixed(0)) }
