package main

import (
	"github.com/spf13/cobra"

	"mtok/reports/alert"
	"mtok/schema"
)

func (a *app) alertsCommand() *cobra.Command {
	alerts := &cobra.Command{
		Use: "alerts", Short: "what the rules tell: list, check, silence and deliver it, or replay history",
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	alerts.SuggestionsMinimumDistance = 2
	alerts.AddCommand(
		a.alertsListCommand(), a.alertsCheckCommand(), a.alertsTestCommand(), a.alertsSilenceCommand(), a.alertsRetryCommand(),
		a.alertsConfirmCommand(), a.alertsReplayCommand(),
	)
	return alerts
}

// alertRules are the rules in force.
func (a *app) alertRules(catalog *schema.Catalog) ([]alert.Rule, error) {
	return a.config.rules(catalog)
}
