package store

import (
	"context"
	_ "embed" // the SQL beside this file

	"mtok/schema"
)

var (
	//go:embed list_prices.sql
	listPrices string
	//go:embed market_asks.sql
	marketAsks string
)

// The columns of list_prices.sql and market_asks.sql.
const (
	readDay = iota
	readSource
	readTier
	readGPUHour
	readReliability
	readExcluded
	readSKU
	readGPUCount
	readRegion
	readTerm
	readCommitmentMin
	readCommitmentMax
	readOfferTier
	readBasis
	readGroupKey
	readClass
	readWidth
)

// ListPrices hands each the prices that a provider's own nights published, from one
// day to another, both included, in the order of days and keys. A price has what rules
// judge it by: the day and source, the key, class, basis and machine of its offer, its
// tier and reliability, the price of a GPU, and why it does not count. It stands in the
// same place as the one before. ListPrices is made for providers of some hundred offers:
// it looks each of them up on each day.
func (s *Store) ListPrices(
	ctx context.Context, provider schema.ProviderID, from, to schema.Day, each func(*schema.Observation),
) error {
	err := s.each(ctx, readWidth, reading(provider, each), listPrices, string(provider), int64(from), int64(to))
	return s.fault("list prices", err)
}

// MarketAsks is ListPrices of one term, for weeks of a market of thousands of machines
// and in the order of days alone.
func (s *Store) MarketAsks(
	ctx context.Context, market schema.ProviderID, term schema.Term, from, to schema.Day, each func(*schema.Observation),
) error {
	err := s.each(ctx, readWidth, reading(market, each), marketAsks, int64(from), int64(to), string(market), string(term))
	return s.fault("list a market's asks", err)
}

func reading(provider schema.ProviderID, each func(*schema.Observation)) func(rawRow) error {
	words := words{}
	var o schema.Observation
	return func(r rawRow) error {
		o = schema.Observation{
			Day: schema.Day(r.integer(readDay)), Source: words.one(r.text(readSource)),
			Class: schema.ClassID(words.one(r.text(readClass))), USDPerGPUHour: schema.USD(r.integer(readGPUHour)),
			Excluded: words.one(r.text(readExcluded)),
			Offer: schema.Offer{
				OfferKey: schema.OfferKey{
					Provider: provider, SKU: r.text(readSKU), GPUCount: int(r.integer(readGPUCount)),
					Region: words.one(r.text(readRegion)), Term: schema.Term(words.one(r.text(readTerm))),
					Commitment: schema.Commitment{
						MinDays: int(r.integer(readCommitmentMin)), MaxDays: int(r.integer(readCommitmentMax)),
					},
					Tier: schema.Tier(words.one(r.text(readOfferTier))),
				},
				Basis: schema.Basis(words.one(r.text(readBasis))), GroupKey: words.one(r.text(readGroupKey)),
				Attributes: schema.Attributes{ReliabilityPPM: r.pointer(readReliability)},
			},
		}
		if tier := schema.Tier(words.one(r.text(readTier))); tier != o.Offer.Tier {
			o.Offer.Attributes.Tier = tier
		}
		each(&o)
		return nil
	}
}

// words keeps each word once that rows repeat: weeks of a market name a few classes
// and the same machines.
type words map[string]string

func (w words) one(word string) string {
	known, met := w[word]
	if !met {
		w[word], known = word, word
	}
	return known
}
