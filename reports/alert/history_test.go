package alert_test

import (
	"errors"
	"strings"
	"testing"

	"mtok/reports/alert"
	"mtok/schema"
)

const historyHead = "date,provider,gpu_class,form,tier,gpu_count,usd_per_gpu_hr,stat,source,provenance\n"

func TestHistoryReadsWhatARowMeans(t *testing.T) {
	for line, want := range map[string]alert.Reading{
		"2026-07-07,runpod,H100,SXM,on_demand,1,2.99,list,a,primary": {
			Provider: "runpod", Class: "h100-sxm-80gb", GPUs: 1, Term: schema.TermOnDemand, Provenance: alert.Primary},
		"2026-07-07,RunPod,A100-80,PCIe,secure(max_price_hr),,2.99,last_of_day,a,primary": {
			Provider: "runpod", Class: "a100-pcie-80gb", Tier: "secure", Term: schema.TermOnDemand, Provenance: alert.Primary},
		"2026-07-07,runpod,B200,,community,8,2.99,median(n=2),a,aggregator:b": {
			Provider: "runpod", Class: "b200-sxm-180gb", GPUs: 8, Tier: "community", Term: schema.TermOnDemand, Provenance: alert.Aggregator},
		"2026-07-07,runpod,H200,,on-demand,,2.99,report_median,a,primary": {
			Provider: "runpod", Name: "h200", Term: schema.TermOnDemand, Provenance: alert.ReportMedian},
		"2026-07-07,lambda,A100,SXM,executable:RO,,2.99,offer,a,primary": {
			Provider: "lambda", Name: "a100-sxm", Region: "RO", Term: schema.TermOnDemand, Provenance: alert.Primary},
		"2026-07-07,lambda,h100-sxm-80gb,,reserved,,2.99,min,a,primary": {
			Provider: "lambda", Class: "h100-sxm-80gb", Term: schema.TermReserved, Provenance: alert.Minimum},
		"2026-07-07,vast.ai,H100,NVL,interruptible,,2.99,list,a,static": {
			Provider: "vast", Class: "h100-nvl-94gb", Term: schema.TermSpot, Provenance: alert.Static, Market: true},
	} {
		h, _ := reader(t)
		got, err := h.Read(strings.NewReader(historyHead + line + "\n"))
		want.Day, want.Price, want.Source = day("2026-07-07"), usd("2.99"), "a"
		if err != nil || len(got) != 1 || got[0] != want {
			t.Errorf("%s:\n%+v, %v, want\n%+v", line, got, err, want)
		}
	}
}

func TestHistoryNamesTheLineThatIsWrong(t *testing.T) {
	good := "2026-07-07,runpod,H100,SXM,on_demand,1,2.99,list,a,primary\n"
	for line, want := range map[string]string{
		"7 July,runpod,H100,SXM,on_demand,1,2.99,list,a,primary":       "is not a day",
		"2026-07-07,runpot,H100,SXM,on_demand,1,2.99,list,a,primary":   `unknown provider "runpot"`,
		"2026-07-07,runpod,,,on_demand,1,2.99,list,a,primary":          "no gpu_class",
		"2026-07-07,runpod,H100,SXM,on_demand,one,2.99,list,a,primary": "gpu_count",
		"2026-07-07,runpod,H100,SXM,on_demand,1,$2.99,list,a,primary":  "usd_per_gpu_hr",
		"2026-07-07,runpod,H100,SXM,on_demand,1,2.99,list,,primary":    "no source",
		"2026-07-07,runpod,H100,SXM,on_demand,1,2.99,list,a,hearsay":   "provenance",
		"2026-07-07,runpod,H100":                                       "wrong number of fields",
	} {
		h, _ := reader(t)
		_, err := h.Read(strings.NewReader(historyHead + good + line + "\n"))
		if !errors.Is(err, alert.ErrHistory) || !strings.Contains(err.Error(), "line 3") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want line 3 and %q", line, err, want)
		}
	}
	h, _ := reader(t)
	for text, want := range map[string]string{"": "no line of column names", "day,price\n": `no column "date"`} {
		if _, err := h.Read(strings.NewReader(text)); !errors.Is(err, alert.ErrHistory) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func FuzzHistory(f *testing.F) {
	f.Add(historyHead + "2026-07-07,runpod,H100,SXM,on_demand,1,2.99,list,a,primary\n")
	f.Add(historyHead + "2026-07-07,vast.ai,A100-80,,spot,,0.5,median(n=3),a,aggregator:b,flag\n")
	f.Fuzz(func(t *testing.T, text string) {
		h, in := reader(t)
		readings, err := h.Read(strings.NewReader(text))
		if err != nil && !errors.Is(err, alert.ErrHistory) {
			t.Fatal(err)
		}
		in.Readings = readings
		alert.Moves(in)
	})
}
