package main

import (
	"context"
	"slices"

	"mtok/schema"
	"mtok/schema/store"
)

// keepContracts keeps the fleets and quotes of the configuration under the newest
// published day, if that is among those that were derived: a day that is past
// stands as it was kept then.
func (a *app) keepContracts(ctx context.Context, s *store.Store, catalog *schema.Catalog, days []schema.Day) error {
	newest, any, err := s.LatestDay(ctx)
	if err != nil || !any || !slices.Contains(days, newest) {
		return err
	}
	contracts, err := a.config.contracts(catalog)
	if err != nil {
		return err
	}
	return s.SaveContracts(ctx, newest, contracts)
}
