package validate

import (
	"fmt"
	"slices"

	"mtok/schema"
	"mtok/scrapers"
)

// TokenNight is what one price list of tokens gave on one day, with what it is
// judged by.
type TokenNight struct {
	Expect   scrapers.Expect
	Complete bool // all that was asked for was read
	Seen     []schema.TokenObservation
	Last     []schema.TokenObservation // the newest published list before, none where too old
}

// HeldTokens is a list of an earlier night that is held and nobody decided.
type HeldTokens struct {
	schema.Quarantine
	Rows []schema.TokenObservation
}

const (
	// tokenMoved is how far, in per cent of the lower one, a price may move before
	// it counts as moved: prices of tokens halve and double as models age.
	tokenMoved = 40
	// tokenShareMoved is the share of a list, in per cent, that may do so in a
	// night: of 280 models 61 changed at all from May to August 2026.
	tokenShareMoved = 25
	// tokenUnit is a factor between two nights that is another unit, no move: per
	// thousand or per million tokens.
	tokenUnit = 100
	// tokenUnitShare is the share of a list that may do so.
	tokenUnitShare = 10
	// tokenRows is the share of the last list's models, in per cent, below which a
	// list is cut.
	tokenRows = 50
)

// DecideTokens judges a list beside the held ones before it, the newest first, by
// the rules for lists of GPUs as far as they make sense: a list is held as a whole
// or not at all. A list that says what a held one said confirms it, where the rule
// that holds it is of that kind.
func DecideTokens(n TokenNight, held []HeldTokens) Verdict {
	breaches := JudgeTokens(n)
	var v Verdict
	for _, h := range held {
		newer := len(n.Last) == 0 || n.Last[0].Day < h.Day
		if !n.Complete || !SelfConfirms(h.Rule) || !newer || !sameList(n.Seen, h.Rows) {
			continue
		}
		breaches = slices.DeleteFunc(breaches, func(b Breach) bool { return SelfConfirms(b.Rule) })
		v.Confirms = append(v.Confirms, h.ID)
	}
	if v.Hold = Decide(breaches, len(n.Seen), false); v.Hold != nil {
		v.Confirms = nil
	}
	return v
}

// ExcludedUnit is why a single price of a list is compared with nothing.
const ExcludedUnit = "moved by a factor of 100 or more: another unit"

// DoubtTokens excludes the single prices that moved by as much as only another
// unit moves them, and those that were excluded so before and still say the same.
// A list that does so as a whole is held, see JudgeTokens.
func DoubtTokens(last, seen []schema.TokenObservation) {
	before := byTokenKey(last)
	for i := range seen {
		p := &seen[i]
		old, known := before[p.TokenKey]
		if !known || p.Excluded != "" {
			continue
		}
		if low, high := spread(old.TokenPrice, p.TokenPrice); old.Excluded == ExcludedUnit {
			if high*100 <= low*(100+tokenMoved) {
				p.Excluded = ExcludedUnit
			}
		} else if high >= low*tokenUnit {
			p.Excluded = ExcludedUnit
		}
	}
}

// JudgeTokens returns the batch rules that a list broke.
func JudgeTokens(n TokenNight) []Breach {
	var breaches []Breach
	add := func(rule, format string, args ...any) {
		breaches = append(breaches, Breach{Rule: rule, Detail: fmt.Sprintf(format, args...)})
	}
	models, last := len(TokenModels(n.Seen)), len(TokenModels(n.Last))
	if n.Complete && models < n.Expect.MinOffers {
		add(RuleMinOffers, "%d models with a price, at least %d expected", models, n.Expect.MinOffers)
	}
	if n.Complete && models*100 < last*tokenRows {
		add(RuleRows, "%d models with a price, %d in the list of %s", models, last, n.Last[0].Day)
	}
	if out := outOfBand(n); out != "" {
		add(RuleProviderBand, "%s", out)
	}
	both, units, moved := 0, []string{}, []string{}
	before := byTokenKey(n.Last)
	for _, p := range n.Seen {
		old, known := before[p.TokenKey]
		if !known || old.Excluded == ExcludedUnit {
			continue
		}
		both++
		text := fmt.Sprintf("%s %s/%s -> %s/%s", p.Model, old.In, old.Out, p.In, p.Out)
		switch low, high := spread(old.TokenPrice, p.TokenPrice); {
		case high >= low*tokenUnit:
			units = append(units, text)
		case high*100 > low*(100+tokenMoved):
			moved = append(moved, text)
		}
	}
	if len(units)*100 > both*tokenUnitShare {
		add(RuleUnitRatio, "%d of %d prices by a factor of %d or more: %s", len(units), both, tokenUnit, few(units))
	}
	if len(moved)*100 > both*tokenShareMoved {
		add(RuleShareMoved, "%d of %d prices by more than %d %%: %s", len(moved), both, tokenMoved, few(moved))
	}
	return breaches
}

// outOfBand names the prices that are not believable of their models.
func outOfBand(n TokenNight) string {
	var texts []string
	for _, band := range n.Expect.Tokens {
		for _, p := range n.Seen {
			for _, usd := range []schema.USD{p.In, p.Out} {
				if p.Model == band.Model && usd != 0 && (usd < band.Low || usd > band.High) {
					texts = append(texts, fmt.Sprintf("%s (%s) is %s $/MTok, believable: %s to %s", p.Model, p.PriceText, usd, band.Low, band.High))
				}
			}
		}
	}
	return few(texts)
}

// spread is the farther move of input and output, as its lower and higher end. A
// price that only one of two nights lists is no move.
func spread(a, b schema.TokenPrice) (low, high schema.USD) {
	low, high = 1, 1
	for _, pair := range [][2]schema.USD{{a.In, b.In}, {a.Out, b.Out}} {
		l, h := min(pair[0], pair[1]), max(pair[0], pair[1])
		if l > 0 && h*low > high*l {
			low, high = l, h
		}
	}
	return low, high
}

// sameList reports whether two lists say the same: nearly all prices of either are
// in both, and agree.
func sameList(a, b []schema.TokenObservation) bool {
	both := 0
	known := byTokenKey(b)
	for _, p := range a {
		old, ok := known[p.TokenKey]
		if !ok {
			continue
		}
		both++
		if !agrees(old.In, p.In) || !agrees(old.Out, p.Out) {
			return false
		}
	}
	return len(b) > 0 && both*100 >= max(len(a), len(b))*agreePercent
}

func byTokenKey(rows []schema.TokenObservation) map[schema.TokenKey]schema.TokenObservation {
	out := make(map[schema.TokenKey]schema.TokenObservation, len(rows))
	for _, r := range rows {
		out[r.TokenKey] = r
	}
	return out
}

// TokenModels are the models that a list prices.
func TokenModels(rows []schema.TokenObservation) map[string]bool {
	out := map[string]bool{}
	for _, r := range rows {
		out[r.Model] = true
	}
	return out
}
