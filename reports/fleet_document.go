package reports

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"mtok/schema"
)

// Fleets is `report fleet`: what the user's own GPUs cost a month of 730 hours,
// what a million output tokens really cost on them, and what the market asks
// tonight for the same shape. Without tokens the cost per token is unknown.
func Fleets(n Night, contracts schema.Contracts, catalog *schema.Catalog, s Settings, f Filter) Document {
	doc := Document{Name: "fleet", Title: "Your fleets, USD for a month of 730 hours", AsOf: n.AsOf, Empty: n.Empty,
		Columns: fleetColumns(), Before: Filter{Class: f.Class, Provider: f.Provider}.only()} // the market is on demand
	if len(contracts.Fleets)+len(contracts.Quotes) == 0 {
		doc.After = append(doc.After, "No fleet: put GPUs, $/h and tokens a month into [[fleet]] of config.toml.")
	}
	for _, fleet := range contracts.Fleets {
		if !f.keepsClass(fleet.Class) {
			continue
		}
		st, err := stand(n, fleet, catalog, s, f.Provider)
		if err != nil {
			return refused(doc, err)
		}
		doc.Rows = append(doc.Rows, st.cells(n))
		doc.After = append(doc.After, st.lines(n)...)
	}
	for _, q := range contracts.Quotes {
		if f.keepsClass(q.Class) {
			doc.Rows = append(doc.Rows, quoteCells(q, n.marketAt(f.Provider, q.Class, q.GPUCount, catalog, s)))
			doc.After = append(doc.After, quoteLine(q))
		}
	}
	if len(doc.Rows) == 0 && len(contracts.Fleets)+len(contracts.Quotes) > 0 {
		doc.After = append(doc.After, fmt.Sprintf("No fleet or quote of %s; yours are of %s.", f.Class, strings.Join(contractClasses(contracts), ", ")))
	}
	if len(doc.Rows) > 0 {
		doc.After = append(doc.After, "Market: the cheapest eligible on-demand price of the same shape tonight. Tokens are output tokens as you typed them.")
	}
	doc.After = append(doc.After, n.marks(f, s.MaxAge, nil)...)
	return doc
}

// contractClasses are the classes of the user's contracts, each once, in their order.
func contractClasses(c schema.Contracts) []string {
	var out []string
	add := func(class schema.ClassID) {
		if !slices.Contains(out, string(class)) {
			out = append(out, string(class))
		}
	}
	for _, f := range c.Fleets {
		add(f.Class)
	}
	for _, q := range c.Quotes {
		add(q.Class)
	}
	return out
}

func fleetColumns() []Column {
	return []Column{
		both("fleet", "fleet"), machine("kind"), both("gpu_class", "class"), figure("gpus", "gpus", 0),
		figure("usd_per_gpu_hour", "$/GPU-h", hourDecimals), machine("hours"), figure("invoice_usd", "$/month", 2),
		machine("output_tokens"), machine("usd_per_mtok"), machine("all_in_usd_per_mtok"), machine("model"), machine("workload"),
		machine("throughput"), machine("tokens_per_second"), machine("configurations"), machine("achieved_utilization"),
		{Header: "tokens/month", View: OnScreen, Align: AlignRight}, {Header: "$/MTok", View: OnScreen, Align: AlignRight},
		{Header: "busy", View: OnScreen, Align: AlignRight},
		figure("market_usd_per_gpu_hour", "market", hourDecimals), both("market_seller", "at"), machine("market_shape_gpus"),
		machine("market_invoice_usd"), figure("switch_usd_per_month", "to switch", 2),
		machine("fixed_from"), machine("fixed_to"), both("notice_day", "notice by"), machine("days_to_notice"), machine("source"), machine("reason"),
	}
}

// unknown is what a screen says of a figure that nobody knows.
const unknown = "unknown"

