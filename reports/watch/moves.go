package watch

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"mtok/reports"
	"mtok/reports/alert"
	"mtok/reports/cost"
	"mtok/schema"
)

// moves tells what a rule about moves finds.
func (n *night) moves(ctx context.Context, src Source, r alert.Rule) error {
	var told []alert.Event
	if len(n.in.Confirmed) > 0 {
		unconfirmed := n.in
		unconfirmed.Confirmed = nil
		told = r.Events(unconfirmed)
	}
	for _, e := range r.Events(n.in) {
		if !n.due(e, told) {
			continue
		}
		known, err := n.published(ctx, src)
		if err != nil {
			return err
		}
		series := moveSeries(e)
		n.event(r, series, string(e.Kind), e.Day, e.From, e.To, func(id string) []string {
			return n.moveText(r, e, known, series, id).Lines()
		})
	}
	return nil
}

// moveSeries names what moved: an event of another count of the same list is of the
// same series.
func moveSeries(e alert.Event) string {
	parts := []string{string(e.Provider), string(e.Class), string(e.Term)}
	if e.Commitment != (schema.Commitment{}) {
		parts = append(parts, fmt.Sprintf("%d-%dd", e.Commitment.MinDays, e.Commitment.MaxDays))
	}
	if e.Tier != "" {
		parts = append(parts, string(e.Tier))
	}
	return strings.Join(parts, "/")
}

func (n *night) moveText(r alert.Rule, e alert.Event, known *reports.Night, series, id string) MoveText {
	t := MoveText{
		Word: "CUT", Seller: n.name(e.Provider), Class: e.Class, Term: e.Term, Commitment: e.Commitment, GPUs: e.GPUs,
		From: e.From, To: e.To, Day: e.Day, Since: e.Since, Rule: r.Name, Event: id, Silence: n.silence(r, series),
		Proof: fmt.Sprintf("mtok explain %s --day %s%s", quoted(string(e.Class)), e.Day, n.Database), Sources: e.Sources,
	}
	if e.Tier != "" {
		t.Seller += " " + string(e.Tier)
	}
	if e.Rise() {
		t.Word = "RISE"
	}
	switch e.Kind {
	case alert.KindMarket:
		t.Word = "MARKET DOWN"
		if e.Rise() {
			t.Word = "MARKET UP"
		}
		t.How = fmt.Sprintf("The %s of verified and reliable machines against its median of the %d nights before, for %d nights.",
			r.Statistic, r.Baseline, r.For)
	case alert.KindDrift:
		t.How = "Small steps that sum up. Same listing every night, unit unchanged."
	default:
		t.Held, t.HeldOrMore = n.held(e)
		t.How = "Same listing both nights, unit unchanged."
		if between, ok := n.between(e); ok {
			t.How = fmt.Sprintf("%s is what was told last; since then it stood at %s, which nothing confirmed.", e.From.Fixed(2), between.Fixed(2))
		}
	}
	for _, a := range e.Also {
		also := fmt.Sprintf("%s -> %s", a.From.Fixed(2), a.To.Fixed(2))
		if a.GPUs > 0 {
			also = fmt.Sprintf("%dx ", a.GPUs) + also
		}
		t.Also = append(t.Also, also)
	}
	n.around(&t, e, known)
	return t
}

// around says what the move means: stock, the lowest price, tokens and fleets.
func (n *night) around(t *MoveText, e alert.Event, known *reports.Night) {
	w, measured := n.Settings.Measured(n.Catalog, "", e.Class)
	t.StockGPUs = e.GPUs
	if len(measured) > 0 {
		t.StockGPUs = measured[0].Row.GPUs
		t.Effect = n.effect(w, measured[0], e)
	}
	if e.Kind != alert.KindMarket {
		t.Stock, _ = known.StockOf(e.Class, e.Provider, e.Tier, t.StockGPUs)
	} else {
		t.StockGPUs = 0
	}
	if provider, tier, price, ok := known.Lowest(e.Class); ok {
		t.Lowest, t.LowestPrice = oneLine(n.name(provider)+" "+string(tier)), price
		t.OtherTier = provider == e.Provider && tier != e.Tier
	}
	for _, f := range n.Contracts.Fleets {
		if f.Class == e.Class {
			t.Fleets = append(t.Fleets, fleetLine(f, e.To))
		}
	}
}

