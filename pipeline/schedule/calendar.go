package schedule

import (
	"fmt"
	"strings"
	"time"
)

// starBit is the library's mark of a field that is a bare star.
const starBit = 1 << 63

// Calendar returns the OnCalendar= expressions of a systemd timer with the same
// slots, jitter aside: two where a day of the month or a day of the week is
// enough.
func (s Spec) Calendar() []string {
	clock := fmt.Sprintf("%02d:%02d:00 UTC", s.hour(), s.minute())
	months := list(s.fields.Month, 1, 12, "%02d")
	dom, dow := s.days()
	days := list(dom, 1, 31, "%02d")
	var names []string
	for day := time.Sunday; day <= time.Saturday; day++ {
		if dow&(1<<day) != 0 {
			names = append(names, day.String()[:3])
		}
	}
	weekdays := strings.Join(names, ",") + " "
	if len(names) == 7 {
		weekdays = ""
	}
	if weekdays != "" && days != "*" {
		return []string{
			fmt.Sprintf("*-%s-%s %s", months, days, clock),
			fmt.Sprintf("%s*-%s-* %s", weekdays, months, clock),
		}
	}
	return []string{fmt.Sprintf("%s*-%s-%s %s", weekdays, months, days, clock)}
}

// Crontab returns the five fields as every cron reads them: without steps, since
// a step after a star restricts a day for some crons and not for others.
func (s Spec) Crontab() string {
	dom, dow := s.days()
	return fmt.Sprintf("%d %d %s %s %s", s.minute(), s.hour(),
		list(dom, 1, 31, "%d"), list(s.fields.Month, 1, 12, "%d"), list(dow, 0, 6, "%d"))
}

// days resolves cron's rule for days: where neither field is a star, one of them
// is enough, so that a field with all its values leaves no day out.
func (s Spec) days() (dom, dow uint64) {
	dom, dow = s.fields.Dom&valueBits, s.fields.Dow&valueBits
	const everyDom, everyDow = 1<<32 - 2, 1<<7 - 1
	if (s.fields.Dom|s.fields.Dow)&starBit == 0 && (dom == everyDom || dow == everyDow) {
		return everyDom, everyDow
	}
	return dom, dow
}

// list writes the set values of a field, "*" for all of them.
func list(set uint64, from, to int, format string) string {
	var out []string
	for n := from; n <= to; n++ {
		if set&(1<<n) != 0 {
			out = append(out, fmt.Sprintf(format, n))
		}
	}
	if len(out) == to-from+1 {
		return "*"
	}
	return strings.Join(out, ",")
}
