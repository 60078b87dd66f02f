package store

import (
	"context"
	"database/sql"
	"fmt"

	"mtok/schema"
	"mtok/schema/store/db"
)

// SaveContracts keeps the fleets and quotes of a day's configuration in the place
// of those that were kept for it.
func (s *Store) SaveContracts(ctx context.Context, day schema.Day, c schema.Contracts) error {
	return s.update(ctx, "save contracts of "+day.String(), func(t *tx) error {
		if err := t.DeleteFleets(ctx, int64(day)); err != nil {
			return err
		}
		if err := t.DeleteQuotes(ctx, int64(day)); err != nil {
			return err
		}
		for _, f := range c.Fleets {
			f.Day = day
			if err := t.InsertFleet(ctx, db.InsertFleetParams(fromFleet(f))); err != nil {
				return fmt.Errorf("fleet %q: %w", f.Name, err)
			}
		}
		for _, q := range c.Quotes {
			q.Day = day
			if err := t.InsertQuote(ctx, db.InsertQuoteParams(fromQuote(q))); err != nil {
				return fmt.Errorf("quote %q: %w", q.Name, err)
			}
		}
		return nil
	})
}

// Fleets returns the fleets that were kept from one day to another, both included,
// in the order of days and names.
func (s *Store) Fleets(ctx context.Context, from, to schema.Day) ([]schema.Fleet, error) {
	rows, err := s.queries.ListFleets(ctx, db.ListFleetsParams{FromDay: int64(from), ToDay: int64(to)})
	return mapRows(rows, toFleet), s.fault("list fleets", err)
}

// Quotes is Fleets for hand-typed offers.
func (s *Store) Quotes(ctx context.Context, from, to schema.Day) ([]schema.Quote, error) {
	rows, err := s.queries.ListQuotes(ctx, db.ListQuotesParams{FromDay: int64(from), ToDay: int64(to)})
	return mapRows(rows, toQuote), s.fault("list quotes", err)
}

func fromFleet(f schema.Fleet) db.Fleet {
	return db.Fleet{
		Day: int64(f.Day), Name: clean(f.Name), GpuClass: string(f.Class), Gpus: int64(f.GPUs), UsdGpuHour: int64(f.USDPerGPUHour),
		FixedFrom: optionalID(int64(f.FixedFrom)), FixedTo: optionalID(int64(f.FixedTo)),
		NoticeDays: sql.NullInt64{Int64: int64(f.NoticeDays), Valid: f.NoticeDays != 0},
		Model:      clean(f.Model), TokensPerMonth: optionalID(f.OutputTokensPerMonth), HoursOn: f.HoursOn.String(),
	}
}

func toFleet(f db.Fleet) schema.Fleet {
	hours, _ := schema.ParseDecimal(f.HoursOn) // not set where it says nothing
	return schema.Fleet{
		Day: schema.Day(f.Day), Name: f.Name, Class: schema.ClassID(f.GpuClass), GPUs: int(f.Gpus), USDPerGPUHour: schema.USD(f.UsdGpuHour),
		FixedFrom: schema.Day(f.FixedFrom.Int64), FixedTo: schema.Day(f.FixedTo.Int64), NoticeDays: int(f.NoticeDays.Int64),
		Model: f.Model, OutputTokensPerMonth: f.TokensPerMonth.Int64, HoursOn: hours,
	}
}

func fromQuote(q schema.Quote) db.Quote {
	return db.Quote{
		Day: int64(q.Day), Name: clean(q.Name), Provider: clean(q.Provider), GpuClass: string(q.Class), GpuCount: int64(q.GPUCount),
		Term: string(q.Term), CommitmentMin: int64(q.Commitment.MinDays), CommitmentMax: int64(q.Commitment.MaxDays),
		UsdGpuHour: int64(q.USDPerGPUHour), UsdInstanceHour: int64(q.USDPerInstanceHour), QuotedOn: int64(q.QuotedOn), Source: clean(q.Source),
	}
}

func toQuote(q db.Quote) schema.Quote {
	return schema.Quote{
		Day: schema.Day(q.Day), Name: q.Name, Provider: q.Provider, Class: schema.ClassID(q.GpuClass), GPUCount: int(q.GpuCount),
		Term: schema.Term(q.Term), Commitment: schema.Commitment{MinDays: int(q.CommitmentMin), MaxDays: int(q.CommitmentMax)},
		USDPerGPUHour: schema.USD(q.UsdGpuHour), USDPerInstanceHour: schema.USD(q.UsdInstanceHour), QuotedOn: schema.Day(q.QuotedOn), Source: q.Source,
	}
}
