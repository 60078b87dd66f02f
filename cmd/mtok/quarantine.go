package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"mtok/pipeline/validate"
	"mtok/reports"
	"mtok/schema"
	"mtok/schema/store"
)

func (a *app) quarantineCommand() *cobra.Command {
	quarantine := &cobra.Command{
		Use: "quarantine", Short: "prices that are held back: list, confirm or discard them",
		Long: `Prices that are not believed are kept with their pages and published nowhere.

A move that only was too large is published when the next complete night says the
same within 2 %. What may have been misread waits for a person.`,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	var format string
	list := &cobra.Command{
		Use: "list", Short: "what is held and why, old and new price side by side, with the pages of both",
		RunE: func(cmd *cobra.Command, _ []string) error { return a.listQuarantines(cmd.Context(), format) },
	}
	a.formatFlag(list, &format)
	quarantine.AddCommand(list,
		a.decideCommand("confirm", "publish what is held, and derive its day again", schema.QuarantineConfirmed),
		a.decideCommand("discard", "keep what is held out of every figure for good", schema.QuarantineDiscarded),
	)
	return quarantine
}

func (a *app) decideCommand(name, short, state string) *cobra.Command {
	return &cobra.Command{
		Use: name + " ID|PROVIDER[@DAY]", Short: short, Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.decideQuarantines(cmd.Context(), args[0], state)
		},
	}
}

func (a *app) listQuarantines(ctx context.Context, format string) error {
	return a.withStore(ctx, store.ReadOnly, func(s *store.Store) error {
		newest, any, err := s.LatestDay(ctx)
		if err != nil {
			return err
		}
		held, err := s.HeldQuarantines(ctx)
		if err != nil {
			return err
		}
		doc := quarantineDocument(held, a.dbFlag())
		doc.AsOf, doc.Empty = newest, !any
		for _, q := range held {
			rows, err := loadHeld(ctx, s, q)
			if err != nil {
				return err
			}
			rows.addTo(&doc)
		}
		return a.write(doc, format)
	})
}

// dbFlag repeats --db in a command that is shown.
func (a *app) dbFlag() string {
	if a.dbPath == "" {
		return ""
	}
	return " --db " + shellQuote(a.dbPath)
}

func (a *app) decideQuarantines(ctx context.Context, target, state string) error {
	catalog, err := a.catalog()
	if err != nil {
		return err
	}
	return a.withStore(ctx, store.ReadWrite, func(s *store.Store) error {
		held, err := s.HeldQuarantines(ctx)
		if err != nil {
			return err
		}
		chosen, err := chooseHeld(held, target)
		if err != nil {
			return err
		}
		for _, q := range chosen {
			if state == schema.QuarantineConfirmed && !validate.Confirmable(q.Rule) {
				return fmt.Errorf("quarantine %d can't be confirmed: %s; its offers are known as another chip, and their past prices with them: discard it, and let the parser tell the two apart",
					q.ID, q.Evidence)
			}
		}
		for _, q := range chosen {
			if err := s.DecideQuarantine(ctx, q.ID, state, a.byHand()); errors.Is(err, store.ErrNotFound) {
				return usagef("quarantine %d was decided in the meantime", q.ID)
			} else if err != nil {
				return err
			}
		}
		// Also what an earlier confirmation left that was cut short.
		if err := a.settleDecided(ctx, s, catalog, state); err != nil {
			return err
		}
		for _, q := range chosen {
			done := "published, and its day derived again"
			if state == schema.QuarantineDiscarded {
				done = "discarded: its prices stay out of every figure"
			}
			fmt.Fprintf(a.stdout, "quarantine %d, %s of %s: %s\n", q.ID, q.Provider, q.Day, done)
		}
		return nil
	})
}

// byHand says who decided.
func (a *app) byHand() string {
	if user := a.Env("USER"); user != "" {
		return user + ", by hand"
	}
	return "by hand"
}

// chooseHeld finds what a target names: an id, or a provider with its day where
// several days of it are held.
func chooseHeld(held []schema.Quarantine, target string) ([]schema.Quarantine, error) {
	provider, day, dayNamed := strings.Cut(target, "@")
	id, err := strconv.ParseInt(target, 10, 64)
	byID := err == nil
	if !byID && !slices.Contains(providerIDs(), provider) {
		return nil, usagef("%q is neither the number of a quarantine nor a provider; %s", target, nearHint(provider, providerIDs()))
	}
	if dayNamed {
		if _, err := schema.ParseDay(day); err != nil {
			return nil, usagef("%q: %w", target, err)
		}
	}
	var chosen []schema.Quarantine
	var days []string
	for _, q := range held {
		switch {
		case byID && q.ID != id, !byID && string(q.Provider) != provider, dayNamed && q.Day.String() != day:
			continue
		}
		chosen = append(chosen, q)
		if at := provider + "@" + q.Day.String(); !slices.Contains(days, at) {
			days = append(days, at)
		}
	}
	switch {
	case len(chosen) == 0:
		return nil, usagef("nothing is held as %q: see mtok quarantine list", target)
	case len(days) > 1:
		return nil, usagef("%s is held of several days: name one of %s", provider, orList(days))
	}
	return chosen, nil
}

// quarantineDocument is the list before its rows.
func quarantineDocument(held []schema.Quarantine, db string) reports.Document {
	text := func(key, header string) reports.Column {
		return reports.Column{Key: key, Header: header, View: reports.Everywhere}
	}
	machine := func(key string) reports.Column { return reports.Column{Key: key, View: reports.OnMachine} }
	screen := func(header string) reports.Column { return reports.Column{Header: header, View: reports.OnScreen} }
	figure := func(key, header string, decimals int) reports.Column {
		return reports.Column{Key: key, Header: header, View: reports.Everywhere, Align: reports.AlignRight, Decimals: decimals}
	}
	doc := reports.Document{
		Name: "quarantine", Title: fmt.Sprintf("mtok quarantine, %d held", len(held)),
		Columns: []reports.Column{
			figure("id", "#", 0), text("provider", "provider"), text("day", "night"), machine("rule"), machine("evidence"),
			text("sku", "sku"), figure("gpu_count", "gpus", 0), text("term", "term"), text("region", "region"),
			machine("gpu_class"), machine("old_day"), figure("old_usd_per_gpu_hour", "old $/GPU-h", 3),
			figure("usd_per_gpu_hour", "held $/GPU-h", 3), machine("old_price_text"), text("price_text", "printed"),
			screen("change"), machine("old_page"), machine("page"), screen("old page"), screen("held page"),
		},
	}
	if len(held) == 0 {
		doc.After = []string{"Nothing is held."}
		return doc
	}
	doc.After = []string{
		fmt.Sprintf("Publish: mtok quarantine confirm NUMBER%s; keep out for good: mtok quarantine discard NUMBER%s", db, db),
		fmt.Sprintf("The pages of a night: mtok export pages --day %s --to DIR%s", held[0].Day, db),
	}
	return doc
}
