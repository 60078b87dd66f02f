package store

import (
	"context"
	"fmt"

	"mtok/schema"
)

// checkImports finds imports of which nobody knows from what source they are.
func (s *Store) checkImports(ctx context.Context) ([]string, error) {
	rows, err := s.queries.ImportsWithoutSource(ctx)
	if err != nil {
		return nil, err
	}
	var problems []string
	for _, f := range rows {
		problems = append(problems, fmt.Sprintf("import %d of %s on %s has neither file nor licence", f.ID, f.Source, schema.Day(f.Day)))
	}
	return problems, nil
}

// checkDaily finds daily prices of offers that are not there. No foreign key holds
// them: it would be looked up for each of millions.
func (s *Store) checkDaily(ctx context.Context) ([]string, error) {
	rows, err := s.queries.DailyPricesWithoutOffer(ctx)
	if err != nil {
		return nil, err
	}
	var problems []string
	for _, p := range rows {
		problems = append(problems, fmt.Sprintf("daily price of %s on %s: offer %d is missing", p.GpuClass, schema.Day(p.Day), p.MinOfferID.Int64))
	}
	return problems, nil
}
