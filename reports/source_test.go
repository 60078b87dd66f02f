package reports_test

import (
	"context"
	"errors"
	"math"
	"math/big"
	"strings"
	"testing"

	"mtok/reports"
	"mtok/reports/cost"
	"mtok/reports/render"
	"mtok/schema"
)

// source is a store of one night that fails at one call.
type source struct {
	empty    bool
	fails    string
	from, to schema.Day
}

var errBroken = errors.New("broken")

func (s *source) err(call string) error {
	if s.fails == call {
		return errBroken
	}
	return nil
}

func (s *source) LatestDay(context.Context) (schema.Day, bool, error) {
	return tonight, !s.empty, s.err("latest")
}

func (s *source) LatestDayUpTo(_ context.Context, day schema.Day) (schema.Day, bool, error) {
	return min(day, tonight), !s.empty && day >= tonight-9, s.err("latest")
}

func (s *source) Observations(_ context.Context, f schema.ObservationFilter) ([]schema.Observation, error) {
	s.from, s.to = f.FromDay, f.ToDay
	return append(night().Observations, market()...), s.err("observations")
}

func (s *source) ProviderRuns(context.Context, schema.Day, schema.Day) ([]schema.ProviderRun, error) {
	r := run(tonight, schema.StatusComplete)
	r.Offers = 28
	return []schema.ProviderRun{r}, s.err("runs")
}

func (s *source) LatestProviderRuns(context.Context) ([]schema.ProviderRun, error) {
	return []schema.ProviderRun{run(tonight+2, schema.StatusFailed)}, s.err("newest")
}

func (s *source) HeldQuarantines(context.Context) ([]schema.Quarantine, error) {
	return []schema.Quarantine{{Provider: "crusoe", Day: tonight + 1, Evidence: "1 class is missing"}}, s.err("held")
}

func (s *source) DailyPrices(context.Context, schema.Day, schema.Day, schema.ClassID) ([]schema.DailyPrice, error) {
	return nil, s.err("daily")
}

func (s *source) Notices(context.Context) ([]schema.Notice, error) {
	return night().Notices, s.err("notices")
}

func TestLoadNight(t *testing.T) {
	src := &source{}
	got, err := reports.LoadNight(t.Context(), src, reports.Filter{}, 3)
	if err != nil {
		t.Fatal(err)
	}
	if got.AsOf != tonight || src.from != tonight || src.to != tonight {
		t.Errorf("as of %s, read %s to %s", got.AsOf, src.from, src.to)
	}
	if len(got.Observations) == 0 || len(got.Runs) != 1 || len(got.Notices) != 1 {
		t.Errorf("got %+v", got)
	}
	if len(got.Latest) != 1 || got.Latest[0].Day != tonight+2 || len(got.Held) != 1 {
		t.Errorf("newest parts %+v, held %+v", got.Latest, got.Held)
	}
	earlier := tonight - 5
	if got, err = reports.LoadNight(t.Context(), src, reports.Filter{Day: earlier, DayNamed: true}, 3); err != nil || got.AsOf != earlier || src.to != earlier {
		t.Errorf("a day asked for: %s, read to %s, %v", got.AsOf, src.to, err)
	}
	if len(got.Held) != 0 || len(got.Latest) != 1 || got.Latest[0].Day != tonight {
		t.Errorf("a past day knows of later ones: newest parts %+v, held %+v", got.Latest, got.Held)
	}
	if got, err = reports.LoadNight(t.Context(), src, reports.Filter{Day: tonight + 7, DayNamed: true}, 3); err != nil || got.AsOf != tonight {
		t.Errorf("a day without a night: as of %s, %v; want the newest before it", got.AsOf, err)
	}
	before := reports.Filter{Day: tonight - 20, DayNamed: true}
	if got, err = reports.LoadNight(t.Context(), src, before, 3); err != nil || !got.Empty || got.First != tonight {
		t.Errorf("before the first night: %+v, %v", got, err)
	}
	if got, err = reports.LoadNight(t.Context(), &source{empty: true}, reports.Filter{}, 3); err != nil || !got.Empty || got.Observations != nil {
		t.Errorf("empty store: %+v, %v", got, err)
	}
	for _, call := range []string{"latest", "observations", "runs", "newest", "held", "notices"} {
		if _, err := reports.LoadNight(t.Context(), &source{fails: call}, reports.Filter{}, 3); !errors.Is(err, errBroken) {
			t.Errorf("%s: %v, want the store's error", call, err)
		}
	}
}

func TestLoader(t *testing.T) {
	reportsOf := map[string]func(reports.Loader, context.Context, reports.Filter) (reports.Document, error){
		"prices": reports.Loader.Prices, "mtok": reports.Loader.Mtok, "explain": reports.Loader.Explain,
		"market": reports.Loader.Market,
	}
	for name, load := range reportsOf {
		l := reports.Loader{Source: &source{}, Catalog: testCatalog(t), Settings: reports.DefaultSettings()}
		doc, err := load(l, t.Context(), reports.Filter{Class: h100})
		if err != nil || doc.Name != name || doc.AsOf != tonight || len(doc.Rows) == 0 {
			t.Errorf("%s: %q as of %s, %d rows, %v", name, doc.Name, doc.AsOf, len(doc.Rows), err)
		}
		l.Source = &source{fails: "observations"}
		if _, err := load(l, t.Context(), reports.Filter{Class: h100}); !errors.Is(err, errBroken) {
			t.Errorf("%s: %v, want the store's error", name, err)
		}
		l.Source = &source{empty: true}
		if doc, err := load(l, t.Context(), reports.Filter{Class: h100}); err != nil || !doc.Empty || len(doc.Rows) != 0 {
			t.Errorf("%s of an empty store: %d rows, %v", name, len(doc.Rows), err)
		}
	}
	l := reports.Loader{Source: &source{fails: "daily"}, Catalog: testCatalog(t), Settings: reports.DefaultSettings()}
	if _, err := l.Explain(t.Context(), reports.Filter{Class: h100}); !errors.Is(err, errBroken) {
		t.Errorf("daily: %v, want the store's error", err)
	}
}

func TestNoticesHoldForAWhile(t *testing.T) {
	for last, want := range map[schema.Day]bool{tonight: true, tonight - 3: true, tonight - 4: false} {
		n := reports.Night{AsOf: tonight, Notices: []schema.Notice{{Provider: "fluidstack", Kind: schema.NoticeNoPublicPrice,
			Since: tonight - 9, Last: last}}}
		doc := reports.Prices(n, testCatalog(t), reports.DefaultSettings(), reports.Filter{})
		if got := strings.Contains(strings.Join(doc.After, "\n"), "no public price"); got != want {
			t.Errorf("last seen %s: shown %t, want %t", last, got, want)
		}
	}
}

func TestCalculation(t *testing.T) {
	in := cost.Input{USDPerHour: big.NewRat(5, 1), TokensPerSecond: schema.MustDecimal("4418"),
		Utilization: schema.MustDecimal("0.65"), Overhead: schema.MustDecimal("2.0")}
	result, err := cost.Compute(in)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := reports.Settings{}.Calculation(in, 2, result, nil)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "cost.txt", doc, render.Table)
	golden(t, "cost.json", doc, render.JSON)
	in.USDPerHour = new(big.Rat).SetInt64(math.MaxInt64)
	if _, err := (reports.Settings{}).Calculation(in, 2, result, nil); !errors.Is(err, schema.ErrMoney) {
		t.Errorf("out of range: %v", err)
	}
}
