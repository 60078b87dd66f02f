package schedule

import (
	"errors"
	"fmt"
	"hash/fnv"
	"math/bits"
	"regexp"
	"strings"
	"time"

	"github.com/robfig/cron/v3"

	"mtok/schema"
)

// Spec is a valid schedule: at most one slot on any UTC day.
type Spec struct {
	text   string
	fields *cron.SpecSchedule
	shift  time.Duration // of every slot, the jitter of this copy
}

// valueBits leaves out the mark by which the library remembers a star.
const valueBits = 1<<60 - 1

// oddRange finds what the library reads over: whatever follows "*-".
var oddRange = regexp.MustCompile(`[^0-9A-Za-z*,/ -]|\*-`)

// leapDay stands before a 29th of February, so that a spec which fires on that
// day alone is found to fire.
var leapDay = time.Date(2024, time.January, 1, 0, 0, 0, 0, time.UTC)

// Parse reads five cron fields (minute, hour, day of month, month, day of week),
// always in UTC: wall-clock time skips and repeats nights when the clocks change.
// It refuses what never fires and what fires more than once a day.
func Parse(text string) (Spec, error) {
	fields := strings.Fields(strings.ReplaceAll(text, "?", "*"))
	plain := strings.Join(fields, " ")
	switch {
	case plain == "":
		return Spec{}, errors.New("is empty: want five fields such as \"10 6 * * *\"")
	case strings.HasPrefix(plain, "TZ=") || strings.HasPrefix(plain, "CRON_TZ="): // "TZ=0" panics in the library
		return Spec{}, fmt.Errorf("%q names a time zone: the schedule is in UTC", plain)
	case strings.HasPrefix(plain, "@"):
		return Spec{}, fmt.Errorf("%q: want five fields such as \"10 6 * * *\"", plain)
	case len(fields) != 5:
		return Spec{}, fmt.Errorf("%q has %d fields: want minute, hour, day of month, month, day of week", plain, len(fields))
	case oddRange.MatchString(plain):
		return Spec{}, fmt.Errorf("%q is no schedule", plain)
	}
	parser := cron.NewParser(cron.Minute | cron.Hour | cron.Dom | cron.Month | cron.Dow)
	parsed, err := parser.Parse(plain)
	if err != nil {
		return Spec{}, fmt.Errorf("%q: %w", plain, err)
	}
	spec, ok := parsed.(*cron.SpecSchedule)
	if !ok {
		return Spec{}, fmt.Errorf("%q is no schedule of five fields", plain)
	}
	spec.Location = time.UTC
	for i, set := range []uint64{spec.Minute, spec.Hour, spec.Dom, spec.Month, spec.Dow} {
		if set&valueBits == 0 { // a lone comma
			return Spec{}, fmt.Errorf("%q: %q names no value", plain, fields[i])
		}
	}
	if spec.Next(leapDay).IsZero() {
		return Spec{}, fmt.Errorf("%q never fires", plain)
	}
	if n := bits.OnesCount64(spec.Minute&valueBits) * bits.OnesCount64(spec.Hour&valueBits); n > 1 {
		return Spec{}, fmt.Errorf("%q fires %d times a day: a night is run once a day", plain, n)
	}
	return Spec{text: plain, fields: spec}, nil
}

// WithJitter moves every slot by the same part of most, chosen by the seed, so
// that many copies don't ask the providers in the same minute while each keeps
// its own. A slot that could move into the next day is refused.
func (s Spec) WithJitter(most time.Duration, seed string) (Spec, error) {
	slot := time.Duration(s.hour())*time.Hour + time.Duration(s.minute())*time.Minute
	switch {
	case most < 0:
		return Spec{}, fmt.Errorf("%s is negative", most)
	case most > 0 && most < time.Second:
		return Spec{}, fmt.Errorf("%s is below a second", most)
	case slot+most >= 24*time.Hour:
		return Spec{}, fmt.Errorf("%s after %02d:%02d UTC is the next day", most, s.hour(), s.minute())
	}
	s.shift = 0
	if seconds := uint64(most / time.Second); seconds > 0 {
		hash := fnv.New64a()
		hash.Write([]byte(seed))
		s.shift = time.Duration(hash.Sum64()%(seconds+1)) * time.Second
	}
	return s, nil
}

// String returns the five fields.
func (s Spec) String() string { return s.text }

// Next returns the first slot after now, in UTC.
func (s Spec) Next(now time.Time) time.Time {
	next := s.fields.Next(now.UTC().Add(-s.shift))
	if next.IsZero() {
		return next
	}
	return next.Add(s.shift)
}

// Upcoming returns the next n slots after now.
func (s Spec) Upcoming(now time.Time, n int) []time.Time {
	var out []time.Time
	for range n {
		if now = s.Next(now); now.IsZero() {
			break
		}
		out = append(out, now)
	}
	return out
}

// On returns the slot of a day, false for a day without one.
func (s Spec) On(day schema.Day) (time.Time, bool) {
	slot := s.Next(day.Time().Add(s.shift - time.Second))
	return slot, !slot.IsZero() && schema.DayOf(slot) == day
}

func (s Spec) minute() int { return bits.TrailingZeros64(s.fields.Minute) }
func (s Spec) hour() int   { return bits.TrailingZeros64(s.fields.Hour) }
