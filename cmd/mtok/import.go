package main

import (
	"github.com/spf13/cobra"
)

// importCommand is the parent of everything that is read from a file of the
// user: one constructor a kind.
func (a *app) importCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "import", Short: "read measured throughput, a model or past prices from a file",
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(
		a.importThroughputCommand(),
		a.importModelCommand(),
	)
	cmd.SuggestionsMinimumDistance = 2
	cmd.AddCommand(a.importOwnCommand(), a.importBundleCommand())
	cmd.AddCommand(a.importHistoryCommands()...)
	return cmd
}
