package main

import (
	"context"
	"fmt"

	"mtok/reports"
	"mtok/schema"
	"mtok/schema/store"
)

// settingsLine says that the newest day before a night was made with other inputs:
// its token costs are then not those of tonight's settings.
func (a *app) settingsLine(ctx context.Context, s *store.Store, catalog *schema.Catalog, night schema.Day) error {
	past, any, err := s.LatestDayUpTo(ctx, night-1)
	if err != nil || !any {
		return err
	}
	costs, err := s.DailyTokenCosts(ctx, past, past, "")
	if err != nil {
		return err
	}
	other, err := reports.MadeOtherwise(costs, catalog, a.config.settings())
	if err != nil || !other {
		return err
	}
	fmt.Fprintf(a.stdout, "settings changed since %s: mtok recompute --all makes the past with them\n", past)
	return nil
}
