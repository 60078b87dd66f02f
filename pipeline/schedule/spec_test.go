package schedule_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"mtok/pipeline/schedule"
	"mtok/schema"
)

func mustParse(t *testing.T, text string) schedule.Spec {
	t.Helper()
	spec, err := schedule.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return spec
}

func TestParseRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                               "is empty",
		"  ":                             "is empty",
		"TZ=0":                           "time zone", // panics in robfig/cron v3.0.1
		" CRON_TZ=Europe/Berlin 10 6":    "time zone",
		"TZ=America/New_York 30 2 * * *": "time zone",
		"@daily":                         "want five fields",
		"@every 0s":                      "want five fields",
		"0 10 6 * * *":                   "6 fields",
		"10 6 * *":                       "4 fields",
		"0 0 31 2 *":                     "never fires",
		"0 0 30 2 *":                     "never fires",
		"0 0 31 4,6,9,11 *":              "never fires",
		"10 , * * *":                     `"," names no value`, "10 6 1 1 ,": `"," names no value`,
		"* * * * *":     "1440 times a day",
		"10 * * * *":    "24 times a day",
		"10 6,18 * * *": "2 times a day",
		"0,30 6 * * 1":  "2 times a day",
		"60 6 * * *":    "above maximum",
		"10 6 * * 7":    "above maximum",
		"-1 6 * * *":    "-1",
		"10 6 * * */0":  "positive",
		"ten 6 * * *":   "ten",
	} {
		if spec, err := schedule.Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%q) = %v, %v; want an error with %q", text, spec, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"10 6 * * *", "TZ=0", "@every 0s", "0 0 29 2 *", "*/1 6-6 ?/2 JAN-DEC sun,2\n", "1-99999999999 * * * *"} {
		f.Add(seed)
	}
	now := time.Date(2026, 8, 22, 12, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, text string) {
		spec, err := schedule.Parse(text)
		if err != nil {
			return
		}
		if strings.ContainsAny(spec.String(), "\n\r\t=@%") {
			t.Errorf("%q keeps what does not belong into a crontab: %q", text, spec)
		}
		last := schema.Day(0)
		for _, at := range spec.Upcoming(now, 5) {
			if day := schema.DayOf(at); day == last {
				t.Errorf("%q fires twice on %s", text, day)
			} else {
				last = day
			}
		}
		// What is generated fires on the same days.
		again, err := schedule.Parse(spec.Crontab())
		if err != nil {
			t.Fatalf("%q: crontab %q: %v", text, spec.Crontab(), err)
		}
		if diff := cmp.Diff(spec.Upcoming(now, 5), again.Upcoming(now, 5)); diff != "" {
			t.Errorf("%q and its crontab %q differ:\n%s", text, spec.Crontab(), diff)
		}
	})
}

func TestUpcoming(t *testing.T) {
	at := func(text string) time.Time {
		when, err := time.Parse("2006-01-02 15:04:05", text)
		if err != nil {
			t.Fatal(err)
		}
		return when
	}
	for _, c := range []struct {
		spec, now string
		want      []string
	}{
		{"10 6 * * *", "2026-08-22 06:09:59", []string{"2026-08-22 06:10:00", "2026-08-23 06:10:00", "2026-08-24 06:10:00"}},
		{"10 6 * * *", "2026-12-31 06:10:00", []string{"2027-01-01 06:10:00", "2027-01-02 06:10:00", "2027-01-03 06:10:00"}},
		{" 59  23 ? * ? ", "2028-02-28 12:00:00", []string{"2028-02-28 23:59:00", "2028-02-29 23:59:00", "2028-03-01 23:59:00"}},
		{"0 0 29 2 *", "2026-08-22 00:00:00", []string{"2028-02-29 00:00:00", "2032-02-29 00:00:00", "2036-02-29 00:00:00"}},
		{"0 6 * * Mon", "2026-08-22 00:00:00", []string{"2026-08-24 06:00:00", "2026-08-31 06:00:00", "2026-09-07 06:00:00"}},
	} {
		spec := mustParse(t, c.spec)
		var want []time.Time
		for _, w := range c.want {
			want = append(want, at(w))
		}
		// Whatever zone the clock is told in.
		now := at(c.now).In(time.FixedZone("elsewhere", -5*3600))
		if diff := cmp.Diff(want, spec.Upcoming(now, 3)); diff != "" {
			t.Errorf("%q after %s (-want +got):\n%s", c.spec, c.now, diff)
		}
		if got := spec.Upcoming(now, 1)[0].Location(); got != time.UTC {
			t.Errorf("%q is told in %s", c.spec, got)
		}
	}
}

