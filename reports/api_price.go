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

// APIChoice names an endpoint to compare with, and what comes on top of its price.
type APIChoice struct {
	// Workload is the workload that it is for, empty for every one of its model.
	Workload string
	Model    string // as the list names it; empty for the workload's
	// Endpoint is who answers, Precision the precision that it serves; empty for the
	// list's price, which names neither.
	Endpoint, Precision string
	Fee                 schema.Decimal // share on top of the bill
	CachedShare         schema.Decimal // of the input, where a cache price is listed
}

// OpenRouterFee is the share that buying OpenRouter's credits costs on top, of its
// price page in 2026: in no figure unless [[api]] sets it.
func OpenRouterFee() schema.Decimal { return schema.MustDecimal("0.055") }

// The statistics of an API price.
const (
	apiListed   = "list"     // the list's one price, of whoever answers
	apiNamed    = "named"    // the endpoint that [[api]] names
	apiCheapest = "cheapest" // endpoint
	apiMedian   = "median"   // of the endpoints
)

// apiQuote is an API price beside a workload.
type apiQuote struct {
	statistic string
	seen      schema.TokenObservation // zero for a median
	price     cost.APIPrice
	perMTok   *big.Rat // output, with the input that goes with it
	of        int      // endpoints that it is the cheapest or median of
	note      string   // in what it differs
}

// name is how a screen calls it.
func (q apiQuote) name() string {
	name := cmp.Or(q.seen.Endpoint, string(q.seen.Provider)+" list")
	if q.price.Fee.Rat().Sign() > 0 {
		name += " +" + percent(q.price.Fee)
	}
	switch q.statistic {
	case apiMedian:
		return fmt.Sprintf("median of %d endpoints", q.of)
	case apiCheapest:
		return fmt.Sprintf("%s, cheapest of %d", name, q.of)
	}
	return name
}

// apiQuotes are the prices to compare a workload with: those that are named, else
// the list's, the cheapest and the median endpoint. Endpoints of the precision of
// the configuration stand alone; where there are none the row says so. Without any
// quote reasons say why; of names that are not listed they say it beside quotes.
func apiQuotes(w Workload, precision string, rows []schema.TokenObservation, s Settings) (quotes []apiQuote, reasons []string) {
	mix := cost.Mix{Input: w.InputTokens, Output: w.OutputTokens}
	if !mix.Input.IsSet() || !mix.Output.IsSet() {
		return nil, []string{w.Name + ": no comparison, its input and output lengths are not both known"}
	}
	for _, choice := range s.APIs {
		if q, reason, ours := choice.quote(w, rows, mix, precision); reason != "" {
			reasons = append(reasons, reason)
		} else if ours {
			quotes = append(quotes, q)
		}
	}
	of := priced(w, rows, func(o schema.TokenObservation) bool { return sameModel(o.Model, w.Model) })
	if models := namesOf(of, func(o schema.TokenObservation) string { return o.Model }); len(models) > 1 {
		return quotes, append(reasons, fmt.Sprintf("%s: the list has %s: name one in [[api]] model", w.Name, strings.Join(models, " and ")))
	}
	if len(quotes) == 0 {
		for _, o := range of {
			if o.Endpoint == "" {
				quotes = appendQuote(quotes, apiQuote{statistic: apiListed, seen: o, price: priceOf(o)}, mix, precision)
			}
		}
	}
	quotes = append(quotes, spread(of, mix, precision)...)
	if len(quotes) == 0 && len(reasons) == 0 {
		reasons = append(reasons, fmt.Sprintf("%s: no API lists a price of %s that counts", w.Name, w.Model))
	}
	return quotes, reasons
}

// priced are the rows with a price, of each key the tier by prompt length that the
// workload's input is in.
func priced(w Workload, rows []schema.TokenObservation, keep func(schema.TokenObservation) bool) []schema.TokenObservation {
	var out []schema.TokenObservation
	for _, o := range rows { // in the order of keys: a later tier begins higher
		if !keep(o) || new(big.Rat).SetInt64(o.MinPromptTokens).Cmp(w.InputTokens.Rat()) > 0 {
			continue
		}
		first := o.TokenKey
		first.MinPromptTokens = 0
		if n := len(out); n > 0 {
			last := out[n-1].TokenKey
			if last.MinPromptTokens = 0; last == first {
				out = out[:n-1]
			}
		}
		out = append(out, o)
	}
	return slices.DeleteFunc(out, func(o schema.TokenObservation) bool { return !o.Priced() })
}

func priceOf(o schema.TokenObservation) cost.APIPrice {
	return cost.APIPrice{In: o.In, Out: o.Out, CacheRead: o.CacheRead}
}

