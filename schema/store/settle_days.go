package store

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	_ "embed" // the SQL beside this file
	"fmt"
	"runtime"

	"mtok/schema"
	"mtok/schema/store/db"
)

//go:embed settle_rows.sql
var settleRows string

// The columns of settle_rows.sql.
const (
	settleSlot = iota
	settleOffer
	settleSource
	settleFetch
	settleGPUHour
	settleInstanceHour
	settleOrigin
	settleTier
	settleStock
	settleStockPoints
	settleMaxDays
	settleNVLink
	settleDatacenter
	settleReliability
	settleStorage
	settleExcluded
	settleQuarantine
	settleWidth
)

// RecomputeDays is Recompute for many days in one transaction, in which last writes
// too. f may be called for several days at a time; what it is given has no words of
// a listing: no price as printed, no currency, no note.
func (s *Store) RecomputeDays(
	ctx context.Context, days []schema.Day, f func(schema.Day, []schema.Observation) (schema.Daily, error), last func(*Store) error,
) error {
	const op = "recompute days"
	if s.within != nil { // what a transaction wrote, nobody else reads
		return fmt.Errorf("%s: within another transaction", op)
	}
	return s.Together(ctx, op, func(within *Store) error {
		// Nobody else can write now, so that what is read beside is what is there.
		ctx, cancel := context.WithCancel(ctx)
		made := make(chan chan derived, runtime.GOMAXPROCS(0)) // in the order of days
		ended := make(chan error, 1)
		go func() {
			err := s.deriveEach(ctx, days, f, made)
			close(made)
			ended <- err
		}()
		w := dailyWriter{tx: within.within, dialect: s.dialect}
		err := w.all(ctx, made)
		cancel()
		for of := range made {
			<-of
		}
		if err := cmp.Or(err, <-ended); err != nil {
			return err
		}
		return last(within)
	})
}

// deriveEach reads each day and has its figures made.
func (s *Store) deriveEach(
	ctx context.Context, days []schema.Day, f func(schema.Day, []schema.Observation) (schema.Daily, error), made chan<- chan derived,
) error {
	return s.snapshot(ctx, "read days", func(q *db.Queries, conn *sql.Conn) error {
		d := dayReader{q: q, conn: conn, offers: map[int64]knownOffer{}, fetches: map[int64]schema.Fetch{}, states: map[int64]string{}}
		for _, day := range days {
			seen, err := d.observations(ctx, day)
			if err != nil {
				return err
			}
			of := make(chan derived, 1)
			select {
			case made <- of:
			case <-ctx.Done():
				return ctx.Err()
			}
			go func() {
				daily, err := f(day, seen)
				if err == nil {
					err = offersAmong(daily.Prices, seen)
				}
				of <- derived{day, daily, err}
			}()
		}
		return nil
	})
}

// derived are the figures of a day, or why there are none.
type derived struct {
	day   schema.Day
	daily schema.Daily
	err   error
}

// dayReader reads the observations of days. It remembers what they hang on: next day
// has the same offers.
type dayReader struct {
	q       *db.Queries
	conn    *sql.Conn
	offers  map[int64]knownOffer
	fetches map[int64]schema.Fetch
	states  map[int64]string // of quarantines
}

type knownOffer struct {
	schema.Offer
	class schema.ClassID
}

// Beyond so many remembered offers or fetches all are forgotten and read again.
const (
	knownOffers  = 100_000
	knownFetches = 10_000
)

// observations are the published ones of a day, but for floors of bids.
func (d *dayReader) observations(ctx context.Context, day schema.Day) ([]schema.Observation, error) {
	var rows []rawRow
	err := eachRow(ctx, d.conn, settleWidth, func(r rawRow) error {
		rows = append(rows, append(make([]driver.Value, 0, settleWidth), r...))
		return nil
	}, settleRows, int64(day))
	if err != nil {
		return nil, err
	}
	seen := make([]schema.Observation, 0, len(rows))
	for _, r := range rows {
		published, err := d.published(ctx, r.integer(settleQuarantine))
		if err != nil {
			return nil, err
		}
		if !published {
			continue
		}
		o, err := d.observation(ctx, day, r)
		if err != nil {
			return nil, err
		}
		if o.Offer.Term != schema.TermBidFloor {
			seen = append(seen, o)
		}
	}
	return seen, nil
}

