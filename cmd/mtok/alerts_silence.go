package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"mtok/reports/watch"
	"mtok/schema"
	"mtok/schema/store"
)

// silenceOptions are the flags of alerts silence.
type silenceOptions struct {
	series, span, comment string
	off                   bool
}

// maxSilence bounds a silence: what is never to be told again is no rule.
const maxSilence = 366 * 24 * time.Hour

func (a *app) alertsSilenceCommand() *cobra.Command {
	var o silenceOptions
	cmd := &cobra.Command{
		Use: "silence RULE", Short: "keep the alerts of a rule from being delivered for a while", Args: cobra.ExactArgs(1),
		Long: `Keeps the alerts of a rule, or of one series of it, from being delivered. They are
judged, kept and listed all the same. The text of an alert names its series.`,
		RunE: func(cmd *cobra.Command, args []string) error { return a.silence(cmd.Context(), args[0], o) },
	}
	f := cmd.Flags()
	f.StringVar(&o.series, "series", "", "only this `SERIES` of the rule, as the alert names it")
	f.StringVar(&o.span, "for", "30d", "for so long: `DURATION` such as 12h or 30d")
	f.StringVar(&o.comment, "comment", "", "why, as `TEXT`")
	f.BoolVar(&o.off, "off", false, "end the silence in place of beginning one")
	return cmd
}

func (a *app) silence(ctx context.Context, rule string, o silenceOptions) error {
	catalog, err := a.catalog()
	if err != nil {
		return err
	}
	rules, err := a.config.rules(catalog)
	if err != nil {
		return err
	}
	names := []string{watch.RuleInhibited}
	for _, r := range rules {
		names = append(names, r.Name)
	}
	if !slices.Contains(names, rule) {
		return usagef("unknown rule %q; %s", rule, nearHint(rule, names))
	}
	span, err := parseSpan(o.span)
	if err != nil {
		return usagef("--for: %w", err)
	}
	return a.withStore(ctx, store.ReadWrite, func(s *store.Store) error {
		if o.off {
			n, err := s.EndSilences(ctx, rule, o.series)
			if err == nil && n == 0 {
				return usagef("no silence of %s is in force as it is named: see mtok alerts list", rule)
			}
			if err == nil {
				fmt.Fprintf(a.stdout, "%s of %s ended\n", counted(n, "silence"), rule)
			}
			return err
		}
		kept, err := s.AddSilence(ctx, schema.Silence{
			Rule: rule, Series: o.series, Comment: o.comment, CreatedBy: a.byHand(), Until: a.Now().Add(span).UTC(),
		})
		if err == nil {
			fmt.Fprintf(a.stdout, "Silenced: %s\n", silenceText(kept))
		}
		return err
	})
}

// parseSpan reads a duration, in days too.
func parseSpan(text string) (time.Duration, error) {
	span, err := time.ParseDuration(text)
	if days, isDays := strings.CutSuffix(text, "d"); isDays {
		var n int
		n, err = strconv.Atoi(days)
		span = time.Duration(min(n, 1000)) * 24 * time.Hour
	}
	if err != nil || span <= 0 || span > maxSilence {
		return 0, fmt.Errorf("%q is no duration from 1s to 366d, such as 12h or 30d", text)
	}
	return span, nil
}