// appendQuote prices a quote; one that can't be is none.
func appendQuote(quotes []apiQuote, q apiQuote, mix cost.Mix, precision string) []apiQuote {
	var err error
	if q.perMTok, err = q.price.PerMTok(mix); err != nil {
		return quotes
	}
	switch {
	case precision == "":
	case q.seen.Precision == "":
		q.note = "precision there unknown, " + precision + " here"
	case !samePrecision(q.seen.Precision, precision):
		q.note = fmt.Sprintf("%s there, %s here", strings.ToUpper(q.seen.Precision), precision)
	}
	return append(quotes, q)
}

// spread is the cheapest and the median endpoint: of the precision, if it has any.
func spread(of []schema.TokenObservation, mix cost.Mix, precision string) []apiQuote {
	var same, all []apiQuote
	for _, o := range of {
		if o.Endpoint == "" {
			continue
		}
		q := apiQuote{seen: o, price: priceOf(o)}
		all = appendQuote(all, q, mix, precision)
		if samePrecision(o.Precision, precision) {
			same = appendQuote(same, q, mix, precision)
		}
	}
	note := ""
	if len(same) == 0 {
		if same = all; len(same) > 0 {
			note = "no endpoint at " + precision + ": of any precision"
		}
	}
	if len(same) == 0 {
		return nil
	}
	slices.SortFunc(same, func(a, b apiQuote) int {
		return cmp.Or(a.perMTok.Cmp(b.perMTok), compareTokenKeys(a.seen.TokenKey, b.seen.TokenKey))
	})
	cheapest := same[0]
	cheapest.statistic, cheapest.of, cheapest.note = apiCheapest, len(same), cmp.Or(cheapest.note, note)
	if len(same) == 1 {
		return []apiQuote{cheapest}
	}
	half := len(same) / 2
	middle := same[half].perMTok
	if len(same)%2 == 0 {
		sum := new(big.Rat).Add(same[half-1].perMTok, middle)
		middle = sum.Quo(sum, big.NewRat(2, 1))
	}
	return []apiQuote{cheapest, {statistic: apiMedian, perMTok: middle, of: len(same), note: note}}
}

// quote is the price of the endpoint that is named. Ours is false where the choice
// is of another workload; the reason says why there is no price.
func (c APIChoice) quote(w Workload, rows []schema.TokenObservation, mix cost.Mix, precision string) (q apiQuote, reason string, ours bool) {
	if c.Workload != "" && c.Workload != w.Name || c.Workload == "" && c.Model != "" && !sameModel(c.Model, w.Model) {
		return q, "", false
	}
	of := priced(w, rows, func(o schema.TokenObservation) bool {
		return c.Model == "" && sameModel(o.Model, w.Model) || c.Model != "" && o.Model == c.Model
	})
	if len(of) == 0 {
		return q, fmt.Sprintf("%s: no list has a price of %s", w.Name, cmp.Or(c.Model, w.Model)), true
	}
	named := func(o schema.TokenObservation) bool {
		return hostIs(o.Endpoint, c.Endpoint) && (c.Precision == "" || samePrecision(o.Precision, c.Precision))
	}
	// of a host's endpoints that of the configuration's precision, where it has one
	at := slices.IndexFunc(of, func(o schema.TokenObservation) bool { return named(o) && samePrecision(o.Precision, precision) })
	if at < 0 {
		at = slices.IndexFunc(of, named)
	}
	if at < 0 {
		known := namesOf(of, func(o schema.TokenObservation) string { return o.Endpoint })
		return q, fmt.Sprintf("%s: no endpoint %q of %s is listed; %s", w.Name, strings.TrimSpace(c.Endpoint+" "+c.Precision),
			of[0].Model, nearNames(c.Endpoint, known)), true
	}
	q = apiQuote{statistic: apiNamed, seen: of[at], price: priceOf(of[at])}
	q.price.Fee, q.price.CachedShare = c.Fee, c.CachedShare
	quotes := appendQuote(nil, q, mix, precision)
	if len(quotes) == 0 {
		return q, fmt.Sprintf("%s: %s lists no price of input and output", w.Name, of[at].Model), true
	}
	q = quotes[0]
	if !sameModel(of[at].Model, w.Model) {
		q.note = strings.TrimPrefix(q.note+"; other model: "+of[at].Model, "; ")
	}
	return q, "", true
}

// hostIs compares an endpoint with a name: "deepinfra/fp8" is DeepInfra's.
func hostIs(endpoint, name string) bool {
	host, _, _ := strings.Cut(endpoint, "/")
	return strings.EqualFold(endpoint, name) || name != "" && strings.EqualFold(host, name)
}

func nearNames(name string, known []string) string {
	if near := schema.Near(name, known); len(near) > 0 {
		return "did you mean " + strings.Join(near, ", ") + "?"
	}
	if len(known) == 0 {
		return "the list names no endpoint"
	}
	return "known are " + strings.Join(known, ", ")
}

// namesOf are the distinct names of rows, in order and without the empty one.
func namesOf(rows []schema.TokenObservation, name func(schema.TokenObservation) string) []string {
	var out []string
	for _, o := range rows {
		if n := name(o); n != "" && !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}
