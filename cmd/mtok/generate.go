package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

func (a *app) generateCommand() *cobra.Command {
	generate := &cobra.Command{
		Use: "generate", Short: "print units, a crontab line, shell completion or man pages",
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	var to, binary string
	systemd := &cobra.Command{
		Use: "systemd", Short: "a service and a timer that run the night on the configured schedule",
		RunE: func(*cobra.Command, []string) error { return a.generateSystemd(binary, to) },
	}
	systemd.Flags().StringVar(&to, "to", "", "write mtok.service and mtok.timer into `DIR` in place of printing them")
	cron := &cobra.Command{
		Use: "cron", Short: "a crontab line that runs the night on the configured schedule",
		RunE: func(*cobra.Command, []string) error { return a.generateCron(binary) },
	}
	for _, c := range []*cobra.Command{systemd, cron} {
		c.Flags().StringVar(&binary, "binary", "", "`PATH` of mtok where it is to run (default: this one)")
	}
	generate.AddCommand(systemd, cron, a.completionCommand(), a.manCommand())
	return generate
}

func (a *app) completionCommand() *cobra.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	return &cobra.Command{
		Use: "completion SHELL", Short: "completion for " + strings.Join(shells, ", "),
		Args: cobra.ExactArgs(1), ValidArgs: shells,
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(a.stdout, true)
			case "zsh":
				return root.GenZshCompletion(a.stdout)
			case "fish":
				return root.GenFishCompletion(a.stdout, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(a.stdout)
			}
			return usagef("unknown shell %q; %s", args[0], nearHint(args[0], shells))
		},
	}
}

func (a *app) manCommand() *cobra.Command {
	var to string
	man := &cobra.Command{
		Use: "man", Short: "man pages, one a command",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if to == "" {
				return usagef("--to is required: a directory for the pages")
			}
			if err := os.MkdirAll(to, 0o755); err != nil {
				return fmt.Errorf("generate man: %w", err)
			}
			now := a.Now().UTC()
			cmd.Root().DisableAutoGenTag = true
			return doc.GenManTree(cmd.Root(), &doc.GenManHeader{Section: "1", Source: "mtok " + version, Manual: "mtok", Date: &now}, to)
		},
	}
	man.Flags().StringVar(&to, "to", "", "`DIR` that the pages are written into")
	return man
}

// unit is one generated file.
type unit struct{ name, text string }

func (a *app) generateSystemd(binary, to string) error {
	spec, err := a.schedule()
	if err != nil {
		return err
	}
	binary, err = a.binary(binary)
	if err != nil {
		return err
	}
	service, err := a.serviceUnit(binary)
	if err != nil {
		return err
	}
	if to != "" {
		if err := os.MkdirAll(to, 0o755); err != nil {
			return fmt.Errorf("generate systemd: %w", err)
		}
	}
	for _, u := range []unit{{"mtok.service", service}, {"mtok.timer", a.timerUnit(spec)}} {
		if to == "" {
			fmt.Fprintf(a.stdout, "# /etc/systemd/system/%s\n%s\n", u.name, u.text)
			continue
		}
		if err := os.WriteFile(filepath.Join(to, u.name), []byte(u.text), 0o644); err != nil {
			return fmt.Errorf("generate systemd: %w", err)
		}
	}
	return nil
}

// binary is the absolute path of the program to run.
func (a *app) binary(named string) (string, error) {
	if named == "" {
		path, err := os.Executable()
		if err != nil {
			return "", fmt.Errorf("path of mtok: %w", err)
		}
		return path, nil
	}
	if !filepath.IsAbs(named) {
		return "", usagef("--binary %s is not an absolute path", named)
	}
	return named, nil
}

// nightArgs are the arguments of the night with what this command line chose.
func (a *app) nightArgs() ([]string, error) {
	args := []string{"nightly"}
	if path := a.config.path; path != "" {
		path, err := filepath.Abs(path)
		if err != nil {
			return nil, fmt.Errorf("path of the configuration: %w", err)
		}
		args = append(args, "--config", path)
	}
	if a.dbPath != "" {
		path, err := filepath.Abs(a.dbPath)
		if err != nil {
			return nil, fmt.Errorf("path of the database: %w", err)
		}
		args = append(args, "--db", path)
	}
	return args, nil
}

// generateCron prints a crontab line. It starts in this folder, which relative
// paths of the configuration are counted from.
func (a *app) generateCron(binary string) error {
	spec, err := a.schedule()
	if err != nil {
		return err
	}
	if binary, err = a.binary(binary); err != nil {
		return err
	}
	args, err := a.nightArgs()
	if err != nil {
		return err
	}
	folder, err := os.Getwd()
	if err != nil {
		return fmt.Errorf("this folder: %w", err)
	}
	line := "cd " + shellQuote(folder) + " && " + shellQuote(binary)
	for _, arg := range args {
		line += " " + shellQuote(arg)
	}
	if strings.ContainsAny(line, "\n\r") {
		return usagef("a path with a line break can't stand in a crontab")
	}
	// A bare % ends the command.
	line = strings.ReplaceAll(line, "%", `\%`)
	fmt.Fprintf(a.stdout, cronText, spec.Crontab(), line)
	return nil
}

const cronText = `# mtok, for crontab -e. The time is UTC. Where cron knows no CRON_TZ (Debian's
# does not, cronie does), and the machine is not in UTC, write the local time
# instead, or use mtok generate systemd. Missed nights are not caught up by cron;
# mtok serve and the systemd timer do that. Exit code 3 is a night in part.
CRON_TZ=UTC
%s %s
`
