package store_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"testing"
	"time"

	"mtok/schema"
	"mtok/schema/store"
)

// firstNight is 2026-08-22.
const firstNight = schema.Day(20687)

// mustRun starts a nightly run of a day.
func mustRun(t *testing.T, s *store.Store, day schema.Day) schema.Run {
	t.Helper()
	run, err := s.StartRun(context.Background(), schema.Run{
		Job: schema.JobNightly, Day: day, Slot: day.Slot(), Trigger: "manual", Version: "v0", Owner: "host/1",
	})
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// mustFinish ends a run, so that the next can start.
func mustFinish(t *testing.T, s *store.Store, run schema.Run) {
	t.Helper()
	if err := s.FinishRun(context.Background(), run.ID, schema.StatusComplete); err != nil {
		t.Fatal(err)
	}
}

func newPage(body string) *schema.Page {
	sum := sha256.Sum256([]byte(body))
	return &schema.Page{SHA256: hex.EncodeToString(sum[:]), MediaType: "text/html; charset=utf-8", Body: []byte(body)}
}

// newFetch is a live fetch of Lambda's page.
func newFetch(run schema.Run) schema.Fetch {
	return schema.Fetch{
		RunID: run.ID, Day: run.Day, Provider: "lambda", Source: "pricing-page", Origin: schema.OriginLive,
		Method: "GET", URL: "https://lambda.ai/pricing", Status: 200, ETag: `"a"`, LastModified: "Sat, 22 Aug 2026 00:00:00 GMT",
		FetchedAt: run.Day.Time().Add(6 * time.Hour),
	}
}

// mustFetch archives a page of Lambda.
func mustFetch(t *testing.T, s *store.Store, run schema.Run) schema.Fetch {
	t.Helper()
	f := newFetch(run)
	page := newPage(fmt.Sprintf("<html>prices of %s</html>", run.Day))
	id, err := s.SaveFetch(context.Background(), f, page)
	if err != nil {
		t.Fatal(err)
	}
	f.ID, f.PageSHA256 = id, page.SHA256
	return f
}

func ptr[T any](v T) *T { return &v }

// h100 is an offer of Lambda for n GPUs at a price per GPU-hour, as read from f.
func h100(f schema.Fetch, n int, price schema.USD) schema.Observation {
	return schema.Observation{
		Day: f.Day, Slot: f.Day.Slot(), Source: f.Source, Class: "h100-sxm-80gb", Origin: f.Origin, FetchID: f.ID,
		PageSHA256: f.PageSHA256, FetchedAt: f.FetchedAt,
		Offer: schema.Offer{
			OfferKey: schema.OfferKey{
				Provider: "lambda", SKU: "instances/gpu_h100_sxm/80", GPUCount: n, Term: schema.TermOnDemand,
			},
			GPURaw: "NVIDIA H100 SXM", VRAMMiB: 80 * 1024, Basis: schema.BasisInstance, Unit: schema.UnitGPUHour,
			PriceText: "$" + price.String(), Currency: "USD",
		},
		USDPerGPUHour: price, USDPerInstanceHour: price * schema.USD(n),
	}
}

// marketOffer is an offer with every field set.
func marketOffer(f schema.Fetch) schema.Observation {
	o := h100(f, 8, 2_750_000)
	o.Offer.Region = "us-east"
	o.Offer.Term = schema.TermReserved
	o.Offer.Commitment = schema.Commitment{MinDays: 14, MaxDays: 365}
	o.Offer.Tier = schema.TierCluster
	o.Offer.FormRaw = "SXM5"
	o.Offer.GroupKey = "machine 7"
	o.Offer.PerGPU = true
	o.Offer.MaxGPUs = 16
	o.Offer.Stock = schema.StockSoldOut
	o.Offer.StockPoints = schema.StockPoints{
		{GPUs: 1, Level: "high"}, {GPUs: 8, Region: "us-east", Level: schema.LevelNone},
	}
	o.Offer.Note = "as listed, never invoiced"
	o.Offer.Attributes = schema.Attributes{
		MaxDays: ptr(int64(31)), NVLink: ptr(true), Datacenter: ptr(false), ReliabilityPPM: ptr(int64(987_654)),
		StorageGB: ptr(int64(100)), Tier: "verified",
	}
	o.Excluded = "broken machine"
	return o
}

// nightOf is a night of Lambda with these observations.
func nightOf(run schema.Run, status schema.RunStatus, observations ...schema.Observation) schema.ProviderNight {
	return schema.ProviderNight{
		Run: run,
		Result: schema.ProviderRun{
			RunID: run.ID, Provider: "lambda", Day: run.Day, Status: status, Offers: len(observations),
			EndedAt: run.Day.Time().Add(7 * time.Hour),
		},
		Observations: observations,
	}
}

func mustSave(t *testing.T, s *store.Store, n schema.ProviderNight) {
	t.Helper()
	if err := s.SaveProviderNight(context.Background(), n); err != nil {
		t.Fatal(err)
	}
}

// saveDay runs a whole complete night of a day.
func saveDay(t *testing.T, s *store.Store, day schema.Day, prices ...schema.USD) {
	t.Helper()
	run := mustRun(t, s, day)
	f := mustFetch(t, s, run)
	var observations []schema.Observation
	for i, price := range prices {
		observations = append(observations, h100(f, i+1, price))
	}
	mustSave(t, s, nightOf(run, schema.StatusComplete, observations...))
	mustFinish(t, s, run)
}

// prices lists the stored prices, by day and GPU count.
func prices(t *testing.T, s *store.Store, f schema.ObservationFilter) []string {
	t.Helper()
	observations, err := s.Observations(context.Background(), f)
	if err != nil {
		t.Fatal(err)
	}
	list := []string{}
	for _, o := range observations {
		list = append(list, fmt.Sprintf("%s %dx %s", o.Day, o.Offer.GPUCount, o.USDPerGPUHour))
	}
	return list
}
