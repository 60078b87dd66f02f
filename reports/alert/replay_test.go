package alert_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"mtok/reports/alert"
	"mtok/schema"
)

func TestReplayOwnHistory(t *testing.T) {
	holds(t, ownHistory, ownExpected)
}

func TestReplaySharedHistory(t *testing.T) {
	if _, err := os.Stat(sharedHistory); err != nil {
		t.Skip("needs ../shared")
	}
	holds(t, sharedHistory, sharedExpected)
}

// holds judges a replay by a table of what must, may and must not be told.
func holds(t *testing.T, history, expected string) {
	in, want := load(t, history), table(t, expected)
	list := alert.Moves(in).Events
	found := map[int]int{}
	strangers := 0
	for _, e := range list {
		i := slices.IndexFunc(want, func(row map[string]string) bool { return tells(t, e, row) })
		switch {
		case i >= 0:
			found[i]++
		case !e.Rise():
			t.Errorf("a drop that never was: %s %s %s %s -> %s, %s", e.Day, e.Provider, e.Class, e.From, e.To, e.Sources)
		default:
			strangers++
			t.Logf("a rise that nobody listed: %s %s %s %s -> %s", e.Day, e.Provider, e.Class, e.From, e.To)
		}
		if e.Provider == "lambda" && e.Class == "h200-sxm-141gb" || e.Provider == "coreweave" {
			t.Errorf("%s %s %s -> %s: must not be told", e.Provider, e.Class, e.From, e.To)
		}
	}
	if strangers > 2 {
		t.Errorf("%d rises that are neither must nor may", strangers)
	}
	for i, row := range want {
		if row["verdict"] == "must" && found[i] != 1 {
			t.Errorf("%s %s %s %s -> %s: told %d times", row["first_night"], row["provider"], row["gpu_class"], row["from"], row["to"], found[i])
		}
	}
	weeks := map[schema.Day]int{}
	for _, e := range rule(t, alert.MetricMarket).Events(in) {
		if weeks[e.Day/7]++; weeks[e.Day/7] > 3 {
			t.Errorf("more than three market moves in the week of %s", e.Day)
		}
	}
}

// tells reports whether an event is the one of a must or may row.
func tells(t *testing.T, e alert.Event, row map[string]string) bool {
	if row["verdict"] != "must" && row["verdict"] != "may" || string(e.Provider) != row["provider"] || string(e.Class) != row["gpu_class"] {
		return false
	}
	if e.From != usd(row["from"]) || e.To != usd(row["to"]) {
		return strings.Contains(row["note"], e.From.String()+" to "+e.To.String())
	}
	nights := 7
	if text := row["nights_allowed"]; text != "" {
		nights = number(t, text)
	}
	first := day(row["first_night"])
	return e.Day >= first && e.Day <= first+schema.Day(nights)
}

func TestReplayOrderAndDuplicatesChangeNothing(t *testing.T) {
	in := load(t, ownHistory)
	want := alert.Moves(in)
	market := rule(t, alert.MetricMarket).Events(in)
	for name, change := range map[string]func([]alert.Reading) []alert.Reading{
		"backwards": func(r []alert.Reading) []alert.Reading { slices.Reverse(r); return r },
		"twice":     func(r []alert.Reading) []alert.Reading { return slices.Concat(r, r) },
		"by source": func(r []alert.Reading) []alert.Reading {
			slices.SortFunc(r, func(a, b alert.Reading) int { return strings.Compare(b.Source, a.Source) })
			return r
		},
		"riffled": func(r []alert.Reading) []alert.Reading {
			var out []alert.Reading
			for step := range 7 {
				for i := step; i < len(r); i += 7 {
					out = append(out, r[i])
				}
			}
			return out
		},
	} {
		other := in
		other.Readings = change(slices.Clone(in.Readings))
		if got := alert.Moves(other); !equalResults(got, want) {
			t.Errorf("%s: told %q, want %q", name, brief(got.Events), brief(want.Events))
		}
		if got := rule(t, alert.MetricMarket).Events(other); !slices.Equal(brief(got), brief(market)) {
			t.Errorf("%s: markets %q, want %q", name, brief(got), brief(market))
		}
	}
	if len(market) == 0 {
		t.Error("no market moved")
	}
}

func equalResults(a, b alert.Result) bool {
	same := func(x, y alert.Event) bool {
		return x.ID() == y.ID() && x.Day == y.Day && x.GPUs == y.GPUs && slices.Equal(x.Sources, y.Sources) && slices.Equal(x.Also, y.Also)
	}
	return slices.EqualFunc(a.Events, b.Events, same) && len(a.Held) == len(b.Held) && len(a.Compositions) == len(b.Compositions)
}

// A night sees the past only: what is told of a day does not depend on later days.
func TestReplayToldTheSameNightByNight(t *testing.T) {
	in := load(t, ownHistory)
	whole := alert.Moves(in).Events
	for _, e := range whole {
		night := in
		night.Readings = slices.DeleteFunc(slices.Clone(in.Readings), func(r alert.Reading) bool { return r.Day > e.Day || r.Day <= e.Day-45 })
		told := alert.Moves(night).Events
		if !slices.ContainsFunc(told, func(n alert.Event) bool { return n.ID() == e.ID() && n.Day == e.Day }) {
			t.Errorf("%s %s %s -> %s is not told on its own night", e.Day, e.Class, e.From, e.To)
		}
	}
}

// A flag beside the rows is never read.
func TestReplayReadsNoFlag(t *testing.T) {
	body, err := os.ReadFile(ownHistory)
	if err != nil {
		t.Fatal(err)
	}
	var flagged strings.Builder
	for i, line := range strings.Split(strings.TrimSpace(string(body)), "\n") {
		if i == 0 {
			flagged.WriteString(line + ",flag\n")
		} else {
			flagged.WriteString(line + ",unit_suspect\n")
		}
	}
	h, in := reader(t)
	if in.Readings, err = h.Read(strings.NewReader(flagged.String())); err != nil {
		t.Fatal(err)
	}
	if want := alert.Moves(load(t, ownHistory)); !equalResults(alert.Moves(in), want) {
		t.Error("the flag changed what is told")
	}
}
