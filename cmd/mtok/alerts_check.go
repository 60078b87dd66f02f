package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"mtok/reports/alert"
	"mtok/schema/store"
)

// errFiring ends `alerts check --exit-code` where something fires.
var errFiring = errors.New("alerts firing")

func (a *app) alertsCheckCommand() *cobra.Command {
	var format string
	var exitCode bool
	cmd := &cobra.Command{
		Use: "check", Short: "what fires as of the last judged night",
		Long: `What fires as of the last judged night: conditions that hold, and the moves of
that night. Silenced ones are listed, and fire nothing.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			firing := 0
			err := a.withStore(cmd.Context(), store.ReadOnly, func(s *store.Store) error {
				var err error
				firing, err = a.checkAlerts(cmd.Context(), s, format)
				return err
			})
			if err == nil && exitCode && firing > 0 {
				return errFiring
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&exitCode, "exit-code", false, "exit 4 where something fires")
	a.formatFlag(cmd, &format)
	return cmd
}

// checkAlerts lists what fires and counts what is not silenced.
func (a *app) checkAlerts(ctx context.Context, s *store.Store, format string) (int, error) {
	doc, err := alertsDocument(ctx, s, "alerts-check", a.dbFlag())
	if err != nil {
		return 0, err
	}
	silences, err := s.Silences(ctx)
	if err != nil {
		return 0, err
	}
	states, err := s.AlertStates(ctx)
	if err != nil {
		return 0, err
	}
	firing := 0
	for _, state := range states {
		if state.Status != string(alert.Firing) {
			continue
		}
		doc.Rows = append(doc.Rows, stateRow(state))
		if !store.Silenced(silences, state.Rule, state.Series) {
			firing++
		}
	}
	judged, err := a.lastJudged(ctx, s)
	if err != nil {
		return 0, err
	}
	moves, err := s.AlertEventsOn(ctx, judged)
	if err != nil {
		return 0, err
	}
	for _, e := range moves {
		switch alert.Kind(e.Kind) {
		case alert.KindMove, alert.KindDrift, alert.KindMarket:
		default:
			continue
		}
		doc.Rows = append(doc.Rows, eventRow(e))
		if !store.Silenced(silences, e.Rule, e.Series) {
			firing++
		}
	}
	if len(doc.Rows) == 0 {
		doc.After = append(doc.After, "Nothing fires.")
	}
	return firing, a.write(doc, format)
}
