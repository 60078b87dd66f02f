package reports

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"mtok/schema"
)

// Switch compares two classes by two measurements of one kind: same model,
// precision, scenario, lengths and number of GPUs.
type Switch struct {
	From, To schema.Throughput
	// Ratio is how many times the output of a From GPU one To GPU gives: the new
	// class pays below so many times the old one's price.
	Ratio *big.Rat
	// LikeForLike says that engine, version and checkpoint are the same too. What
	// differs else is in Differs.
	LikeForLike bool
	Differs     []string
}

// SwitchRatio finds the best pair of measurements of a model on two classes: like
// for like if there is one, then under a latency bound, then the newest. It is
// false where no pair was measured under the same conditions; two figures of
// different precision or load are never divided.
func SwitchRatio(catalog *schema.Catalog, from, to schema.ClassID, model string) (Switch, bool) {
	var pairs []Switch
	for _, a := range catalog.Throughputs {
		if a.Class != from || shapeOf(a.Model, catalog) != shapeOf(model, catalog) {
			continue
		}
		for _, b := range catalog.Throughputs {
			if b.Class == to && alike(a, b, catalog) {
				pairs = append(pairs, newSwitch(a, b, catalog))
			}
		}
	}
	if len(pairs) == 0 {
		return Switch{}, false
	}
	return slices.MinFunc(pairs, compareSwitches), true
}

// alike reports whether what was measured is the same but for class, engine
// and checkpoint.
func alike(a, b schema.Throughput, catalog *schema.Catalog) bool {
	return shapeOf(a.Model, catalog) == shapeOf(b.Model, catalog) && samePrecision(a.Precision, b.Precision) &&
		a.Scenario != "" && a.Scenario == b.Scenario && a.Concurrency == b.Concurrency && a.Latency() == b.Latency() &&
		sameLengths(a, b) && a.GPUs == b.GPUs
}

func newSwitch(from, to schema.Throughput, catalog *schema.Catalog) Switch {
	s := Switch{From: from, To: to, Differs: differences(to, from, catalog)}
	s.LikeForLike = len(s.Differs) == 0
	s.Ratio = new(big.Rat).Quo(to.TokensPerSecond.Rat(), from.TokensPerSecond.Rat())
	return s
}

func compareSwitches(a, b Switch) int {
	return cmp.Or(
		cmp.Compare(len(a.Differs), len(b.Differs)),
		cmp.Compare(scenarioRank(a.From.Scenario), scenarioRank(b.From.Scenario)),
		strings.Compare(min(b.From.Date, b.To.Date), min(a.From.Date, a.To.Date)),
		strings.Compare(a.From.ID, b.From.ID),
		strings.Compare(a.To.ID, b.To.ID),
	)
}

// scenarioRank puts a latency bound before none: what one can promise counts.
func scenarioRank(s schema.Scenario) int {
	return slices.Index([]schema.Scenario{schema.ScenarioServer, schema.ScenarioInteractive, schema.ScenarioConcurrency,
		schema.ScenarioRate, schema.ScenarioOffline, schema.ScenarioMaxLoad}, s)
}

// SwitchPrices is a pair of prices per GPU-hour of one seller, tier and term.
type SwitchPrices struct {
	From, To schema.USD
	Where    string // "runpod secure"
}

// Tonight is the ratio of the prices, false where one of them is missing.
func (p SwitchPrices) Tonight() (*big.Rat, bool) {
	if p.From <= 0 || p.To <= 0 {
		return nil, false
	}
	return new(big.Rat).Quo(p.To.Rat(), p.From.Rat()), true
}

// Pays reports whether switching gives cheaper tokens at these prices.
func (s Switch) Pays(p SwitchPrices) bool {
	tonight, ok := p.Tonight()
	return ok && tonight.Cmp(s.Ratio) < 0
}

// Sentence says below which price the new class pays, and what tonight's ratio is
// at one seller; without prices only the first.
func (s Switch) Sentence(p SwitchPrices) string {
	text := fmt.Sprintf("At %s, %s pays below %sx the price of %s (%s, %s, %s)", s.From.Precision, s.To.Class,
		s.Ratio.FloatString(2), s.From.Class, s.From.Model, s.From.Scenario, count(s.From.GPUs, "GPU"))
	if tonight, ok := p.Tonight(); ok {
		answer := "it does not"
		if s.Pays(p) {
			answer = "it does"
		}
		text += fmt.Sprintf("; tonight %sx at %s: %s", tonight.FloatString(2), p.Where, answer)
	}
	if !s.LikeForLike {
		text += "; not like for like: " + strings.Join(s.Differs, ", ")
	}
	return text + "."
}
