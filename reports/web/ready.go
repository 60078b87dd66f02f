package web

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"slices"

	"mtok/reports"
	"mtok/schema"
)

// Readiness is the body of /readyz.
type Readiness struct {
	Ready bool `json:"ready"`
	// Reasons say why not, one a fault.
	Reasons []string `json:"reasons"`
}

// CheckReady judges by the clock: not ready when the last night failed, or when a
// provider has no complete night young enough.
func CheckReady(ctx context.Context, o Options) (Readiness, error) {
	run, ok, err := lastFinished(ctx, o.Source)
	if err != nil {
		return Readiness{}, err
	}
	complete, err := o.Source.LastCompleteDays(ctx)
	if err != nil {
		return Readiness{}, err
	}
	reasons := []string{}
	switch {
	case !ok:
		reasons = append(reasons, "no night was run yet")
	case run.Status == schema.StatusFailed || run.Status == schema.StatusAbandoned:
		reasons = append(reasons, fmt.Sprintf("the last night, of %s: %s", run.Day, run.Status))
	}
	today := schema.DayOf(o.Now())
	for _, id := range slices.Sorted(slices.Values(o.Providers)) {
		day, ever := complete[id]
		switch {
		case !ever && ok:
			reasons = append(reasons, fmt.Sprintf("%s: no complete night yet", id))
		case ever && reports.Stale(today, day):
			reasons = append(reasons, fmt.Sprintf("%s: stale: last complete night %s, %d days ago", id, day, today-day))
		}
	}
	return Readiness{Ready: len(reasons) == 0, Reasons: reasons}, nil
}

// ready answers /readyz.
func (o Options) ready(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), scrapeTimeout)
	defer cancel()
	state, err := CheckReady(ctx, o)
	if err != nil {
		// What went wrong is for the log: it may name paths of this machine.
		o.Log.Error("readiness not read", slog.Any("error", err))
		state.Reasons = []string{"the database can't be read"}
	}
	body, err := json.Marshal(state)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if !state.Ready {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	w.Write(append(body, '\n')) // a client that went away is nobody's fault
}
