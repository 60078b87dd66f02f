package web_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"mtok/reports/web"
	"mtok/schema"
)

const (
	tonight = schema.Day(20687) // 2026-08-22
	h100    = schema.ClassID("h100-sxm-80gb")
)

// at is a time of tonight.
func at(hour, minute int) time.Time {
	return tonight.Time().Add(time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute)
}

// ledger is a Source in memory. A call that broken names fails.
type ledger struct {
	empty    bool
	prices   []schema.DailyPrice
	costs    []schema.DailyTokenCost
	runs     []schema.Run // newest first
	nights   []schema.ProviderRun
	latest   []schema.ProviderRun
	complete map[schema.ProviderID]schema.Day
	rejects  []schema.Rejected
	bytes    map[int64]map[schema.ProviderID]int64
	broken   string
}

var errBroken = errors.New("disk of /var/lib/secret-place is gone")

func (l *ledger) fail(call string) error {
	if l.broken == call {
		return errBroken
	}
	return nil
}

func (l *ledger) LatestDay(context.Context) (schema.Day, bool, error) {
	return tonight, !l.empty, l.fail("LatestDay")
}

func (l *ledger) DailyPrices(_ context.Context, from, to schema.Day, _ schema.ClassID) ([]schema.DailyPrice, error) {
	var out []schema.DailyPrice
	for _, p := range l.prices {
		if p.Day >= from && p.Day <= to {
			out = append(out, p)
		}
	}
	return out, l.fail("DailyPrices")
}

func (l *ledger) DailyTokenCosts(_ context.Context, from, to schema.Day, _ schema.ClassID) ([]schema.DailyTokenCost, error) {
	var out []schema.DailyTokenCost
	for _, c := range l.costs {
		if c.Day >= from && c.Day <= to {
			out = append(out, c)
		}
	}
	return out, l.fail("DailyTokenCosts")
}

func (l *ledger) LastRuns(_ context.Context, _ string, n int) ([]schema.Run, error) {
	return l.runs[:min(n, len(l.runs))], l.fail("LastRuns")
}

func (l *ledger) ProviderRuns(_ context.Context, from, to schema.Day) ([]schema.ProviderRun, error) {
	var out []schema.ProviderRun
	for _, n := range l.nights {
		if n.Day >= from && n.Day <= to {
			out = append(out, n)
		}
	}
	return out, l.fail("ProviderRuns")
}

func (l *ledger) LatestProviderRuns(context.Context) ([]schema.ProviderRun, error) {
	return l.latest, l.fail("LatestProviderRuns")
}

func (l *ledger) LastCompleteDays(context.Context) (map[schema.ProviderID]schema.Day, error) {
	return l.complete, l.fail("LastCompleteDays")
}

func (l *ledger) Rejects(_ context.Context, f schema.FetchFilter) ([]schema.Rejected, error) {
	var out []schema.Rejected
	for _, r := range l.rejects {
		if r.RunID == f.RunID && r.Provider == f.Provider {
			out = append(out, r)
		}
	}
	return out, l.fail("Rejects")
}

func (l *ledger) FetchedBytes(_ context.Context, run int64) (map[schema.ProviderID]int64, error) {
	return l.bytes[run], l.fail("FetchedBytes")
}

func (l *ledger) Size(context.Context) (int64, int64, error) { return 4096, 1024, l.fail("Size") }

// aNight is a ledger of two nights: tonight's with Crusoe down, and the one
// before, of which Crusoe's prices are.
func aNight() *ledger {
	night := func(run int64, p schema.ProviderID, day schema.Day, status schema.RunStatus, offers int) schema.ProviderRun {
		return schema.ProviderRun{
			RunID: run, Provider: p, Day: day, Status: status, Offers: offers,
			EndedAt: at(6, 10).Add(time.Duration(day-tonight)*24*time.Hour + 12*time.Second + 345*time.Millisecond),
		}
	}
	price := func(p schema.ProviderID, tier schema.Tier, term schema.Term, least schema.USD) schema.DailyPrice {
		return schema.DailyPrice{Day: tonight, Class: h100, Provider: p, Tier: tier, Term: term, Origin: schema.OriginLive, Min: least}
	}
	crusoe := night(1, "crusoe", tonight-1, schema.StatusComplete, 6)
	l := &ledger{
		prices: []schema.DailyPrice{
			price("lambda", "", schema.TermOnDemand, 3_990_000),
			price("lambda", schema.TierCluster, schema.TermReserved, 2_690_000),
			price("vast", schema.TierVerified, schema.TermOnDemand, 1_734_444),
			price("vast", schema.TierVerified, schema.TermBidFloor, 900_000),
		},
		costs: []schema.DailyTokenCost{{
			Day: tonight, Class: h100, Term: schema.TermOnDemand, Workload: "chat-70b", Statistic: schema.StatCheapest,
			Origin: schema.OriginLive, Raw: 413_711, Utilized: 636_479, AllIn: 1_272_957,
		}},
		runs: []schema.Run{
			{ID: 3, Day: tonight, Status: schema.StatusRunning, StartedAt: at(7, 0)},
			{ID: 2, Day: tonight, Status: schema.StatusPartial, StartedAt: at(6, 10), FinishedAt: at(6, 11)},
			{ID: 1, Day: tonight - 1, Status: schema.StatusComplete, StartedAt: at(6, 10).AddDate(0, 0, -1)},
		},
		nights:   []schema.ProviderRun{crusoe},
		latest:   []schema.ProviderRun{night(2, "crusoe", tonight, schema.StatusFailed, 0), night(2, "lambda", tonight, schema.StatusComplete, 28)},
		complete: map[schema.ProviderID]schema.Day{"lambda": tonight, "crusoe": tonight - 1},
		bytes:    map[int64]map[schema.ProviderID]int64{2: {"lambda": 181_000}},
	}
	l.prices[1].Commitment = schema.Commitment{MinDays: 14, MaxDays: 365}
	for _, odd := range []func(p *schema.DailyPrice){ // none of these is shown
		func(p *schema.DailyPrice) { p.GPUCount, p.Min = 8, 1 },
		func(p *schema.DailyPrice) { p.Origin, p.Min = schema.OriginImport, 1 },
		func(p *schema.DailyPrice) { p.Day, p.Min = tonight-1, 1 },
		func(p *schema.DailyPrice) { p.Origin, p.Min = schema.OriginRecorded, 4_290_000 }, // dearer than the live one
	} {
		p := l.prices[0]
		odd(&p)
		l.prices = append(l.prices, p)
	}
	for _, rule := range []string{"unpriced", "band", "unpriced"} {
		l.rejects = append(l.rejects, schema.Rejected{Reject: schema.Reject{Rule: rule}, Provider: "lambda", RunID: 2})
	}
	return l
}

// options are those of a process that asks three providers, one of which never ran.
func options(t *testing.T, l *ledger, now time.Time) (web.Options, *bytes.Buffer) {
	t.Helper()
	logs := &bytes.Buffer{}
	return web.Options{
		Source: l, Providers: []schema.ProviderID{"lambda", "vast", "crusoe"}, Version: "1.2.3",
		Now: func() time.Time { return now }, Log: slog.New(slog.NewTextHandler(logs, nil)),
	}, logs
}
