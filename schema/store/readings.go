package store

import (
	"cmp"
	"context"
	_ "embed" // the SQL beside this file
	"slices"

	"mtok/schema"
	"mtok/schema/store/db"
)

//go:embed market_asks.sql
var marketAsks string

// The columns of market_asks.sql.
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
// tier and reliability, the price of a GPU, and why it does not count. It reads as
// PublishedOffers does.
func (s *Store) ListPrices(
	ctx context.Context, provider schema.ProviderID, from, to schema.Day, each func(*schema.Observation),
) error {
	rows, err := s.queries.PublishedOffers(ctx, db.PublishedOffersParams{
		Provider: string(provider), FromDay: int64(from), ToDay: int64(to),
	})
	if err != nil {
		return s.fault("list prices", err)
	}
	slices.SortStableFunc(rows, func(a, b db.PublishedOffersRow) int { return cmp.Compare(a.Observation.Day, b.Observation.Day) })
	for _, row := range rows {
		each(toReading(row.Offer, row.Observation))
	}
	return nil
}

// MarketAsks is ListPrices of one term, for weeks of a market of thousands of machines
// and in the order of days alone.
func (s *Store) MarketAsks(
	ctx context.Context, market schema.ProviderID, term schema.Term, from, to schema.Day, each func(*schema.Observation),
) error {
	words := words{}
	err := s.each(ctx, readWidth, func(r rawRow) error {
		each(toReading(db.Offer{
			Provider: string(market), Sku: r.text(readSKU), GpuCount: r.integer(readGPUCount), Region: words.one(r.text(readRegion)),
			Term: string(term), CommitmentMin: r.integer(readCommitmentMin), CommitmentMax: r.integer(readCommitmentMax),
			Tier: words.one(r.text(readOfferTier)), Basis: words.one(r.text(readBasis)), GroupKey: words.one(r.text(readGroupKey)),
			GpuClass: words.one(r.text(readClass)),
		}, db.Observation{
			Day: r.integer(readDay), Source: words.one(r.text(readSource)), Tier: words.one(r.text(readTier)),
			UsdGpuHour: r.integer(readGPUHour), ReliabilityPpm: toNullInt(r[readReliability]), ExcludedReason: words.one(r.text(readExcluded)),
		}))
		return nil
	}, marketAsks, int64(from), int64(to), string(market), string(term))
	return s.fault("list a market's asks", err)
}

// toReading keeps of an observation what rules judge it by.
func toReading(offer db.Offer, seen db.Observation) *schema.Observation {
	sold := toOffer(offer)
	o := &schema.Observation{
		Day: schema.Day(seen.Day), Source: seen.Source, Class: schema.ClassID(offer.GpuClass),
		USDPerGPUHour: schema.USD(seen.UsdGpuHour), Excluded: seen.ExcludedReason,
		Offer: schema.Offer{
			OfferKey: sold.OfferKey, Basis: sold.Basis, GroupKey: sold.GroupKey,
			Attributes: schema.Attributes{ReliabilityPPM: toPointer(seen.ReliabilityPpm)},
		},
	}
	if seen.Tier != offer.Tier {
		o.Offer.Attributes.Tier = schema.Tier(seen.Tier)
	}
	return o
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
