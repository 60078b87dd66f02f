package alert_test

import (
	"slices"
	"testing"

	"mtok/reports/alert"
	"mtok/schema"
)

// planted changes the price of what a reading is about from a day on, and drops
// what other sources say of it: how a change would stand in the history.
type planted struct {
	class  schema.ClassID
	source string
	change func(day int, price schema.USD) schema.USD // day counts from the first night
}

const plantedFirst = "2026-06-07"

// plant puts an offer of two sources into a copy of the project's own history and
// changes it.
func plant(t *testing.T, changes ...planted) []string {
	t.Helper()
	in := load(t, ownHistory)
	var told []string
	for _, source := range []string{"watcher", "scraper"} {
		for _, class := range []schema.ClassID{"h200-sxm-141gb", "h100-sxm-80gb"} {
			for d := day("2026-05-28"); d <= day("2026-07-04"); d++ {
				price := usd("4.29")
				if class == "h100-sxm-80gb" {
					price = usd("3.90")
				}
				for _, c := range changes {
					if c.class == class && c.source == source && d >= day(plantedFirst) {
						price = c.change(int(d-day(plantedFirst)), price)
					}
				}
				in.Readings = append(in.Readings, alert.Reading{
					Day: d, Provider: "crusoe", Class: class, Term: schema.TermOnDemand, Price: price,
					Provenance: alert.Primary, Source: source,
				})
			}
		}
	}
	ids := map[string]bool{}
	for _, e := range alert.Moves(load(t, ownHistory)).Events {
		ids[e.ID()] = true
	}
	for _, e := range alert.Moves(in).Events {
		if !ids[e.ID()] {
			told = append(told, e.Day.String()+" "+string(e.Class)+" "+e.Percent())
		}
		delete(ids, e.ID())
	}
	if len(ids) > 0 {
		t.Errorf("planting took %d events away", len(ids))
	}
	return told
}

func cut(percent int64) func(int, schema.USD) schema.USD {
	return func(_ int, price schema.USD) schema.USD { return price * schema.USD(100-percent) / 100 }
}

func oneNight(_ int, price schema.USD) schema.USD { return price }

func TestPlantedCutsOfTwoSourcesAreTold(t *testing.T) {
	// Half is a unit ratio: of two sources too it must stand on a second night.
	for percent, want := range map[int64]string{
		1: "2026-06-07 h200-sxm-141gb -1.00", 3: "2026-06-07 h200-sxm-141gb -3.00",
		9: "2026-06-07 h200-sxm-141gb -9.00", 50: "2026-06-08 h200-sxm-141gb -50.00",
	} {
		got := plant(t, planted{"h200-sxm-141gb", "watcher", cut(percent)}, planted{"h200-sxm-141gb", "scraper", cut(percent)})
		if !slices.Equal(got, []string{want}) {
			t.Errorf("%d %%: told %q, want %q", percent, got, want)
		}
	}
}

func TestPlantedFaultsAreNotTold(t *testing.T) {
	blink := func(n int, price schema.USD) schema.USD {
		if n == 0 {
			return price * 91 / 100
		}
		return price
	}
	times := func(up, down schema.USD) func(int, schema.USD) schema.USD {
		return func(_ int, price schema.USD) schema.USD { return price * up / down }
	}
	for name, changes := range map[string][]planted{
		"nothing":            {{"h200-sxm-141gb", "watcher", oneNight}},
		"one night":          {{"h200-sxm-141gb", "watcher", blink}},
		"half, one source":   {{"h200-sxm-141gb", "watcher", cut(50)}},
		"a quarter":          {{"h200-sxm-141gb", "scraper", times(1, 4)}},
		"double":             {{"h200-sxm-141gb", "scraper", times(2, 1)}},
		"four times":         {{"h200-sxm-141gb", "scraper", times(4, 1)}},
		"two chips":          {{"h200-sxm-141gb", "watcher", cut(50)}, {"h100-sxm-80gb", "watcher", cut(50)}},
		"eight, out of band": {{"h200-sxm-141gb", "watcher", times(1, 8)}, {"h100-sxm-80gb", "watcher", times(1, 8)}},
		"two chips, two sources": {
			{"h200-sxm-141gb", "watcher", cut(50)}, {"h100-sxm-80gb", "watcher", cut(50)},
			{"h200-sxm-141gb", "scraper", cut(50)}, {"h100-sxm-80gb", "scraper", cut(50)},
		},
	} {
		if got := plant(t, changes...); len(got) > 0 {
			t.Errorf("%s: told %q", name, got)
		}
	}
}

func TestPlantedCreepIsToldOnceItSumsUp(t *testing.T) {
	creep := func(n int, price schema.USD) schema.USD { return price * schema.USD(100-min(n+1, 7)) / 100 }
	// The other source is dropped out of sight: it would contradict a drop.
	same := planted{"h200-sxm-141gb", "scraper", func(n int, price schema.USD) schema.USD { return 0 }}
	got := plant(t, planted{"h200-sxm-141gb", "watcher", creep}, same)
	if want := []string{"2026-06-11 h200-sxm-141gb -5.00"}; !slices.Equal(got, want) {
		t.Errorf("told %q, want %q", got, want)
	}
}
