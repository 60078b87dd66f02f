package store

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"mtok/schema"
	"mtok/schema/store/db"
)

// putImported writes the observations and returns how many of them.
func (s *Store) putImported(ctx context.Context, t *tx, in schema.Import, fetch int64) (int, error) {
	ids, err := s.importedOffers(ctx, t, in)
	if err != nil {
		return 0, err
	}
	days := map[schema.Day]bool{}
	written := int64(0)
	rows := make([]db.Observation, 0, min(len(in.Prices), importChunk))
	for chunk := range slices.Chunk(in.Prices, importChunk) {
		if rows, err = importedRows(rows[:0], chunk, ids, fetch); err != nil {
			return 0, err
		}
		for i := range rows {
			if i == 0 || rows[i].Day != rows[i-1].Day {
				days[schema.Day(rows[i].Day)] = true
			}
		}
		n, err := s.dialect.putObservations(ctx, t, rows)
		if err != nil {
			return 0, err
		}
		written += n
	}
	return int(written), unsettleDays(ctx, t, days)
}

// importedRows makes a row once of what is said on several days.
func importedRows(into []db.Observation, prices []schema.ImportedPrice, ids map[schema.OfferKey]int64, fetch int64) ([]db.Observation, error) {
	made := map[*schema.Observation]int{} // where
	for _, p := range prices {
		at, met := made[p.Said]
		if !met {
			row, err := fromObservation(*p.Said, ids[p.Said.Offer.OfferKey])
			if err != nil {
				return nil, err
			}
			row.FetchID, row.Origin = fetch, string(schema.OriginImport)
			at = len(into)
			made[p.Said] = at
			into = append(into, row)
		} else {
			into = append(into, into[at])
		}
		last := &into[len(into)-1]
		last.Day, last.Slot = int64(p.Day), p.Day.Slot()
	}
	return into, nil
}

// importChunk is how many observations are made into rows at a time.
const importChunk = 20_000

// importedOffers finds or makes the offers of an import, by key.
func (s *Store) importedOffers(ctx context.Context, t *tx, in schema.Import) (map[schema.OfferKey]int64, error) {
	ids := map[schema.OfferKey]int64{}
	rows := map[schema.ProviderID][]db.Offer{}
	said := map[*schema.Observation]bool{}
	for _, p := range in.Prices {
		o := p.Said
		if said[o] {
			continue
		}
		said[o] = true
		if _, met := ids[o.Offer.OfferKey]; met {
			continue
		}
		ids[o.Offer.OfferKey] = 0
		rows[o.Offer.Provider] = append(rows[o.Offer.Provider], fromOffer(o.Offer, o.Class))
	}
	for _, provider := range slices.Sorted(maps.Keys(rows)) {
		stored, err := s.storedOffers(ctx, t, provider, rows[provider])
		if err != nil {
			return nil, err
		}
		moved := map[string]bool{}
		for _, row := range rows[provider] {
			key := toOffer(row).OfferKey
			old := stored[key]
			if row.ID = old.ID; row.GpuClass != old.GpuClass && schema.IsImportedSKU(in.Format, old.Sku) {
				if err := updateOffer(ctx, t, row); err != nil {
					return nil, err
				}
				moved[row.GpuClass] = true
			}
			if _, ok := ids[key]; !ok {
				return nil, fmt.Errorf("the key of offer %+v does not read back", key)
			}
			ids[key] = old.ID
		}
		if err := unsettleClasses(ctx, t, provider, moved); err != nil {
			return nil, err
		}
	}
	return ids, nil
}
