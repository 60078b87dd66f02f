package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mtok/reports"
	"mtok/reports/alert"
	"mtok/schema"
	"mtok/schema/store"
)

// listedEvents is how many of the newest events `alerts list` shows.
const listedEvents = 20

func (a *app) alertsListCommand() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use: "list", Short: "what fires, is pending or waits for a second source, and what was told lately",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withStore(cmd.Context(), store.ReadOnly, func(s *store.Store) error { return a.listAlerts(cmd.Context(), s, format) })
		},
	}
	a.formatFlag(cmd, &format)
	return cmd
}

func (a *app) listAlerts(ctx context.Context, s *store.Store, format string) error {
	doc, err := alertsDocument(ctx, s, "alerts", a.dbFlag())
	if err != nil {
		return err
	}
	states, err := s.AlertStates(ctx)
	if err != nil {
		return err
	}
	for _, state := range states {
		if state.Status == string(alert.Firing) || state.Status == string(alert.Pending) {
			doc.Rows = append(doc.Rows, stateRow(state))
		}
	}
	held, err := a.heldMoves(ctx, s)
	if err != nil {
		return err
	}
	for _, h := range held {
		doc.Rows = append(doc.Rows, heldRow(h, a.hereFlags()))
	}
	events, err := s.LastAlertEvents(ctx, listedEvents)
	if err != nil {
		return err
	}
	for _, e := range events {
		doc.Rows = append(doc.Rows, eventRow(e))
	}
	if len(doc.Rows) == 0 {
		doc.After = append(doc.After, "Nothing fires, nothing waits and nothing was told yet.")
	}
	return a.write(doc, format)
}

// heldMoves are the moves of the last judged night that wait.
func (a *app) heldMoves(ctx context.Context, s *store.Store) ([]alert.Held, error) {
	catalog, err := a.catalog()
	if err != nil {
		return nil, err
	}
	day, err := a.lastJudged(ctx, s)
	if err != nil || day == 0 {
		return nil, err
	}
	j, err := a.judgeBy(catalog)
	if err != nil {
		return nil, err
	}
	return j.Held(ctx, s, day)
}

// alertsDocument is a list of alerts before its rows, with what is silenced.
func alertsDocument(ctx context.Context, s *store.Store, name, db string) (reports.Document, error) {
	text := func(key, header string) reports.Column {
		return reports.Column{Key: key, Header: header, View: reports.Everywhere}
	}
	money := func(key, header string) reports.Column {
		return reports.Column{Key: key, Header: header, View: reports.Everywhere, Align: reports.AlignRight, Decimals: 3}
	}
	doc := reports.Document{
		Name: name, Title: "mtok alerts", Columns: []reports.Column{
			text("state", "state"), text("rule", "rule"), text("series", "series"), text("since", "since"), text("day", "night"),
			money("from", "from"), money("to", "to"), text("detail", "what"), text("event", "id"),
		},
	}
	newest, any, err := s.LatestDay(ctx)
	if err != nil {
		return doc, err
	}
	doc.AsOf, doc.Empty = newest, !any
	silences, err := s.Silences(ctx)
	for _, silence := range silences {
		doc.After = append(doc.After, "Silenced: "+silenceText(silence))
	}
	if len(silences) > 0 {
		doc.After = append(doc.After, "End a silence: mtok alerts silence RULE --off"+db)
	}
	return doc, err
}

func silenceText(s schema.Silence) string {
	text := s.Rule
	if s.Series != "" {
		text += " of " + s.Series
	}
	if !s.Until.IsZero() {
		text += " until " + s.Until.Format("2006-01-02 15:04") + " UTC"
	}
	if s.Comment != "" {
		text += ", " + s.Comment
	}
	return text + " (" + s.CreatedBy + ")"
}

func stateRow(s schema.AlertState) reports.Row {
	since, detail := s.Active, ""
	if s.Status == string(alert.Firing) && s.Fired != 0 {
		detail = "told " + s.Fired.String()
	}
	return reports.Row{
		reports.Text(s.Status), reports.Text(s.Rule), reports.Text(s.Series), dayOrNull(since), reports.DayCell(s.Day),
		moneyOrNull(s.Baseline), moneyOrNull(s.Value), reports.Text(detail), reports.Null(),
	}
}

func heldRow(h alert.Held, flags string) reports.Row {
	series := []string{string(h.Provider), string(h.Class), string(h.Term)}
	if h.Tier != "" {
		series = append(series, string(h.Tier))
	}
	why := slices.Clone(h.Why)
	if len(why) == 0 {
		why = []string{"waits for a second night or a second source"}
	}
	return reports.Row{
		reports.Text("held"), reports.Null(), reports.Text(strings.Join(series, "/")), reports.DayCell(h.Since), reports.Null(),
		reports.Money(h.From), reports.Money(h.To),
		reports.Text(fmt.Sprintf("%s; %s at %s; tell it: mtok alerts confirm %s%s",
			strings.Join(why, "; "), counted(h.Nights, "night"), h.Source, h.ID, flags)),
		reports.Text(h.ID),
	}
}

func eventRow(e schema.AlertEvent) reports.Row {
	return reports.Row{
		reports.Text("told"), reports.Text(e.Rule), reports.Text(e.Series), reports.Null(), reports.DayCell(e.Day),
		moneyOrNull(e.From), moneyOrNull(e.To), reports.Text(strings.TrimPrefix(headOf(e.Detail), "[mtok] ")), reports.Text(e.Event),
	}
}

func headOf(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

func dayOrNull(d schema.Day) reports.Cell {
	if d == 0 {
		return reports.Null()
	}
	return reports.DayCell(d)
}

func moneyOrNull(u schema.USD) reports.Cell {
	if u == 0 {
		return reports.Null()
	}
	return reports.Money(u)
}
