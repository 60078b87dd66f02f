package main

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"mtok/pipeline"
	"mtok/reports/alert"
	"mtok/reports/notify"
	"mtok/reports/render"
	"mtok/reports/watch"
	"mtok/schema"
	"mtok/schema/store"
	"mtok/scrapers"
)

// judging is how a command treats alerts: whether a night is judged, and whether what
// it tells goes to the channels.
type judging uint8

const (
	notJudged judging = iota
	judgedOnly
	judgedAndDelivered
)

// marketplaces are the providers whose offers are other people's machines.
func marketplaces() []schema.ProviderID { return []schema.ProviderID{"vast"} }

// judgedNight is a night that is to be settled and judged.
type judgedNight struct {
	day  schema.Day
	run  int64 // 0 for none
	how  judging
	rows *dayRows // that keep what its figures are made of; may be nil
}

// settleJudged is settle, with the newest day's figures, the judgement of the night
// and its outbox in one transaction: a night that dies has told nothing that it does
// not know, and forgets nothing that it told.
func (a *app) settleJudged(ctx context.Context, s *store.Store, catalog *schema.Catalog, n judgedNight) error {
	days, err := s.UnsettledDays(ctx)
	if err != nil {
		return err
	}
	last := max(len(days)-1, 0)
	if err := a.deriveDays(ctx, s, catalog, days[:last], nil); err != nil {
		return err
	}
	return s.Together(ctx, "judge the night", func(s *store.Store) error {
		if err := a.deriveDays(ctx, s, catalog, days[last:], n.rows); err != nil {
			return err
		}
		newest, _, err := s.LatestDay(ctx)
		if err != nil {
			return err
		}
		return a.judge(ctx, s, catalog, max(n.day, newest), n.run, n.how)
	})
}

// judge judges a night and keeps what it tells.
func (a *app) judge(ctx context.Context, s *store.Store, catalog *schema.Catalog, day schema.Day, run int64, how judging) error {
	j, err := a.judgeBy(catalog)
	if err != nil {
		return err
	}
	if how != judgedAndDelivered {
		j.Channels = func(alert.Rule) []string { return nil }
	}
	night, err := j.Night(ctx, s, day)
	if err != nil {
		return fmt.Errorf("alerts of %s: %w", day, err)
	}
	for i := range night.Events {
		night.Events[i].RunID = run
	}
	_, err = s.SaveAlerts(ctx, night)
	return err
}

// judgeBy is what nights are judged by in this configuration.
func (a *app) judgeBy(catalog *schema.Catalog) (watch.Judge, error) {
	rules, err := a.config.rules(catalog)
	if err != nil {
		return watch.Judge{}, err
	}
	contracts, err := a.config.contracts(catalog)
	if err != nil {
		return watch.Judge{}, err
	}
	names := map[schema.ProviderID]string{}
	for _, p := range scrapers.Registry() {
		names[p.ID] = p.Name
	}
	return watch.Judge{
		Rules: rules, Catalog: catalog, Settings: a.config.settings(), Contracts: contracts, Names: names, Markets: marketplaces(),
		Channels: a.config.channelsOf, Database: a.hereFlags(),
	}, nil
}

// hereFlags make a printed command read the same configuration and database.
func (a *app) hereFlags() string {
	if a.configPath == "" {
		return a.dbFlag()
	}
	return " --config " + shellQuote(a.configPath) + a.dbFlag()
}

// channelsOf names where the events of a rule go: those that it names, else the
// channels of operators for what is theirs, and the others for the rest.
func (c Config) channelsOf(r alert.Rule) []string {
	if len(r.Channels) > 0 {
		return r.Channels
	}
	var operators, others []string
	for _, channel := range c.Channels {
		if channel.Operator {
			operators = append(operators, channel.Name)
		} else {
			others = append(others, channel.Name)
		}
	}
	if r.Severity == alert.SeverityOperator && len(operators) > 0 {
		return operators
	}
	return others
}

// sender sends to channels, by the policy that tests choose, else by that of channels.
func (a *app) sender() *notify.Sender {
	return notify.NewSender(notify.Options{AllowAddress: a.AllowAddress, AllowHTTP: a.AllowHTTP, Now: a.Now})
}

// deliver takes the outbox to the channels. What can't be reached is no error.
func (a *app) deliver(ctx context.Context, s *store.Store, patience time.Duration) (notify.Result, error) {
	d := notify.Delivery{
		Outbox: s, Channels: a.channels(), Sender: a.sender(), Now: a.Now, Wait: a.wait, Log: a.log, Patience: patience,
	}
	return d.Run(ctx)
}

func (a *app) wait(ctx context.Context, d time.Duration) error {
	if a.Wait != nil {
		return a.Wait(ctx, d)
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// shownAlerts is how many alerts of a night a screen lists.
const shownAlerts = 8

// tellNight shows what a night told and takes it to the channels.
func (a *app) tellNight(ctx context.Context, s *store.Store, summary pipeline.Summary) error {
	if err := a.showAlerts(ctx, s, summary.Run); err != nil {
		return err
	}
	if _, older, err := s.LatestDayUpTo(ctx, summary.Run.Day-1); err != nil {
		return err
	} else if !older {
		if err := a.firstBaseline(ctx, s, summary.Run.Day); err != nil {
			return err
		}
	}
	result, err := a.deliver(ctx, s, notify.Patience)
	if err != nil {
		return err
	}
	if result != (notify.Result{}) {
		fmt.Fprintln(a.stdout, deliveryText(result))
	}
	a.beat(ctx, summary)
	return nil
}

// firstBaseline says when relative alerts start, where a first night was published.
func (a *app) firstBaseline(ctx context.Context, s *store.Store, day schema.Day) error {
	_, published, err := s.LatestDayUpTo(ctx, day)
	if err == nil && published {
		fmt.Fprintln(a.stdout, "No baseline yet: relative alerts start tomorrow")
	}
	return err
}

// showAlerts lists what a run told.
func (a *app) showAlerts(ctx context.Context, s *store.Store, run schema.Run) error {
	events, err := s.RunAlertEvents(ctx, run.ID)
	for i, e := range events {
		if i == shownAlerts {
			fmt.Fprintf(a.stdout, "  and %d more: mtok alerts list%s\n", len(events)-i, a.dbFlag())
			break
		}
		fmt.Fprintln(a.stdout, render.Clean(headOf(e.Detail)))
	}
	return err
}

// deliveryText says what came of a delivery.
func deliveryText(r notify.Result) string {
	text := fmt.Sprintf("Alerts: %s delivered", counted(r.Sent, "message"))
	if r.Waiting > 0 {
		text += fmt.Sprintf(", %d waiting for another try", r.Waiting)
	}
	if r.Dead > 0 {
		text += fmt.Sprintf(", %d given up: mtok alerts retry", r.Dead)
	}
	return text
}

// beat asks for the heartbeat URL after a complete night of today of all providers.
func (a *app) beat(ctx context.Context, summary pipeline.Summary) {
	c := a.config.Heartbeat
	all, err := a.config.enabled(nil)
	if c == (HeartbeatConfig{}) || c.URLEnv == "" && c.URLFile == "" || err != nil || summary.Status() != schema.StatusComplete ||
		summary.Run.Day != schema.DayOf(a.Now()) || len(summary.Outcomes) < len(rentals(all)) {
		return
	}
	url, err := a.secretURL(c.URLEnv, c.URLFile)
	if err == nil {
		err = a.sender().Beat(ctx, url)
	}
	if err != nil {
		a.log.Warn("heartbeat not sent", slog.String("reason", err.Error()))
	}
}
