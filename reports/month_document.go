package reports

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"mtok/reports/cost"
	"mtok/schema"
)

// MonthOfFleets is `report month`: the invoice of each fleet for a month, what a
// million output tokens cost by it, and what changed since the month before. A
// named month has its own hours and is added up by the contracts that were kept of
// its days; one without a name has 730 hours by the configuration.
func MonthOfFleets(m cost.Month, kept, configured []schema.Fleet, catalog *schema.Catalog, s Settings) Document {
	title := fmt.Sprintf("What your GPUs cost in %s, %d hours", m, m.Hours())
	if !m.Named() {
		title = "What your GPUs cost in a month of 730 hours"
	}
	doc := Document{Name: "month", Title: title, Columns: monthColumns()}
	names, by := histories(kept, configured)
	total, rows := new(big.Rat), 0
	for _, name := range names {
		now, there, err := by[name].monthOf(m)
		if err != nil {
			return refused(doc, fmt.Errorf("fleet %q: %w", name, err))
		}
		if !there {
			continue
		}
		changed, reason := since(by[name], now, m)
		row, err := now.cells(m, changed, reason, catalog, s)
		if err != nil {
			return refused(doc, fmt.Errorf("fleet %q: %w", name, err))
		}
		doc.Rows = append(doc.Rows, row)
		doc.After = append(doc.After, now.line(changed, reason))
		total.Add(total, now.exact)
		rows++
	}
	switch {
	case rows == 0:
		doc.After = append(doc.After, "No fleet in this month: put GPUs, $/h and tokens a month into [[fleet]] of config.toml.")
	case rows > 1:
		if sum, err := schema.RoundUSD(total); err == nil {
			doc.After = append(doc.After, fmt.Sprintf("All fleets: %s $.", groupMoney(sum)))
		}
	}
	if rows > 0 {
		doc.After = append(doc.After,
			"$/MTok is the invoice over the output tokens that came out: no throughput and no utilization is guessed. Net of tax.")
	}
	return doc
}

// since is what changed since the month before, nil with a reason where that is
// not known.
func since(h *history, now fleetMonth, m cost.Month) (*variance, string) {
	if !m.Named() {
		return nil, ""
	}
	previous := cost.MonthOf(m.First() - 1)
	old, there, err := h.monthOf(previous)
	switch {
	case err != nil || !there || !old.recorded:
		return nil, fmt.Sprintf("%s was not recorded: no variance", previous)
	case old.tokens() == nil || now.tokens() == nil:
		return nil, "tokens unknown: no variance"
	}
	v, ok := varianceOf(old, now)
	if !ok {
		return nil, fmt.Sprintf("nothing was paid for in %s or %s: no variance", previous, m)
	}
	return &v, ""
}

func monthColumns() []Column {
	return []Column{
		machine("month"), both("fleet", "fleet"), both("gpu_class", "class"), figure("gpus", "gpus", 0),
		figure("usd_per_gpu_hour", "$/GPU-h", hourDecimals), machine("hours"), {Header: "hours", View: OnScreen, Align: AlignRight}, machine("gpu_hours"),
		figure("invoice_usd", "invoice $", 2), machine("output_tokens"), machine("usd_per_mtok"), machine("achieved_utilization"),
		{Header: "output tokens", View: OnScreen, Align: AlignRight}, {Header: "$/MTok", View: OnScreen, Align: AlignRight},
		{Header: "busy", View: OnScreen, Align: AlignRight},
		figure("change_usd", "change $", 2), figure("price_usd", "by price", 2), figure("volume_usd", "by volume", 2),
		figure("throughput_usd", "by throughput", 2), machine("reason"),
	}
}

func (m fleetMonth) cells(month cost.Month, v *variance, reason string, catalog *schema.Catalog, s Settings) (Row, error) {
	label := Text(month.String())
	if !month.Named() {
		label = Null()
	}
	price := ratMoney(m.meanPrice())
	tokens, perToken, onTokens, onPaid := Null(), Null(), Text(unknown), Text(unknown)
	if m.tokens() != nil && m.invoice > 0 {
		paid, err := cost.Paid(m.invoice, tokensOf(m.Fleet))
		if err != nil {
			return nil, err
		}
		tokens, perToken = Number(tokensOf(m.Fleet)), Money(paid)
		onTokens, onPaid = Text(groupDigits(tokens.Text)), Text(paid.Fixed(mtokDecimals))
	}
	busy, onBusy, doubt := m.busy(catalog, s)
	row := Row{label, Text(m.Name), Text(string(m.Class)), Int(m.GPUs), price, ratCell(m.hours), Text(hoursText(m.hours)), ratCell(m.gpuHours), Money(m.invoice),
		tokens, perToken, busy, onTokens, onPaid, onBusy}
	if v != nil {
		row = append(row, Money(v.total), Money(v.price), Money(v.volume), Money(v.throughput))
	} else {
		row = append(row, Null(), Null(), Null(), Null())
	}
	reasons := slices.Clone(m.reasons)
	if doubt != "" {
		reasons = append(reasons, doubt)
	}
	if reason != "" {
		reasons = append(reasons, reason)
	}
	return append(row, Text(strings.Join(reasons, "; "))), nil
}

// hoursText prints hours with one decimal where they are not whole.
func hoursText(hours *big.Rat) string {
	if hours.IsInt() {
		return groupDigits(hours.FloatString(0))
	}
	return groupDigits(hours.FloatString(1))
}

// meanPrice is that of a GPU-hour, the mean of the hours where it changed.
func (m fleetMonth) meanPrice() *big.Rat {
	if m.gpuHours.Sign() == 0 {
		return m.USDPerGPUHour.Rat()
	}
	return new(big.Rat).Quo(m.exact, m.gpuHours)
}

// busy is the share of the measured throughput that came out, unknown without
// tokens or a measurement, and where it was not one machine all the month. The
// doubt is what a reader must know of it.
func (m fleetMonth) busy(catalog *schema.Catalog, s Settings) (exact, shown Cell, doubt string) {
	st := standing{Fleet: m.Fleet}
	if st.measure(catalog, s); st.workload == "" || m.tokens() == nil || m.gpuHours.Sign() == 0 || m.mixed {
		return Null(), Text(unknown), ""
	}
	if st.on.Row.AllowImplausible {
		doubt = "the throughput " + implausible
	}
	all := new(big.Rat).Mul(st.on.Row.TokensPerSecond.Rat(), new(big.Rat).SetInt64(int64(st.configurations)*secondsPerHour))
	share := new(big.Rat).Quo(m.tokens(), all.Mul(all, m.hours))
	return Cell{Kind: KindNumber, Text: share.FloatString(4)}, Text(shareText(share)), doubt
}

func (m fleetMonth) line(v *variance, reason string) string {
	line := fmt.Sprintf("%s: %s GPU-hours at %s $/GPU-h, invoice %s $", m.Name, groupDigits(trimmed(m.gpuHours)), fixedRat(m.meanPrice()), groupMoney(m.invoice))
	if m.tokens() == nil {
		line += "; tokens unknown, so no cost per token"
	}
	if v != nil {
		line += fmt.Sprintf("; %s since the month before: price %s, volume %s, throughput %s", signed(v.total), signed(v.price), signed(v.volume), signed(v.throughput))
	}
	reasons := m.reasons
	if reason != "" {
		reasons = append(reasons, reason)
	}
	if len(reasons) > 0 {
		line += "; " + strings.Join(reasons, "; ")
	}
	return line + "."
}

func signed(u schema.USD) string {
	if u < 0 {
		return "-" + groupMoney(-u)
	}
	return "+" + groupMoney(u)
}
