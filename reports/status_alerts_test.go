package reports_test

import (
	"strings"
	"testing"
	"time"

	"mtok/reports"
	"mtok/schema"
)

// TestStatusOfTheOutbox: an alert that no channel took is shown and is not well; one
// that nobody tried yet is.
func TestStatusOfTheOutbox(t *testing.T) {
	at := time.Date(2026, 7, 8, 6, 10, 0, 0, time.UTC)
	message := schema.OutboxMessage{ID: "m1", Channel: "hook", Events: 3, Tries: 6, Error: "HTTP 502 Bad Gateway", CreatedAt: at}
	fresh := message
	fresh.Tries, fresh.Error = 0, ""
	for name, c := range map[string]struct {
		waiting, dead []schema.OutboxMessage
		degraded      bool
		line          string
	}{
		"none":    {},
		"fresh":   {waiting: []schema.OutboxMessage{fresh}, line: "Waiting: 3 alerts of 2026-07-08 to channel hook, 0 tries"},
		"waiting": {waiting: []schema.OutboxMessage{message}, degraded: true, line: "Waiting: 3 alerts of 2026-07-08 to channel hook, 6 tries: HTTP 502"},
		"dead":    {dead: []schema.OutboxMessage{message}, degraded: true, line: "Not delivered: 3 alerts of 2026-07-08 to channel hook, given up after 6 tries"},
	} {
		doc := reports.Status(reports.StatusInput{Now: at, Waiting: c.waiting, Dead: c.dead})
		if text := strings.Join(doc.After, "\n"); doc.Degraded != c.degraded || !strings.Contains(text, c.line) {
			t.Errorf("%s: degraded %v:\n%s", name, doc.Degraded, text)
		}
	}
}
