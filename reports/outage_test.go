package reports_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mtok/reports"
	"mtok/schema"
)

func part(provider schema.ProviderID, day schema.Day, status schema.RunStatus, offers int, detail ...string) schema.ProviderRun {
	return schema.ProviderRun{Provider: provider, Day: day, Status: status, Offers: offers,
		ErrorKind: strings.Join(detail[:min(len(detail), 1)], ""), Detail: strings.Join(detail[min(len(detail), 1):], "\n")}
}

func TestOutages(t *testing.T) {
	good := part("coreweave", tonight, schema.StatusComplete, 32)
	failed := part("lambda", tonight, schema.StatusFailed, 0, "layout", "https://lambda.ai/pricing: no table", "second line")
	held := part("crusoe", tonight, schema.StatusQuarantined, 3, "classes")
	quarantine := schema.Quarantine{Provider: "crusoe", Day: tonight, Evidence: "a class is missing"}
	crusoe := offer(1, "crusoe", h100, 1, "3.90")
	named := reports.Filter{Day: tonight + 5, DayNamed: true}
	tests := []struct {
		name string
		n    reports.Night
		f    reports.Filter
		want []string
	}{
		{"all is well", reports.Night{Latest: []schema.ProviderRun{good}}, reports.Filter{}, nil},
		{"failed", reports.Night{Latest: []schema.ProviderRun{failed, good}}, reports.Filter{},
			[]string{"lambda: failed on 2026-08-22 (layout): https://lambda.ai/pricing: no table"}},
		{"of another provider", reports.Night{Latest: []schema.ProviderRun{failed, good}}, reports.Filter{Provider: "coreweave"}, nil},
		{"switched off long ago", reports.Night{Latest: []schema.ProviderRun{part("lambda", tonight-4, schema.StatusFailed, 0)}}, reports.Filter{}, nil},
		{"in part", reports.Night{Latest: []schema.ProviderRun{part("vast", tonight, schema.StatusPartial, 9, "not_recorded", "b200")}}, reports.Filter{},
			[]string{"vast: read in part on 2026-08-22 (not_recorded): b200"}},
		{"held", reports.Night{Latest: []schema.ProviderRun{held}, Held: []schema.Quarantine{quarantine}}, reports.Filter{},
			[]string{"crusoe: held on 2026-08-22: a class is missing"}},
		{"confirmed", reports.Night{Latest: []schema.ProviderRun{held}, Observations: []schema.Observation{crusoe}}, reports.Filter{}, nil},
		{"discarded", reports.Night{Latest: []schema.ProviderRun{held}}, reports.Filter{}, []string{"crusoe: discarded on 2026-08-22"}},
		{"a later night failed", reports.Night{Latest: []schema.ProviderRun{
			part("lambda", tonight+1, schema.StatusFailed, 0, "status", "503"), good}}, reports.Filter{},
			[]string{"The night of 2026-08-23 failed; showing 2026-08-22.", "lambda: failed on 2026-08-23 (status): 503"}},
		{"a later night is being read", reports.Night{Latest: []schema.ProviderRun{part("lambda", tonight+1, schema.StatusComplete, 28), good}},
			reports.Filter{}, []string{"The night of 2026-08-23 is not published yet; showing 2026-08-22."}},
		{"a later night has only a notice", reports.Night{Latest: []schema.ProviderRun{part("fluidstack", tonight+1, schema.StatusComplete, 0), good}},
			reports.Filter{}, []string{"The night of 2026-08-23 gave no price; showing 2026-08-22."}},
		{"a later night is held", reports.Night{Latest: []schema.ProviderRun{part("crusoe", tonight+1, schema.StatusQuarantined, 3)},
			Held: []schema.Quarantine{{Provider: "crusoe", Day: tonight + 1, Evidence: "a class is missing"}}}, reports.Filter{},
			[]string{"The night of 2026-08-23 was not published; showing 2026-08-22.", "crusoe: held on 2026-08-23: a class is missing"}},
		{"no night of the day asked for", reports.Night{Latest: []schema.ProviderRun{good}}, named,
			[]string{"There is no night of 2026-08-27; showing 2026-08-22."}},
		{"nothing ever but a failure", reports.Night{Empty: true, Latest: []schema.ProviderRun{failed}}, reports.Filter{},
			[]string{"Nothing has been published yet: run mtok nightly, or mtok demo.",
				"lambda: failed on 2026-08-22 (layout): https://lambda.ai/pricing: no table"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if !tt.n.Empty {
				tt.n.AsOf = tonight
			}
			doc := reports.Prices(tt.n, testCatalog(t), reports.DefaultSettings(), tt.f)
			got := slices.DeleteFunc(doc.After, func(line string) bool { return strings.HasPrefix(line, "No current price") })
			if len(got) == 0 {
				got = nil
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("lines (-want +got):\n%s", diff)
			}
		})
	}
}

func TestMarksCountTheRowsShown(t *testing.T) {
	recorded := func(o *schema.Observation) { o.Origin = schema.OriginRecorded }
	n := reports.Night{AsOf: tonight, Observations: []schema.Observation{
		offer(1, "lambda", h100, 1, "4.29", recorded), offer(2, "lambda", h100, 2, "8.38", recorded),
		offer(3, "nebius", h100, 2, "8.00", daysAgo(1), recorded), offer(4, "nebius", h100, 8, "40.00", daysAgo(1), recorded),
	}}
	for _, tt := range []struct {
		doc  reports.Document
		want []string
	}{
		{reports.Prices(n, testCatalog(t), reports.DefaultSettings(), reports.Filter{}), []string{
			"2 prices carried from an earlier day, each shown with its age; in no minimum.",
			"4 prices read from recorded pages, not fetched live."}},
		{reports.MTok(n, testCatalog(t), reports.DefaultSettings(), reports.Filter{}), []string{
			"1 price carried from an earlier day, shown with its age; in no minimum.",
			"2 prices read from recorded pages, not fetched live."}},
		{reports.MTok(n, testCatalog(t), reports.DefaultSettings(), reports.Filter{Provider: "lambda"}), []string{
			"Each figure: mtok explain CLASS --provider lambda",
			"1 price read from a recorded page, not fetched live."}},
	} {
		if got := tt.doc.After[len(tt.doc.After)-2:]; !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.doc.Name, got, tt.want)
		}
	}
}