func TestJitter(t *testing.T) {
	plain := mustParse(t, "10 6 * * *")
	now := time.Date(2026, 8, 22, 0, 0, 0, 0, time.UTC)
	seen := map[time.Duration]bool{}
	for _, seed := range []string{"a/mtok.db", "b/mtok.db", "c/mtok.db", "d/mtok.db"} {
		spec, err := plain.WithJitter(20*time.Minute, seed)
		if err != nil {
			t.Fatal(err)
		}
		again, err := plain.WithJitter(20*time.Minute, seed)
		if err != nil {
			t.Fatal(err)
		}
		slots := spec.Upcoming(now, 2)
		shift := slots[0].Sub(plain.Next(now))
		if shift < 0 || shift > 20*time.Minute || slots[1].Sub(slots[0]) != 24*time.Hour {
			t.Errorf("%s: slots %v", seed, slots)
		}
		if diff := cmp.Diff(slots, again.Upcoming(now, 2)); diff != "" {
			t.Errorf("%s: not the same again:\n%s", seed, diff)
		}
		if on, ok := spec.On(schema.DayOf(now)); !ok || on != slots[0] {
			t.Errorf("%s: slot of the day %s, %t; want %s", seed, on, ok, slots[0])
		}
		seen[shift] = true
	}
	if len(seen) < 3 {
		t.Errorf("four copies have the shifts %v", seen)
	}
	none, err := plain.WithJitter(0, "a")
	if err != nil || none.Next(now) != plain.Next(now) {
		t.Errorf("no jitter: %s, %v", none.Next(now), err)
	}
	if _, err := mustParse(t, "59 23 * * *").WithJitter(59*time.Second, "a"); err != nil {
		t.Errorf("up to the last second of the day: %v", err)
	}
	for spec, most := range map[string]time.Duration{
		"59 23 * * *": time.Minute, "10 6 * * *": -time.Second, "0 6 * * *": 18 * time.Hour, "0 5 * * *": time.Millisecond,
	} {
		if got, err := mustParse(t, spec).WithJitter(most, "a"); err == nil {
			t.Errorf("%q with a jitter of %s: %v, want an error", spec, most, got.Upcoming(now, 1))
		}
	}
}

func TestOnADayWithoutASlot(t *testing.T) {
	spec := mustParse(t, "10 6 * * Mon")
	monday := schema.DayOf(time.Date(2026, 8, 24, 0, 0, 0, 0, time.UTC))
	for day := monday - 3; day <= monday+3; day++ {
		if _, ok := spec.On(day); ok != (day == monday) {
			t.Errorf("%s: slot %t", day, ok)
		}
	}
}

func TestCalendar(t *testing.T) {
	for spec, want := range map[string]struct {
		calendar []string
		crontab  string
	}{
		"10 6 * * *":       {[]string{"*-*-* 06:10:00 UTC"}, "10 6 * * *"},
		"0 0 1,15 jan *":   {[]string{"*-01-01,15 00:00:00 UTC"}, "0 0 1,15 1 *"},
		"5 23 * * Mon-Fri": {[]string{"Mon,Tue,Wed,Thu,Fri *-*-* 23:05:00 UTC"}, "5 23 * * 1,2,3,4,5"},
		// Either day is enough.
		"5 23 1 * 0": {[]string{"*-*-01 23:05:00 UTC", "Sun *-*-* 23:05:00 UTC"}, "5 23 1 * 0"},
		// A field of all values leaves no day out; one of a star restricts nothing.
		"5 23 1-31 * 1": {[]string{"*-*-* 23:05:00 UTC"}, "5 23 * * *"},
		"5 23 1 * 0-6":  {[]string{"*-*-* 23:05:00 UTC"}, "5 23 * * *"},
		"5 23 */20 * *": {[]string{"*-*-01,21 23:05:00 UTC"}, "5 23 1,21 * *"},
		"5 23 */1 * 1":  {[]string{"Mon *-*-* 23:05:00 UTC"}, "5 23 * * 1"},
	} {
		got := mustParse(t, spec)
		if diff := cmp.Diff(want.calendar, got.Calendar()); diff != "" {
			t.Errorf("%q (-want +got):\n%s", spec, diff)
		}
		if got.Crontab() != want.crontab {
			t.Errorf("%q: crontab %q, want %q", spec, got.Crontab(), want.crontab)
		}
	}
}
