package store

import (
	"context"
	_ "embed" // the SQL beside this file
	"fmt"

	"mtok/schema"
)

//go:embed list_observations.sql
var listObservations string

// The columns of list_observations.sql after those of the offer.
const (
	seenDay = rawOfferWidth + iota
	seenSlot
	seenSource
	seenFetch
	seenOrigin
	seenTier
	seenPriceText
	seenCurrency
	seenGPUHour
	seenInstanceHour
	seenStock
	seenStockPoints
	seenMaxDays
	seenNVLink
	seenDatacenter
	seenReliability
	seenStorage
	seenNote
	seenExcluded
	seenQuarantine
	seenPage
	seenFetchedAt
	seenState
	seenWidth
)

// listed reads the observations that a filter selects, but for those of one term
// where that is not empty. each is Store.each, or reads in a transaction.
func listed(
	ctx context.Context, f schema.ObservationFilter, but schema.Term,
	each func(ctx context.Context, width int, do func(rawRow) error, query string, args ...any) error,
) ([]schema.Observation, error) {
	words, seen := words{}, []schema.Observation{}
	err := each(ctx, seenWidth, func(r rawRow) error {
		o, err := r.observation(words)
		seen = append(seen, o)
		return err
	}, listObservations, int64(f.FromDay), lastDay(f.ToDay), string(f.Provider), string(f.Class), string(f.Term), string(but),
		string(f.Origin), fromBool(f.IncludeHeld))
	return seen, err
}

func (r rawRow) observation(words words) (schema.Observation, error) {
	row := r.offer()
	for _, word := range []*string{&row.Provider, &row.Term, &row.Tier, &row.GpuRaw, &row.FormRaw, &row.Basis, &row.Unit, &row.GpuClass} {
		*word = words.one(*word)
	}
	points, err := toStockPoints(r.text(seenStockPoints))
	if err != nil {
		return schema.Observation{}, fmt.Errorf("offer %d on %s: %w", row.ID, schema.Day(r.integer(seenDay)), err)
	}
	o := schema.Observation{
		Day: schema.Day(r.integer(seenDay)), Slot: r.integer(seenSlot), Source: words.one(r.text(seenSource)), OfferID: row.ID,
		Offer: toOffer(row), Class: schema.ClassID(row.GpuClass), Origin: schema.Origin(words.one(r.text(seenOrigin))),
		FetchID: r.integer(seenFetch), PageSHA256: words.one(r.text(seenPage)), FetchedAt: toTime(r.integer(seenFetchedAt)),
		USDPerGPUHour: schema.USD(r.integer(seenGPUHour)), USDPerInstanceHour: schema.USD(r.integer(seenInstanceHour)),
		Excluded: words.one(r.text(seenExcluded)),
	}
	if r.text(seenState) == schema.QuarantineHeld {
		o.Quarantine = r.integer(seenQuarantine)
	}
	o.Offer.PriceText, o.Offer.Currency, o.Offer.Note = r.text(seenPriceText), words.one(r.text(seenCurrency)), words.one(r.text(seenNote))
	o.Offer.Stock, o.Offer.StockPoints = toStock(toNullInt(r[seenStock])), points
	o.Offer.Attributes = schema.Attributes{
		MaxDays: r.pointer(seenMaxDays), NVLink: r.boolPointer(seenNVLink), Datacenter: r.boolPointer(seenDatacenter),
		ReliabilityPPM: r.pointer(seenReliability), StorageGB: r.pointer(seenStorage),
	}
	if tier := words.one(r.text(seenTier)); tier != row.Tier {
		o.Offer.Attributes.Tier = schema.Tier(tier)
	}
	return o, nil
}
