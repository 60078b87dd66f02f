package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"mtok/reports/notify"
	"mtok/schema/store"
)

func (a *app) alertsRetryCommand() *cobra.Command {
	return &cobra.Command{
		Use: "retry [CHANNEL]", Short: "send again what was given up, and what waits; exit 3 when it still fails",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.retryAlerts(cmd.Context(), args) },
	}
}

func (a *app) retryAlerts(ctx context.Context, only []string) error {
	if _, err := a.chosenChannels(only); err != nil {
		return err
	}
	channel := ""
	if len(only) > 0 {
		channel = only[0]
	}
	return a.withStore(ctx, store.ReadWrite, func(s *store.Store) error {
		if _, err := s.ReviveDeadLetters(ctx, channel); err != nil {
			return err
		}
		if err := s.HurryMessages(ctx, channel); err != nil {
			return err
		}
		result, err := a.deliver(ctx, s, notify.Patience)
		if err != nil {
			return err
		}
		if result == (notify.Result{}) {
			fmt.Fprintln(a.stdout, "Alerts: nothing waits to be sent")
			return nil
		}
		fmt.Fprintln(a.stdout, deliveryText(result))
		if result.Waiting > 0 || result.Dead > 0 {
			return errPartial
		}
		return nil
	})
}
