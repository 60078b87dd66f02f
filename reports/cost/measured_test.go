package cost_test

import (
	"os"
	"strings"
	"testing"

	"mtok/reports/cost"
	"mtok/schema"
)

// No measurement of the catalog breaks physics, nor comes near: the highest
// published share of a bound is 0.78.
func TestCatalogRowsArePlausible(t *testing.T) {
	c := catalog(t)
	for _, row := range c.Throughputs {
		b, j, err := cost.JudgeRow(c, row)
		if err != nil || j.Verdict != cost.VerdictPlausible {
			t.Errorf("%s: %s %s %v %q", row.ID, j.Verdict, j.Reason, err, j.Arithmetic)
			continue
		}
		if b.GPUs < b.MinGPUs || b.TokensPerSecond.Cmp(j.Output) < 0 {
			t.Errorf("%s: plausible, but fits on %d GPUs and is bound by %s", row.ID, b.MinGPUs, b.TokensPerSecond.FloatString(1))
		}
	}
	if len(c.Throughputs) < 100 {
		t.Errorf("%d rows judged, want 100 or more", len(c.Throughputs))
	}
}

// The guard catches each row of the catalog at ten times its bound, where a figure
// of a whole rack taken for one node lands.
func TestInflatedRowsAreCaught(t *testing.T) {
	c := catalog(t)
	for _, row := range c.Throughputs {
		b, _, err := cost.JudgeRow(c, row)
		if err != nil {
			t.Fatal(err)
		}
		row.TokensPerSecond = schema.MustDecimal(b.TokensPerSecond.FloatString(0) + "0")
		if _, j, _ := cost.JudgeRow(c, row); j.Verdict != cost.VerdictReject || j.Reason != cost.ReasonAbove {
			t.Errorf("%s at ten times its bound: %s %s", row.ID, j.Verdict, j.Reason)
		}
		if err := cost.CheckUserRow(c, row); err == nil || !strings.Contains(err.Error(), row.ID) || !strings.Contains(err.Error(), "bound:") {
			t.Errorf("%s as a user's row: %v", row.ID, err)
		}
		row.AllowImplausible = true
		if err := cost.CheckUserRow(c, row); err != nil {
			t.Errorf("%s, allowed: %v", row.ID, err)
		}
	}
}

// Of every published measurement at hand whose class, model and lengths are known
// none is rejected. One figure counts decode GPUs alone and has no bound.
func TestPublishedMeasurements(t *testing.T) {
	const path = "../../../shared/data/throughput.csv"
	if _, err := os.Stat(path); err != nil {
		t.Skip("no table of published measurements at hand")
	}
	c := catalog(t)
	judged, exceptions := 0, 0
	for _, row := range records(t, path) {
		if row["input_len"] == "" && row["model"] == "Llama-2-70B" {
			row["input_len"] = "200" // MLPerf's, which its result files leave out
		}
		_, known := c.GPU(schema.ClassID(row["gpu_class"]))
		_, shaped := c.Model(row["model"])
		if !known || !shaped || row["input_len"] == "" || row["output_len"] == "" {
			continue
		}
		b := roofline(t, config(t, c, row, "input_len", "output_len", "concurrency"))
		claim := cost.Claim{TokensPerSecond: optional(t, row["output_tokens_per_s_total"]), DecodeGPUsOnly: row["scenario"] == "decode-per-gpu"}
		j, err := b.Judge(claim)
		switch {
		case err != nil:
			t.Errorf("%v: %v", row, err)
		case claim.DecodeGPUsOnly:
			exceptions++
			if row["gpu_class"] != "gb200-186gb" || j.Verdict != cost.VerdictUnknown || j.Reason != cost.ReasonDecodeOnly {
				t.Errorf("%v: %s %s", row, j.Verdict, j.Reason)
			}
		default:
			judged++
			if j.Verdict != cost.VerdictPlausible {
				t.Errorf("%v: %s %s, %q", row, j.Verdict, j.Reason, j.Arithmetic)
			}
		}
	}
	if judged != 1039 || exceptions != 1 {
		t.Errorf("%d judged and %d without a bound, want 1,039 and 1", judged, exceptions)
	}
}
