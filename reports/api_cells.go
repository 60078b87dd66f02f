package reports

import (
	"fmt"
	"math/big"
	"strings"

	"mtok/reports/cost"
	"mtok/schema"
)

func apiColumns() []Column {
	columns := []Column{}
	for _, key := range []string{"day", "workload", "model", "input_tokens", "output_tokens", "gpu_class", "shape_gpus", "precision",
		"provider", "tier", "usd_per_hour", "tokens_per_second", "raw_usd_per_mtok", "api", "api_source", "api_model", "api_endpoint",
		"api_precision", "api_day", "api_age_days", "api_in_usd_per_mtok", "api_out_usd_per_mtok", "api_fee", "api_usd_per_mtok",
		"break_even_rent", "break_even_all_in", "break_even_output_tokens_per_day", "full_output_tokens_per_day", "note",
		"throughput", "page", "api_page", "replicas", "overhead", "api_cache_read_usd_per_mtok", "api_cached_share"} {
		columns = append(columns, machine(key))
	}
	return append(columns, screen("workload"), screen("self-host"), screen("seller"), figure("", "flat out", mtokDecimals),
		figure("", "API", mtokDecimals), screen("of"), screen("busy needed: rent"), screen("all-in*"), screen("notes"))
}

// machineCells are exact, and all that each figure of the row can be redone from;
// shares are numbers, also above 1, null where no load would do. The overhead is null
// where items stand in its place.
func (r apiRow) machineCells(asOf schema.Day, lists []APIList, s Settings) Row {
	w, p, q := r.workload, r.self, r.quote
	in, out, fee, apiPage, cacheRead, cached := Null(), Null(), Null(), Null(), Null(), Null()
	if q.statistic != apiMedian {
		in, out, apiPage = Money(q.price.In), Money(q.price.Out), pageCell(q.seen.PageSHA256)
		fee = Number(q.price.Fee)
		cacheRead, cached = moneyOrNull(q.price.CacheRead), Number(q.price.CachedShare)
	}
	day, age := Null(), Null()
	for _, l := range lists {
		if l.Provider == q.seen.Provider || q.statistic == apiMedian && l.Provider != schema.ProviderLiteLLM {
			day, age = DayCell(l.Day), Int(l.age(asOf))
		}
	}
	return Row{
		DayCell(asOf), Text(w.Name), Text(w.Model), Number(w.InputTokens), Number(w.OutputTokens), Text(string(p.row.Class)),
		Int(p.row.GPUs), Text(p.row.Precision), Text(string(p.line.Offer.Provider)), Text(string(tierOf(p.line.Offer))),
		ratMoney(p.on.USDPerHour), Number(p.row.TokensPerSecond), Money(p.perM.Raw), Text(q.statistic), Text(q.seen.Source),
		Text(q.seen.Model), Text(q.seen.Endpoint), Text(q.seen.Precision), day, age, in, out, fee, ratMoney(q.perMTok),
		shareCell(r.even.Rent), shareCell(r.even.AllIn), wholeCell(r.even.PerDay), wholeCell(r.even.FullPerDay), Text(r.note()),
		Text(p.row.ID), pageCell(p.line.PageSHA256), apiPage,
		Int(int(p.replicas())), s.overheadCell(), cacheRead, cached,
	}
}

func (r apiRow) screenCells() Row {
	p := r.self
	return Row{
		Text(mixText(r.workload)), Text(fmt.Sprintf("%s %dx %s", p.row.Class, p.row.GPUs, p.row.Precision)), Text(seller(p.line.Offer)),
		Money(p.perM.Raw), ratMoney(r.quote.perMTok), Text(r.quote.name()), Text(busyNeeded(r.even.Rent)), Text(busyNeeded(r.even.AllIn)),
		Text(r.note()),
	}
}

// note says in what the two sides differ, and what must be rented.
func (r apiRow) note() string {
	var notes []string
	if r.quote.note != "" {
		notes = append(notes, r.quote.note)
	}
	if w, row := r.workload, r.self.row; w.distance(row).Cmp(big.NewRat(1, 1)) != 0 {
		notes = append(notes, fmt.Sprintf("measured at %s, API at %s", lengths(row.InputTokens, row.OutputTokens), lengths(w.InputTokens, w.OutputTokens)))
	}
	if r.self.row.AllowImplausible {
		notes = append(notes, "the throughput "+implausible)
	}
	if r.quote.seen.UptimePPM != nil {
		notes = append(notes, "up "+new(big.Rat).SetFrac64(*r.quote.seen.UptimePPM, 10_000).FloatString(1)+" %")
	}
	if r.self.on.Shape == cost.ShapeLarger {
		notes = append(notes, r.self.on.Note)
	}
	return strings.Join(notes, "; ")
}

// busyNeeded prints a share of the measured throughput: "78 %", "never (120 %)". Near
// 100 it has a decimal, since there it is never or just not.
func busyNeeded(share *big.Rat) string {
	if share == nil {
		return "never"
	}
	text := wholePercent(share)
	if text == "100 %" && !share.IsInt() {
		text = shareText(share)
	}
	if cost.Never(share) {
		return "never (" + text + ")"
	}
	return text
}

// wholePercent rounds to whole per cents, more digits than the two sides have
// would be none.
func wholePercent(share *big.Rat) string {
	return new(big.Rat).Mul(share, big.NewRat(100, 1)).FloatString(0) + " %"
}

// shareCell is a share with four decimals.
func shareCell(share *big.Rat) Cell {
	if share == nil {
		return Null()
	}
	return Cell{Kind: KindNumber, Text: share.FloatString(4)}
}

// wholeCell is a number of tokens.
func wholeCell(tokens *big.Rat) Cell {
	return Cell{Kind: KindNumber, Text: tokens.FloatString(0)}
}
