package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/netip"
	"time"

	"github.com/lmittmann/tint"
	"github.com/spf13/cobra"

	"mtok/schema"
)

// version is the version of mtok, set by the linker in a release.
var version = "0.1.0-dev"

// deps are what only main and tests can choose; no configuration or
// environment variable reaches them.
type deps struct {
	Env      func(string) string
	Now      func() time.Time
	Terminal bool // stderr is a terminal: progress lines instead of logs
	// AllowAddress replaces the dialer's policy of public addresses, and
	// AllowHTTP its https-only rule, for tests against loopback servers.
	AllowAddress func(netip.AddrPort) bool
	AllowHTTP    bool
	// Transport replaces the network, for tests of a live night.
	Transport http.RoundTripper
	// Wait replaces sleeping between the tries of a delivery.
	Wait func(context.Context, time.Duration) error
}

// app is one run of the program.
type app struct {
	deps
	stdout, stderr io.Writer

	configPath string
	dbPath     string
	logFormat  string
	verbose    bool

	config Config
	log    *slog.Logger
}

const rootHelp = `mtok tells every night what a million tokens costs on rented GPUs.

It reads the listings of Lambda, Vast.ai, RunPod, CoreWeave, Crusoe and
Fluidstack into one SQLite file, keeps every price with the page it was read
from, and prices measured configurations by them.

  mtok demo       the whole nightly job on a recorded night, offline
  mtok nightly    the same, live

Exit codes: 0 ok; 1 error; 2 usage or configuration; 3 a partial or degraded
night; 4 alerts firing (alerts check --exit-code); 130 interrupted.`

func (a *app) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use: "mtok", Short: "what a million tokens costs on rented GPUs", Long: rootHelp,
		Version: version, SilenceErrors: true, SilenceUsage: true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error { return a.setUp() },
		RunE:              func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		Args:              func(cmd *cobra.Command, args []string) error { return unknownCommand(cmd, args) },
	}
	root.SuggestionsMinimumDistance = 2
	flags := root.PersistentFlags()
	flags.StringVar(&a.configPath, "config", "", "configuration `FILE` (default ./config.toml, then mtok/config.toml in the user's configuration directory)")
	flags.StringVar(&a.dbPath, "db", "", "database `PATH`, in place of [store] path")
	flags.StringVar(&a.logFormat, "log-format", "text", "log `FORMAT`: text or json")
	flags.BoolVarP(&a.verbose, "verbose", "v", false, "log each fetch")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usagef("%w (see: %s --help)", err, cmd.CommandPath())
	})
	root.CompletionOptions.DisableDefaultCmd = true // mtok generate completion
	root.AddCommand(
		a.nightlyCommand(), a.ingestCommand(), a.demoCommand(), a.recomputeCommand(),
		a.reportCommand(), a.costCommand(), a.explainCommand(), a.verifyCommand(), a.statusCommand(),
		a.exportCommand(), a.serveCommand(), a.dbCommand(), a.configCommand(), a.generateCommand(),
		a.reparseCommand(), a.quarantineCommand(), a.importCommand(), a.reconcileCommand(), a.alertsCommand(),
	)
	for _, c := range root.Commands() {
		usageArgs(c)
	}
	return root
}

// usageArgs makes a wrong number of arguments a usage error, exit code 2.
func usageArgs(c *cobra.Command) {
	check := c.Args
	if check == nil && c.HasSubCommands() {
		check = func(cmd *cobra.Command, args []string) error { return unknownCommand(cmd, args) }
	}
	if check == nil {
		check = cobra.NoArgs
	}
	c.Args = func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return usagef("%w (see: %s --help)", argsError(cmd, args, err), cmd.CommandPath())
		}
		return nil
	}
	for _, sub := range c.Commands() {
		usageArgs(sub)
	}
}

func unknownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	err := usagef("unknown command %q for %q", args[0], cmd.CommandPath())
	cmd.SuggestionsMinimumDistance = 2 // the library's own, which it sets on the first command alone
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		err = usagef("%w; did you mean %s?", err, orList(near))
	}
	return err
}

// setUp reads the configuration and builds the logger.
func (a *app) setUp() error {
	level := slog.LevelInfo
	if a.verbose {
		level = slog.LevelDebug
	}
	switch a.logFormat {
	case "json":
		a.log = slog.New(slog.NewJSONHandler(a.stderr, &slog.HandlerOptions{Level: level}))
	case "text":
		if a.Terminal {
			a.log = slog.New(tint.NewTextHandler(a.stderr, &tint.Options{Level: level, TimeFormat: time.TimeOnly}))
		} else {
			a.log = slog.New(slog.NewTextHandler(a.stderr, &slog.HandlerOptions{Level: level}))
		}
	default:
		return usagef("--log-format %q: want text or json", a.logFormat)
	}
	config, err := loadConfig(a.configPath, a.Env, schema.DayOf(a.Now()))
	if err != nil {
		return err
	}
	if a.dbPath != "" {
		config.Store.Path, config.Store.DSNEnv = a.dbPath, ""
	}
	a.config = config
	return nil
}

func orList(names []string) string {
	text := ""
	for i, n := range names {
		if i > 0 {
			text += " or "
		}
		text += fmt.Sprintf("%q", n)
	}
	return text
}
