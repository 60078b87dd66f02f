package validate_test

import (
	"encoding/csv"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"mtok/pipeline/validate"
	"mtok/schema"
)

// sold is a list price as the bundled history has it, from one day to another.
type sold struct {
	from, to schema.Day
	row      schema.Observation
}

// bundledLists reads a bundled history, by provider.
func bundledLists(t *testing.T, file string) map[string][]sold {
	t.Helper()
	f, err := os.Open("../history/bundled/" + file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	at := map[string]int{}
	for i, name := range rows[0] {
		at[name] = i
	}
	out := map[string][]sold{}
	for _, r := range rows[1:] {
		from, errFrom := schema.ParseDay(r[at["from"]])
		to, errTo := schema.ParseDay(r[at["to"]])
		gpus, errCount := strconv.Atoi(r[at["gpus"]])
		if errFrom != nil || errTo != nil || errCount != nil {
			t.Fatalf("%s: %q", file, r)
		}
		o := row(r[at["class"]], r[at["name"]], strings.TrimPrefix(r[at["price"]], "$"))
		if r[at["unit"]] == string(schema.UnitInstanceHour) && gpus > 0 {
			o.USDPerGPUHour /= schema.USD(gpus)
		}
		o.Offer.GPUCount, o.Offer.Region, o.Offer.Tier = gpus, r[at["region"]], schema.Tier(r[at["tier"]])
		o.Offer.Term = schema.Term(r[at["term"]])
		out[r[at["provider"]]] = append(out[r[at["provider"]]], sold{from, to, o})
	}
	return out
}

func on(day schema.Day, list []sold) []schema.Observation {
	var rows []schema.Observation
	for _, s := range list {
		if s.from <= day && day <= s.to {
			rows = append(rows, s.row)
		}
	}
	return rows
}

// TestFirstNightsOfRealLists: a list of up to half a year later, as the providers have
// really changed theirs, is not taken for one whose prices stand in other rows.
func TestFirstNightsOfRealLists(t *testing.T) {
	pairs := 0
	for _, file := range []string{"gpurentalprices.csv", "nixj9.csv", "the-full-stack.csv"} {
		for provider, list := range bundledLists(t, file) {
			days := map[schema.Day]bool{}
			for _, s := range list {
				days[s.from] = true
			}
			order := slices.Sorted(maps.Keys(days))
			for i, known := range order {
				for _, night := range order[i+1:] {
					if night > known+180 {
						break
					}
					pairs++
					for _, b := range validate.Judge(firstNight(on(night, list), on(known, list))) {
						if b.Rule == validate.RuleExchanged || b.Rule == validate.RuleStrange {
							t.Errorf("%s, %s: %s beside %s: %v", file, provider, night, known, b)
						}
					}
				}
			}
		}
	}
	if pairs < 1000 {
		t.Errorf("%d pairs of days", pairs)
	}
}
