package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"mtok/reports/alert"
	"mtok/reports/render"
	"mtok/reports/watch"
	"mtok/schema"
	"mtok/schema/store"
)

func (a *app) alertsConfirmCommand() *cobra.Command {
	return &cobra.Command{
		Use: "confirm MOVE", Short: "be the second source of a move that is held, so that it is told", Args: cobra.ExactArgs(1),
		Long: `Says that a held move is real: you count as its second source, and it is told to
the channels of the rules that it falls under. mtok alerts list names the held moves
by their ids, with the reasons. The prices themselves are published already: this
changes no figure.`,
		RunE: func(cmd *cobra.Command, args []string) error { return a.confirmMove(cmd.Context(), args[0]) },
	}
}

func (a *app) confirmMove(ctx context.Context, id string) error {
	catalog, err := a.catalog()
	if err != nil {
		return err
	}
	j, err := a.judgeBy(catalog)
	if err != nil {
		return err
	}
	return a.withStore(ctx, store.ReadWrite, func(s *store.Store) error {
		held, err := a.heldMoves(ctx, s)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(held, func(h alert.Held) bool { return h.ID == id })
		if i < 0 {
			return usagef("no move waits as %q%s", id, heldHint(id, held, a.hereFlags()))
		}
		var fresh []schema.AlertEvent
		err = s.Together(ctx, "confirm a move", func(s *store.Store) error {
			if _, err := s.SaveAlerts(ctx, schema.AlertNight{States: []schema.AlertState{watch.Confirm(held[i], a.byHand())}}); err != nil {
				return err
			}
			day, err := a.lastJudged(ctx, s)
			if err != nil {
				return err
			}
			night, err := j.Night(ctx, s, day)
			if err != nil {
				return fmt.Errorf("alerts of %s: %w", day, err)
			}
			fresh, err = s.SaveAlerts(ctx, night)
			return err
		})
		if err != nil {
			return err
		}
		a.showConfirmed(held[i], fresh)
		_, err = a.deliver(ctx, s, 0)
		return err
	})
}

// showConfirmed says what a confirmed move told.
func (a *app) showConfirmed(h alert.Held, fresh []schema.AlertEvent) {
	fmt.Fprintf(a.stdout, "move %s of %s, %s: %s -> %s $/GPU-h: confirmed\n", h.ID, h.Provider, h.Class, h.From.Fixed(3), h.To.Fixed(3))
	for _, e := range fresh {
		fmt.Fprintln(a.stdout, render.Clean(headOf(e.Detail)))
	}
	if len(fresh) == 0 {
		fmt.Fprintln(a.stdout, "No rule tells of it.")
	}
}

// heldHint names what does wait.
func heldHint(id string, held []alert.Held, flags string) string {
	var ids []string
	for _, h := range held {
		ids = append(ids, h.ID)
	}
	if near := schema.Near(id, ids); len(near) > 0 {
		return "; did you mean " + orList(near) + "?"
	}
	return ": see mtok alerts list" + flags
}