func (st standing) cells(n Night) Row {
	perToken, tokens, busy, allIn := Null(), Null(), Null(), Null()
	onTokens, onPaid, onBusy := Text(unknown), Text(unknown), Text(unknown)
	if st.OutputTokensPerMonth > 0 {
		tokens, perToken = Number(tokensOf(st.Fleet)), Money(st.paid)
		onTokens, onPaid = Text(groupDigits(fmt.Sprint(st.OutputTokensPerMonth))), Text(st.paid.Fixed(mtokDecimals))
	}
	if st.busy != nil {
		busy, onBusy = Cell{Kind: KindNumber, Text: st.busy.FloatString(4)}, Text(shareText(st.busy))
	}
	if st.allIn > 0 {
		allIn = Money(st.allIn)
	}
	workload, row, rate := Null(), Null(), Null()
	if st.workload != "" {
		workload, row, rate = Text(st.workload), Text(st.on.Row.ID), Number(st.on.Row.TokensPerSecond)
	}
	out := Row{Text(st.Name), Text("fleet"), Text(string(st.Class)), Int(st.GPUs), Money(st.USDPerGPUHour), ratCell(st.hours), Money(st.invoice),
		tokens, perToken, allIn, Text(st.Model), workload, row, rate, countCell(st.configurations), busy, onTokens, onPaid, onBusy}
	out = append(out, st.market.cells(st.invoice)...)
	notice, days := st.notice(n)
	return append(out, dayOrNull(st.FixedFrom), dayOrNull(st.FixedTo), notice, days, Null(), Text(strings.Join(st.reasons, "; ")))
}

// cells are price, seller, shape, invoice, and the change from an invoice.
func (m market) cells(from schema.USD) Row {
	if m.seller == "" {
		return Row{Null(), Text("-"), Null(), Null(), Null()}
	}
	change := Null()
	if from > 0 {
		change = Money(m.invoice - from)
	}
	return Row{ratMoney(m.perGPU), Text(m.seller), Int(m.gpus), moneyOrNull(m.invoice), change}
}

// notice is the last day on which the contract can be ended, and how far that is.
func (st standing) notice(n Night) (day, days Cell) {
	if st.FixedTo == 0 {
		return Null(), Null()
	}
	by := st.FixedTo - schema.Day(st.NoticeDays)
	if n.Empty {
		return DayCell(by), Null()
	}
	return DayCell(by), Int(int(by - n.AsOf))
}

func (st standing) lines(n Night) []string {
	line := fmt.Sprintf("%s: %d x %s $/GPU-h x %s h = %s $ a month", st.Name, st.GPUs, st.USDPerGPUHour.Fixed(hourDecimals), trimmed(st.hours),
		groupMoney(st.invoice))
	if st.OutputTokensPerMonth > 0 {
		line += fmt.Sprintf(", / %s output tokens = %s $/MTok", groupDigits(fmt.Sprint(st.OutputTokensPerMonth)), st.paid.Fixed(mtokDecimals))
	} else {
		line += "; tokens unknown, so no cost per token"
	}
	if st.allIn > 0 {
		line += fmt.Sprintf(", %s with the items of [overhead]", st.allIn.Fixed(mtokDecimals))
	}
	if st.busy != nil {
		line += fmt.Sprintf("; %s busy, of %d x %s tok/s (%s, %s)", shareText(st.busy), st.configurations, st.on.Row.TokensPerSecond, st.workload, st.on.Row.Load())
	}
	out := []string{line + "."}
	if st.market.seller != "" {
		out = append(out, fmt.Sprintf("%s, market tonight: %s $/GPU-h at %s%s: %s $ a month, %s.", st.Name, fixedRat(st.market.perGPU), st.market.seller,
			bracketed(st.market.note), groupMoney(st.market.invoice), changeText(st.market.invoice-st.invoice)))
	} else {
		out = append(out, st.Name+", market tonight: "+st.market.note+".")
	}
	if line := st.contractLine(n); line != "" {
		out = append(out, line)
	}
	for _, reason := range st.reasons {
		out = append(out, st.Name+": "+reason+".")
	}
	return out
}

