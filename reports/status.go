package reports

import (
	"fmt"
	"slices"
	"time"

	"mtok/schema"
)

// freshNights is how many days old a nightly provider's last complete night may
// be before it is stale: today's run may still be to come.
const freshNights = 1

// Stale reports whether a provider's last complete night is too old, counted from
// today by the clock.
func Stale(today, complete schema.Day) bool { return today-complete > freshNights }

// StatusInput is what `status` is made of.
type StatusInput struct {
	Database  string
	Sizes     string
	Now       time.Time
	Published bool
	Newest    schema.Day  // newest published day
	LastRun   *schema.Run // nil where nothing ran yet
	Providers []schema.ProviderID
	Latest    []schema.ProviderRun // each provider's newest part
	// Complete is each provider's newest day with a complete night.
	Complete map[schema.ProviderID]schema.Day
	Notices  []schema.Notice
	Held     []schema.Quarantine
	// Owed is how many days have no daily figures of what is known of them now.
	Owed int
	// Again makes them: a command.
	Again string
	// Waiting are the alert messages that no channel has taken yet, Dead those that
	// were given up.
	Waiting, Dead []schema.OutboxMessage
}

// StatusDocument is `status` with its verdict.
type StatusDocument struct {
	Document
	// Degraded is set when a provider failed, was read in part, is held, or is
	// stale by the clock, and when an alert could not be delivered.
	Degraded bool
}

// Status says for each provider what its last night gave and how old its last
// complete night is, counted from the clock.
func Status(in StatusInput) StatusDocument {
	doc := StatusDocument{Document: Document{
		Name: "status", Title: "mtok status, " + in.Database, AsOf: in.Newest, Empty: !in.Published,
		Columns: []Column{
			both("provider", "provider"), both("status", "last night"), both("day", "of"),
			figure("offers", "offers", 0), figure("rejects", "rejects", 0),
			both("last_complete_day", "complete"), figure("age_days", "days ago", 0),
			both("error_kind", "fault"), both("note", "notes"),
		},
	}}
	if in.LastRun != nil {
		doc.Before = append(doc.Before, runLine(*in.LastRun, in.Now))
	}
	doc.Before = append(doc.Before, in.Sizes)
	today := schema.DayOf(in.Now)
	for _, id := range in.Providers {
		row, good := statusRow(in, id, today)
		doc.Rows = append(doc.Rows, row)
		doc.Degraded = doc.Degraded || !good
	}
	for _, q := range in.Held {
		doc.Degraded = true
		doc.After = append(doc.After, fmt.Sprintf("Held: %s of %s, %s: %s", q.Provider, q.Day, q.Rule, Brief(q.Evidence)))
	}
	if in.Owed > 0 {
		doc.After = append(doc.After, fmt.Sprintf("Owed: the daily figures of %s, which no report of the past shows: %s", count(in.Owed, "day"), in.Again))
	}
	for _, m := range in.Dead {
		doc.Degraded = true
		doc.After = append(doc.After, fmt.Sprintf("Not delivered: %s of %s to channel %s, given up after %s: %s (mtok alerts retry)",
			count(m.Events, "alert"), m.CreatedAt.Format("2006-01-02"), m.Channel, tries(m.Tries), Brief(m.Error)))
	}
	for _, m := range in.Waiting {
		doc.Degraded = doc.Degraded || m.Error != "" // tried, and not taken yet
		doc.After = append(doc.After, fmt.Sprintf("Waiting: %s of %s to channel %s, %s: %s",
			count(m.Events, "alert"), m.CreatedAt.Format("2006-01-02"), m.Channel, tries(m.Tries), Brief(m.Error)))
	}
	return doc
}

// silentAfter is when a running run without a sign of life is said to be silent.
const silentAfter = time.Minute

func runLine(r schema.Run, now time.Time) string {
	line := fmt.Sprintf("Last run: %s for %s (%s), %s, started %s", r.Job, r.Day, r.Trigger, r.Status,
		r.StartedAt.UTC().Format(time.RFC3339))
	switch silence := now.Sub(r.BeatAt); {
	case !r.FinishedAt.IsZero():
		line += fmt.Sprintf(", took %s", r.FinishedAt.Sub(r.StartedAt).Round(time.Millisecond))
	case silence > silentAfter:
		line += fmt.Sprintf(", no sign of life for %s: its process is gone or hangs; the next run takes over",
			silence.Round(time.Second))
	}
	return line
}

// statusRow is one provider's line, and whether all is well with it.
func statusRow(in StatusInput, id schema.ProviderID, today schema.Day) (Row, bool) {
	i := slices.IndexFunc(in.Latest, func(r schema.ProviderRun) bool { return r.Provider == id })
	if i < 0 {
		// A recorded night may hold no price list of an API.
		good := id.ListsTokens()
		return Row{Text(string(id)), Text("never ran"), Null(), Null(), Null(), Null(), Null(), Null(), Text("")}, good
	}
	last := in.Latest[i]
	note := Brief(last.Detail)
	for _, n := range in.Notices {
		if n.Provider == id && n.Last == last.Day {
			note = fmt.Sprintf("%s since %s: %s", n.Kind, n.Since, n.Detail)
		}
	}
	good := last.Status == schema.StatusComplete
	complete, age := Null(), Null()
	day, ever := in.Complete[id]
	switch days := int(today - day); {
	case !ever:
		good = false
	case Stale(today, day):
		good = good && id.ListsTokens() // the newest list of an API is used whatever its age
		note = join("stale: last complete night "+day.String(), note)
		fallthrough
	default:
		complete, age = DayCell(day), Int(days)
	}
	return Row{
		Text(string(id)), Text(string(last.Status)), DayCell(last.Day), Int(last.Offers), Int(last.Rejects),
		complete, age, Text(last.ErrorKind), Text(note),
	}, good
}

// join puts two notes beside each other.
func join(first, second string) string {
	if second == "" {
		return first
	}
	return first + "; " + second
}

func tries(n int) string {
	if n == 1 {
		return "1 try"
	}
	return fmt.Sprintf("%d tries", n)
}
