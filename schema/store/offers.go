package store

import (
	"context"
	_ "embed" // the SQL beside this file
	"fmt"
	"maps"
	"slices"

	"mtok/schema"
	"mtok/schema/store/db"
)

//go:embed provider_offers.sql
var providerOffers string

// saveOffers returns the id of each observation's offer: one SELECT finds those
// that are known, the rest is inserted. What is no part of the identity, as the
// class after a catalog change, is brought up to date, but never by a night that
// is not believed: it would reword and reclassify the published past.
func (s *Store) saveOffers(ctx context.Context, t *tx, n schema.ProviderNight) ([]int64, error) {
	provider, observations := n.Result.Provider, n.Observations
	rows := make([]db.Offer, len(observations))
	for i, o := range observations {
		rows[i] = fromOffer(o.Offer, o.Class)
		if rows[i].Provider != string(provider) {
			return nil, fmt.Errorf("offer %q of %s in the night of %s", rows[i].Sku, rows[i].Provider, provider)
		}
	}
	stored, err := s.storedOffers(ctx, t, provider, rows)
	if err != nil {
		return nil, err
	}
	done := make(map[schema.OfferKey]bool, len(observations))
	moved := map[string]bool{} // classes that a known offer came to
	ids := make([]int64, len(observations))
	for i, o := range observations {
		row := rows[i]
		key := toOffer(row).OfferKey
		old := stored[key]
		row.ID = old.ID
		believed := n.Result.Status != schema.StatusQuarantined && !n.Holds(o.Offer.OfferKey)
		if row != old && believed && !done[key] { // of two sources in one night the first words it
			if err := updateOffer(ctx, t, row); err != nil {
				return nil, err
			}
			stored[key] = row
			if row.GpuClass != old.GpuClass {
				moved[row.GpuClass] = true
			}
		}
		done[key] = true
		ids[i] = row.ID
	}
	return ids, unsettleClasses(ctx, t, provider, moved)
}

// storedOffers returns the offers of a provider by key, the given ones among
// them, which are inserted where they are new.
func (s *Store) storedOffers(
	ctx context.Context, t *tx, provider schema.ProviderID, rows []db.Offer,
) (map[schema.OfferKey]db.Offer, error) {
	stored := make(map[schema.OfferKey]db.Offer, len(rows))
	err := eachRow(ctx, t.conn, rawOfferWidth, func(r rawRow) error {
		row := r.offer()
		stored[toOffer(row).OfferKey] = row
		return nil
	}, providerOffers, string(provider))
	if err != nil {
		return nil, err
	}
	var added []db.Offer
	for _, row := range rows {
		key := toOffer(row).OfferKey
		if _, ok := stored[key]; !ok {
			stored[key] = row
			added = append(added, row)
		}
	}
	ids, err := s.dialect.putOffers(ctx, t, added)
	if err != nil {
		return nil, err
	}
	for i, row := range added {
		row.ID = ids[i]
		stored[toOffer(row).OfferKey] = row
	}
	return stored, nil
}

// unsettleClasses unsettles the days of the offers that a class now has: the
// class stands with the offer, so that a catalog change moves its whole past. One
// pass over the observations does for all offers of the class, those that it had
// before included: their days come out as they were.
func unsettleClasses(ctx context.Context, t *tx, provider schema.ProviderID, classes map[string]bool) error {
	for _, class := range slices.Sorted(maps.Keys(classes)) {
		err := t.UnsettleClass(ctx, db.UnsettleClassParams{Provider: string(provider), GpuClass: class})
		if err != nil {
			return err
		}
	}
	return nil
}

func insertOffer(ctx context.Context, t *tx, o db.Offer) (int64, error) {
	return t.InsertOffer(ctx, db.InsertOfferParams{
		Provider:      o.Provider,
		Sku:           o.Sku,
		GpuCount:      o.GpuCount,
		Region:        o.Region,
		Term:          o.Term,
		CommitmentMin: o.CommitmentMin,
		CommitmentMax: o.CommitmentMax,
		Tier:          o.Tier,
		GpuRaw:        o.GpuRaw,
		FormRaw:       o.FormRaw,
		VramMib:       o.VramMib,
		Basis:         o.Basis,
		Unit:          o.Unit,
		GroupKey:      o.GroupKey,
		PerGpu:        o.PerGpu,
		MaxGpus:       o.MaxGpus,
		GpuClass:      o.GpuClass,
	})
}

func updateOffer(ctx context.Context, t *tx, o db.Offer) error {
	return t.UpdateOffer(ctx, db.UpdateOfferParams{
		ID:       o.ID,
		GpuRaw:   o.GpuRaw,
		FormRaw:  o.FormRaw,
		VramMib:  o.VramMib,
		Basis:    o.Basis,
		Unit:     o.Unit,
		GroupKey: o.GroupKey,
		PerGpu:   o.PerGpu,
		MaxGpus:  o.MaxGpus,
		GpuClass: o.GpuClass,
	})
}

func fromOffer(o schema.Offer, class schema.ClassID) db.Offer {
	return db.Offer{
		Provider:      string(o.Provider),
		Sku:           clean(o.SKU),
		GpuCount:      int64(o.GPUCount),
		Region:        clean(o.Region),
		Term:          string(o.Term),
		CommitmentMin: int64(o.Commitment.MinDays),
		CommitmentMax: int64(o.Commitment.MaxDays),
		Tier:          clean(string(o.Tier)),
		GpuRaw:        clean(o.GPURaw),
		FormRaw:       clean(o.FormRaw),
		VramMib:       o.VRAMMiB,
		Basis:         string(o.Basis),
		Unit:          string(o.Unit),
		GroupKey:      clean(o.GroupKey),
		PerGpu:        fromBool(o.PerGPU),
		MaxGpus:       int64(o.MaxGPUs),
		GpuClass:      clean(string(class)),
	}
}

func toOffer(o db.Offer) schema.Offer {
	return schema.Offer{
		OfferKey: schema.OfferKey{
			Provider:   schema.ProviderID(o.Provider),
			SKU:        o.Sku,
			GPUCount:   int(o.GpuCount),
			Region:     o.Region,
			Term:       schema.Term(o.Term),
			Commitment: schema.Commitment{MinDays: int(o.CommitmentMin), MaxDays: int(o.CommitmentMax)},
			Tier:       schema.Tier(o.Tier),
		},
		GPURaw:   o.GpuRaw,
		FormRaw:  o.FormRaw,
		VRAMMiB:  o.VramMib,
		Basis:    schema.Basis(o.Basis),
		Unit:     schema.Unit(o.Unit),
		GroupKey: o.GroupKey,
		PerGPU:   o.PerGpu == 1,
		MaxGPUs:  int(o.MaxGpus),
	}
}
