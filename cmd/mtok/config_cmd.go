package main

import (
	"fmt"
	"time"

	"github.com/pelletier/go-toml/v2"
	"github.com/spf13/cobra"

	"mtok/reports/notify"
)

// shownRuns is how many runs to come `config check` shows.
const shownRuns = 3

func (a *app) configCommand() *cobra.Command {
	config := &cobra.Command{
		Use: "config", Short: "check or show the configuration",
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	config.AddCommand(
		&cobra.Command{
			Use: "check", Short: "check the configuration: exit 2 names the key and line that is wrong",
			RunE: func(*cobra.Command, []string) error { return a.configCheck() },
		},
		&cobra.Command{
			Use: "show", Short: "print the configuration in force, defaults included",
			RunE: func(*cobra.Command, []string) error { return a.configShow() },
		},
	)
	return config
}

// configCheck tells what is in force; reading it was the check.
func (a *app) configCheck() error {
	providers, err := a.config.enabled(nil)
	if err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "configuration: %s: ok\n", a.configName())
	fmt.Fprintf(a.stdout, "database:      %s\n", a.databaseName())
	fmt.Fprint(a.stdout, "providers:    ")
	for _, p := range rentals(providers) {
		fmt.Fprintf(a.stdout, " %s", p.ID)
	}
	fmt.Fprint(a.stdout, "\nAPI prices:   ")
	for _, p := range providers {
		if p.ID.ListsTokens() {
			fmt.Fprintf(a.stdout, " %s", p.ID)
		}
	}
	fmt.Fprintln(a.stdout)
	spec, err := a.schedule()
	if err != nil {
		return err
	}
	fmt.Fprint(a.stdout, "next runs:    ")
	for _, at := range spec.Upcoming(a.Now(), shownRuns) {
		fmt.Fprintf(a.stdout, " %s", at.Format(time.RFC3339))
	}
	fmt.Fprintln(a.stdout, " (mtok serve)")
	if env := a.config.Store.DSNEnv; env != "" && a.Env(env) == "" {
		fmt.Fprintf(a.stdout, "note:          the environment variable %s is not set\n", env)
	}
	for _, c := range a.channels() {
		if err := notify.CheckURL(c); err != nil {
			fmt.Fprintf(a.stdout, "note:          channel %s: %s\n", c.Name, err)
		}
	}
	if a.config.Fetch.Contact == "" {
		fmt.Fprintln(a.stdout, "note:          [fetch] contact is empty: a provider that wants to reach you cannot")
	}
	return nil
}

func (a *app) configShow() error {
	text, err := toml.Marshal(a.config)
	if err != nil {
		return fmt.Errorf("print configuration: %w", err)
	}
	fmt.Fprintf(a.stdout, "# %s\n%s", a.configName(), text)
	return nil
}

func (a *app) configName() string {
	if a.config.path == "" {
		return "built-in defaults"
	}
	return a.config.path
}

func (a *app) databaseName() string {
	if a.config.Store.DSNEnv != "" {
		return "PostgreSQL by $" + a.config.Store.DSNEnv
	}
	return a.config.Store.Path
}
