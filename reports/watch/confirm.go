package watch

import (
	"strings"

	"mtok/reports/alert"
	"mtok/schema"
)

// confirmedPrefix begins the series of a move that a person confirmed: it is kept under
// no rule, since every rule about moves may tell of it.
const confirmedPrefix = "confirmed/"

// Confirm is what is kept of a person's word for a held move.
func Confirm(h alert.Held, by string) schema.AlertState {
	return schema.AlertState{
		Series: confirmedPrefix + string(h.Provider) + "/" + h.ID, Status: string(alert.Inactive), Day: h.Since,
		Value: h.To, Baseline: h.From, Detail: by,
	}
}

// movesByPerson are the moves that persons confirmed.
func movesByPerson(states []schema.AlertState) []alert.Confirmed {
	var out []alert.Confirmed
	for _, s := range states {
		key, ok := strings.CutPrefix(s.Series, confirmedPrefix)
		if s.Rule != "" || !ok {
			continue
		}
		if provider, id, ok := strings.Cut(key, "/"); ok {
			out = append(out, alert.Confirmed{Provider: schema.ProviderID(provider), Day: s.Day, Move: id})
		}
	}
	return out
}

// LastJudged is the newest night that was judged, 0 for none.
func LastJudged(states []schema.AlertState) schema.Day {
	for _, s := range states {
		if s.Rule == "" && s.Series == watermark {
			return s.Day
		}
	}
	return 0
}
