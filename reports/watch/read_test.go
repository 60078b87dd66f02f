package watch

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"mtok/reports/alert"
	"mtok/schema"
)

// market is a night on which eight machines of a market ask a price, and take bids
// from half of it.
func (m *memory) market(day schema.Day, price schema.USD) {
	m.run(day, "vast", schema.StatusComplete)
	m.prices = append(m.prices, schema.DailyPrice{
		Day: day, Class: "h100-sxm-80gb", Provider: "vast", Term: schema.TermOnDemand, Origin: schema.OriginLive, N: 8, Min: price,
	})
	reliable := int64(990_000)
	for i := range 8 {
		for term, usd := range map[schema.Term]schema.USD{schema.TermOnDemand: price, schema.TermBidFloor: price / 2} {
			m.seen = append(m.seen, schema.Observation{
				Day: day, Source: "bundles-api", Class: "h100-sxm-80gb", Origin: schema.OriginLive, USDPerGPUHour: usd, USDPerInstanceHour: usd,
				Offer: schema.Offer{
					Basis: schema.BasisInstance, Currency: "USD", GroupKey: fmt.Sprint(i),
					Attributes: schema.Attributes{Tier: schema.TierVerified, ReliabilityPPM: &reliable},
					OfferKey:   schema.OfferKey{Provider: "vast", SKU: fmt.Sprint(i), GPUCount: 1, Term: term},
				},
			})
		}
	}
}

func ofMarket(terms ...schema.Term) alert.Rule {
	return alert.Rule{
		Name: "middle", Metric: alert.MetricMarket, Terms: terms, Direction: alert.Both, Baseline: 7, For: 2, Cooldown: 7,
		Threshold: alert.Threshold{Kind: alert.ThresholdPercent, Percent: schema.MustDecimal("15")}, Statistic: alert.StatMedian, MinMachines: 5,
	}
}

// TestWhatANightReads: a night that tells nothing does not read all that is known of
// it, of a market only the terms that its rules judge are read, and without such a rule
// nothing.
func TestWhatANightReads(t *testing.T) {
	for name, c := range map[string]struct {
		rules []alert.Rule
		terms []schema.Term // that are read of the market
		told  bool          // of a market that fell by a third
	}{
		"no market rule": {[]alert.Rule{anyMove()}, nil, false},
		"one term":       {[]alert.Rule{anyMove(), ofMarket(schema.TermOnDemand)}, []schema.Term{schema.TermOnDemand}, true},
		"every term":     {[]alert.Rule{ofMarket()}, []schema.Term{schema.TermOnDemand, schema.TermReserved, schema.TermSpot}, true},
	} {
		t.Run(name, func(t *testing.T) {
			var m memory
			j := judgeBy(t, c.rules...)
			j.Markets = []schema.ProviderID{"vast"}
			for day := start; day < start+10; day++ {
				m.list(day, "lambda", 3_290_000)
				price := schema.USD(2_100_000)
				if day >= start+8 {
					price = 1_400_000
				}
				m.market(day, price)
				m.asked = nil
				fresh := m.judge(t, j, day)
				var terms []schema.Term
				whole := false
				for _, f := range m.asked {
					if f.Provider == "vast" {
						terms = append(terms, f.Term)
					}
					whole = whole || f.Provider == ""
				}
				if !slices.Equal(terms, c.terms) {
					t.Fatalf("night %d read %q of the market, want %q", day-start, terms, c.terms)
				}
				if tells := c.told && day == start+9; (len(fresh) == 1) != tells || whole != tells {
					t.Fatalf("night %d told %+v, read the whole night: %t", day-start, fresh, whole)
				} else if tells && !strings.Contains(fresh[0].Detail, "MARKET DOWN") {
					t.Fatal(fresh[0].Detail)
				}
			}
		})
	}
}

// TestRenewalWithoutAPrice names no price where nobody sells the shape.
func TestRenewalWithoutAPrice(t *testing.T) {
	r := alert.Rule{Name: "mine", Metric: alert.MetricMine, Direction: alert.Down, Threshold: threshold(t, "10 %"), For: 1, Cooldown: 7, RenewalDays: []int{30}}
	for _, c := range []struct {
		class schema.ClassID
		want  string
	}{
		{"b200-sxm-180gb", "Nobody rents this shape on demand tonight: there is no price to compare with."},
		{"h100-sxm-80gb", "Tonight 3.29 $/GPU-h at lambda"},
	} {
		var m memory
		m.list(start, "lambda", 3_290_000)
		j := judgeBy(t, r)
		j.Contracts.Fleets = []schema.Fleet{{Name: "prod", Class: c.class, GPUs: 2, USDPerGPUHour: 3_500_000, FixedTo: start + 20}}
		fresh := m.judge(t, j, start)
		if len(fresh) != 1 || !strings.HasPrefix(strings.Split(fresh[0].Detail, "\n")[1], c.want) {
			t.Errorf("%s: told %+v, want %q", c.class, fresh, c.want)
		}
	}
}