func (d *dayReader) observation(ctx context.Context, day schema.Day, r rawRow) (schema.Observation, error) {
	offer, err := d.offer(ctx, day, r.integer(settleOffer))
	if err != nil {
		return schema.Observation{}, err
	}
	fetch, err := d.fetch(ctx, r.integer(settleFetch))
	if err != nil {
		return schema.Observation{}, err
	}
	points, err := toStockPoints(r.text(settleStockPoints))
	if err != nil {
		return schema.Observation{}, fmt.Errorf("offer %d on %s: %w", r.integer(settleOffer), day, err)
	}
	o := schema.Observation{
		Day: day, Slot: r.integer(settleSlot), Source: r.text(settleSource), OfferID: r.integer(settleOffer),
		Offer: offer.Offer, Class: offer.class, Origin: schema.Origin(r.text(settleOrigin)), FetchID: fetch.ID,
		PageSHA256: fetch.PageSHA256, FetchedAt: fetch.FetchedAt, USDPerGPUHour: schema.USD(r.integer(settleGPUHour)),
		USDPerInstanceHour: schema.USD(r.integer(settleInstanceHour)), Excluded: r.text(settleExcluded),
	}
	o.Offer.Stock, o.Offer.StockPoints = toStock(toNullInt(r[settleStock])), points
	o.Offer.Attributes = schema.Attributes{
		MaxDays: r.pointer(settleMaxDays), NVLink: r.boolPointer(settleNVLink), Datacenter: r.boolPointer(settleDatacenter),
		ReliabilityPPM: r.pointer(settleReliability), StorageGB: r.pointer(settleStorage),
	}
	if tier := schema.Tier(r.text(settleTier)); tier != o.Offer.Tier {
		o.Offer.Attributes.Tier = tier
	}
	return o, nil
}

// offer reads all offers of a day where one is not known yet.
func (d *dayReader) offer(ctx context.Context, day schema.Day, id int64) (knownOffer, error) {
	if o, ok := d.offers[id]; ok {
		return o, nil
	}
	if len(d.offers) > knownOffers {
		clear(d.offers)
	}
	rows, err := d.q.DayOffers(ctx, int64(day))
	if err != nil {
		return knownOffer{}, err
	}
	for _, row := range rows {
		d.offers[row.ID] = knownOffer{toOffer(row), schema.ClassID(row.GpuClass)}
	}
	o, ok := d.offers[id]
	if !ok {
		return o, fmt.Errorf("%w: offer %d of %s", ErrNotFound, id, day)
	}
	return o, nil
}

func (d *dayReader) fetch(ctx context.Context, id int64) (schema.Fetch, error) {
	if f, ok := d.fetches[id]; ok {
		return f, nil
	}
	if len(d.fetches) > knownFetches {
		clear(d.fetches)
	}
	row, err := d.q.GetFetch(ctx, id)
	if err != nil {
		return schema.Fetch{}, fmt.Errorf("fetch %d: %w", id, err)
	}
	d.fetches[id] = toFetch(row)
	return d.fetches[id], nil
}

// published reports whether rows of a quarantine count: those of none and of a
// confirmed one.
func (d *dayReader) published(ctx context.Context, quarantine int64) (bool, error) {
	if quarantine == 0 {
		return true, nil
	}
	state, ok := d.states[quarantine]
	if !ok {
		q, err := d.q.GetQuarantine(ctx, quarantine)
		if err != nil {
			return false, fmt.Errorf("quarantine %d: %w", quarantine, err)
		}
		state, d.states[quarantine] = q.State, q.State
	}
	return state == schema.QuarantineConfirmed, nil
}