func (st standing) contractLine(n Night) string {
	if !n.Empty && st.FixedFrom > n.AsOf {
		return fmt.Sprintf("%s: the contract begins on %s.", st.Name, st.FixedFrom)
	}
	if st.FixedTo == 0 {
		return ""
	}
	by := st.FixedTo - schema.Day(st.NoticeDays)
	line := fmt.Sprintf("%s: fixed to %s, so a switch pays only after it; renewal notice by %s", st.Name, st.FixedTo, by)
	switch {
	case n.Empty:
	case n.AsOf > st.FixedTo:
		return fmt.Sprintf("%s: the contract ended on %s.", st.Name, st.FixedTo)
	case by >= n.AsOf:
		line += fmt.Sprintf(", in %s", count(int(by-n.AsOf), "day"))
	default:
		line += fmt.Sprintf(", %s ago", count(int(n.AsOf-by), "day"))
	}
	return line + "."
}

func changeText(change schema.USD) string {
	switch {
	case change < 0:
		return groupMoney(-change) + " less than yours"
	case change > 0:
		return groupMoney(change) + " more than yours"
	}
	return "the same as yours"
}

func quoteCells(q schema.Quote, m market) Row {
	out := make(Row, 0, 30)
	out = append(out, Text(q.Name), Text("quote"), Text(string(q.Class)), Int(q.GPUCount), Money(q.USDPerGPUHour), Null(), Null())
	out = append(out, make(Row, 9)...)
	out = append(out, Text("-"), Text("-"), Text("-"))
	out = append(out, m.cells(0)...)
	return append(out, Null(), Null(), Null(), Null(), Text(q.Source), Text(quoteTerm(q)))
}

func quoteTerm(q schema.Quote) string {
	if q.Term == schema.TermReserved {
		return fmt.Sprintf("reserved for %s", count(q.Commitment.MinDays, "day"))
	}
	return string(q.Term)
}

func quoteLine(q schema.Quote) string {
	return fmt.Sprintf("%s: quoted by %s on %s, %s x %s $/GPU-h, %s (%s); in no statistic.", q.Name, q.Provider, q.QuotedOn,
		count(q.GPUCount, "GPU"), q.USDPerGPUHour.Fixed(hourDecimals), quoteTerm(q), q.Source)
}

// shareText prints a share in percent: "9.2 %".
func shareText(r *big.Rat) string {
	return new(big.Rat).Mul(r, big.NewRat(100, 1)).FloatString(1) + " %"
}

func bracketed(note string) string {
	if note == "" {
		return ""
	}
	return " (" + note + ")"
}

func dayOrNull(d schema.Day) Cell {
	if d == 0 {
		return Null()
	}
	return DayCell(d)
}

func moneyOrNull(u schema.USD) Cell {
	if u == 0 {
		return Null()
	}
	return Money(u)
}

// ratCell is an exact number with up to four decimals.
func ratCell(r *big.Rat) Cell { return Cell{Kind: KindNumber, Text: trimmed(r)} }

func trimmed(r *big.Rat) string {
	return strings.TrimSuffix(strings.TrimRight(r.FloatString(4), "0"), ".")
}

// groupMoney prints cents with commas at the thousands.
func groupMoney(u schema.USD) string {
	whole, cents, _ := strings.Cut(u.Fixed(2), ".")
	return groupDigits(whole) + "." + cents
}

// groupDigits puts commas into the whole part of a number.
func groupDigits(digits string) string {
	sign := ""
	digits, decimals, hasPoint := strings.Cut(digits, ".")
	if strings.HasPrefix(digits, "-") {
		sign, digits = "-", digits[1:]
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	if hasPoint {
		digits += "." + decimals
	}
	return sign + digits
}