// effect is what the move does to a million tokens; nil where that has no figure.
func (n *night) effect(w reports.Workload, on reports.Resolved, e alert.Event) *Effect {
	fx := Effect{Model: on.Row.Model, Precision: on.Row.Precision, GPUs: on.Row.GPUs, Busy: share(n.Settings.Utilization.Rat())}
	var errFrom, errTo error
	fx.FlatFrom, fx.BusyFrom, errFrom = n.Settings.CostAt(on.Row, e.From)
	fx.FlatTo, fx.BusyTo, errTo = n.Settings.CostAt(on.Row, e.To)
	if errFrom != nil || errTo != nil {
		return nil
	}
	api, ok := reports.CompareAPI(w, on.Row.Precision, n.lists, n.Settings)
	if !ok {
		return &fx
	}
	fx.APIIn, fx.APIOut = api.In, api.Out
	for _, v := range []struct {
		price schema.USD
		to    **big.Rat
	}{{e.From, &fx.EvenFrom}, {e.To, &fx.EvenTo}} {
		even, err := cost.BreakEvenAt(cost.Input{
			USDPerHour:      new(big.Rat).Mul(v.price.Rat(), new(big.Rat).SetInt64(int64(on.Row.GPUs))),
			TokensPerSecond: on.Row.TokensPerSecond, Overhead: n.Settings.Overhead,
		}, nil, api.PerMTok)
		if err == nil {
			*v.to = even.Rent
		}
	}
	return &fx
}

// held is for how many days the old price had stood, as far as is looked back.
func (n *night) held(e alert.Event) (days int, orMore bool) {
	stood, first := map[schema.Day]bool{}, e.Since
	for _, r := range n.in.Readings {
		if !before(r, e) {
			continue
		}
		first = min(first, r.Day)
		stood[r.Day] = stood[r.Day] || r.Price == e.From
	}
	since := e.Since
	for day := e.Since - 1; day >= first; day-- {
		if price, read := stood[day]; read && !price {
			return int(e.Since - since), false
		} else if read {
			since = day
		}
	}
	return int(e.Since - since), since == first
}

// before reports whether a reading is of the offer of an event, of a night before it.
func before(r alert.Reading, e alert.Event) bool {
	return r.Provider == e.Provider && r.Class == e.Class && r.Term == e.Term && r.Tier == e.Tier && r.Commitment == e.Commitment &&
		(e.GPUs == 0 || r.GPUs == e.GPUs) && r.Day < e.Since
}

// between is the price of the last night before an event where that is another than
// the one it moved from: a price that waited for a second source and was never told.
func (n *night) between(e alert.Event) (price schema.USD, ok bool) {
	var last schema.Day
	stood := false
	for _, r := range n.in.Readings {
		if !before(r, e) || r.Day < last {
			continue
		}
		if r.Day > last {
			last, price, stood = r.Day, r.Price, false
		}
		price, stood = min(price, r.Price), stood || r.Price == e.From
	}
	return price, last != 0 && !stood
}

// fleetLine says what a price means for GPUs of one's own.
func fleetLine(f schema.Fleet, to schema.USD) string {
	line := fmt.Sprintf("Your fleet %q: %d x %s", f.Name, f.GPUs, f.USDPerGPUHour.Fixed(2))
	if f.FixedTo != 0 {
		line += " fixed to " + f.FixedTo.String()
	}
	switch {
	case to >= f.USDPerGPUHour:
		line += ": no action."
	case f.FixedTo != 0:
		line += fmt.Sprintf(": %s $/GPU-h above this price until then.", (f.USDPerGPUHour - to).Fixed(2))
	default:
		line += fmt.Sprintf(": %s $/GPU-h above this price.", (f.USDPerGPUHour - to).Fixed(2))
	}
	if f.NoticeDays > 0 {
		line += " Next: renewal notice " + (f.FixedTo - schema.Day(f.NoticeDays)).String()
	}
	return line
}

// RuleInhibited is the name under which it is said that a provider is not judged.
const RuleInhibited = "inhibited"

// inhibited says once a spell that a provider's nights are not judged, unless a rule
// about dead sources has said it tonight.
func (n *night) inhibited() {
	r := alert.Rule{Name: RuleInhibited, Severity: alert.SeverityOperator}
	for _, spell := range alert.Moves(n.in).Inhibited {
		if spell.Day != n.day || n.saidStale(spell.Provider) {
			continue
		}
		series := string(spell.Provider)
		n.event(r, series, "inhibited", spell.Day, 0, 0, func(id string) []string {
			return []string{
				fmt.Sprintf("[mtok] NOT JUDGED %s: its night of %s is %s, so that it raises no alert until it is read whole again",
					n.name(spell.Provider), spell.Day, spell.State),
				"See: mtok status" + n.Database, n.closing(r, series, id),
			}
		})
	}
}

func (n *night) saidStale(p schema.ProviderID) bool {
	return slices.ContainsFunc(n.Rules, func(r alert.Rule) bool {
		return r.Metric == alert.MetricStale && slices.ContainsFunc(n.out.States, func(s schema.AlertState) bool {
			return s.Rule == r.Name && s.Series == string(p) && s.Told == n.day
		})
	})
}
