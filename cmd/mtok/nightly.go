package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"mtok/pipeline"
	"mtok/reports"
	"mtok/schema"
	"mtok/schema/store"
	"mtok/scrapers"
	"mtok/scrapers/fetch"
	"mtok/scrapers/recorded"
)

// nightOptions say what night to run.
type nightOptions struct {
	providers []string
	recorded  string // directory
	day       string
	// An empty value is not the same as a flag that was not given: a night that
	// was to be recorded must not go live because a shell variable was empty.
	isRecorded, dayNamed bool
}

func (a *app) nightlyCommand() *cobra.Command {
	return a.nightCommand("nightly", "the main job: ingest, recompute, show tonight's prices")
}

func (a *app) ingestCommand() *cobra.Command {
	return a.nightCommand("ingest", "fetch or read the listings into the database and recompute their day")
}

func (a *app) nightCommand(name, short string) *cobra.Command {
	var o nightOptions
	cmd := &cobra.Command{
		Use: name, Short: short,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o.isRecorded, o.dayNamed = cmd.Flags().Changed("recorded"), cmd.Flags().Changed("day")
			return a.runNight(cmd.Context(), o, name == "nightly")
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&o.providers, "provider", nil, "only this provider `ID` (repeatable)")
	f.StringVar(&o.recorded, "recorded", "", "read a recorded night from `DIR` in place of the network")
	f.StringVar(&o.day, "day", "", "logical day `YYYY-MM-DD` of a recorded night (default: the day of its latest page)")
	return cmd
}

// nightGC is how much the heap may grow between collections while a night runs: a
// market's thousand machines leave much behind and are soon forgotten.
const nightGC = 200 // per cent

func (a *app) runNight(ctx context.Context, o nightOptions, screen bool) error {
	defer debug.SetGCPercent(debug.SetGCPercent(nightGC))
	var source fs.FS
	if o.isRecorded {
		root, err := openNight(o.recorded)
		if err != nil {
			return err
		}
		defer root.Close()
		source = root.FS()
	}
	plan, err := a.planNight(o, source)
	if err != nil {
		return err
	}
	defer plan.fetcher.Close()
	if screen {
		plan.alerts, plan.tonight = judgedAndDelivered, &dayRows{}
	}
	return a.withStore(ctx, store.Create, func(s *store.Store) error {
		summary, err := a.ingest(ctx, s, plan)
		if err != nil {
			return err
		}
		if screen {
			if err = a.nightScreen(ctx, s, summary, plan); err == nil {
				err = a.tellNight(ctx, s, summary)
			}
		} else {
			a.outcomes(a.stdout, summary)
		}
		if err != nil {
			return err
		}
		if err := a.pruneAfterNight(ctx, s); err != nil {
			return err
		}
		if err := a.writeMetrics(s); err != nil {
			return err
		}
		return nightResult(summary)
	})
}

// openNight opens the directory of a recorded night; a symlink in it can't lead
// out of it.
func openNight(dir string) (*os.Root, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, usagef("--recorded %q: %w", dir, err)
	}
	return root, nil
}

// nightResult maps a run's status to the command's result. A night on which no
// provider could be read has run all the same: it is told apart by its message.
func nightResult(s pipeline.Summary) error {
	switch s.Status() {
	case schema.StatusComplete:
		return nil
	case schema.StatusFailed:
		return errNothingRead
	default:
		return errPartial
	}
}

// nightPlan is a night that is decided but not run.
type nightPlan struct {
	title     string
	trigger   string
	day       schema.Day
	dayNamed  bool
	origin    schema.Origin
	providers []scrapers.Provider
	fetcher   *fetch.Fetcher
	settings  map[schema.ProviderID]scrapers.Settings
	recorded  func(scrapers.Target) bool // nil when live
	db        string                     // named in the next commands; empty for the configured one
	tonight   *dayRows                   // where a screen follows; may be nil
	alerts    judging
}

// planNight fixes the logical day, so that a run that crosses midnight stays
// one day.
func (a *app) planNight(o nightOptions, source fs.FS) (nightPlan, error) {
	providers, err := a.config.enabled(o.providers)
	if err != nil {
		return nightPlan{}, err
	}
	plan := nightPlan{
		trigger: triggerManual, origin: schema.OriginLive, providers: providers, day: schema.DayOf(a.Now()),
	}
	if plan.settings, err = a.providerSettings(providers); err != nil {
		return nightPlan{}, err
	}
	if o.dayNamed {
		if plan.day, err = pastDay(o.day, a.Now()); err != nil {
			return nightPlan{}, err
		}
	}
	if source == nil {
		if today := schema.DayOf(a.Now()); plan.day != today {
			return nightPlan{}, usagef("--day re-dates a recorded night; a live night is always today's, %s UTC", today)
		}
		plan.title = fmt.Sprintf("Night %s, live", plan.day)
		plan.fetcher = a.liveFetcher()
		return plan, nil
	}
	night, err := recorded.Open(source)
	if err != nil {
		return nightPlan{}, usagef("recorded night %s: %w", o.recorded, err)
	}
	for _, name := range night.Unknown(ids(scrapers.Registry())) {
		a.log.Warn("folder of an unknown provider ignored", slog.String("folder", name))
	}
	plan.origin, plan.trigger, plan.recorded = schema.OriginRecorded, "recorded", night.Has
	plan.providers = withRecordedLists(providers, o.providers, night)
	if o.dayNamed {
		plan.dayNamed, plan.trigger = true, fmt.Sprintf("recorded, dated %s by --day", plan.day)
	} else if latest, ok := night.LatestFetchedAt(ids(providers)...); ok {
		if plan.day = schema.DayOf(latest); plan.day > schema.DayOf(a.Now()) {
			return nightPlan{}, usagef("recorded night %s: a page is of %s, which is yet to come", o.recorded, plan.day)
		}
	}
	plan.title = fmt.Sprintf("Recorded night %s, offline", plan.day)
	plan.fetcher = fetch.New(fetch.Options{
		UserAgent: a.userAgent(), Transport: night, Recorded: true, AllowHTTP: true, Now: a.Now, Logger: a.log,
	})
	return plan, nil
}

func (a *app) liveFetcher() *fetch.Fetcher {
	return fetch.New(fetch.Options{
		UserAgent: a.userAgent(), Transport: a.Transport, AllowAddress: a.AllowAddress, AllowHTTP: a.AllowHTTP, Now: a.Now, Logger: a.log,
	})
}

func (a *app) userAgent() string {
	if contact := a.config.Fetch.Contact; contact != "" {
		return fmt.Sprintf("mtok/%s (+%s)", version, contact)
	}
	return fmt.Sprintf("mtok/%s (GPU price monitor, one visit a night)", version)
}

// ingest runs the plan under the run lock: fetch to save, then recompute the
// days that were touched.
func (a *app) ingest(ctx context.Context, s *store.Store, plan nightPlan) (pipeline.Summary, error) {
	newest, any, err := s.LatestDay(ctx)
	if err != nil {
		return pipeline.Summary{}, err
	}
	if any && plan.day < newest && !plan.dayNamed {
		return pipeline.Summary{}, usagef("the night is of %s, but %s is published already: name the older day with --day %s to write it",
			plan.day, newest, plan.day)
	}
	owner, err := pipeline.ThisProcess()
	if err != nil {
		return pipeline.Summary{}, err
	}
	catalog, err := a.catalog()
	if err != nil {
		return pipeline.Summary{}, err
	}
	known, err := shipped()
	if err != nil {
		return pipeline.Summary{}, err
	}
	ledger := pipeline.Ledger{Store: s, Owner: owner, Now: a.Now, Log: a.log}
	lease, err := ledger.Begin(ctx, schema.Run{
		Job: schema.JobNightly, Day: plan.day, Slot: plan.day.Slot(), Trigger: plan.trigger, Version: version,
	})
	if err != nil {
		return pipeline.Summary{}, err
	}
	night := &pipeline.Night{
		Providers: plan.providers, Settings: plan.settings, Recorded: plan.recorded, Catalog: catalog, Fetcher: plan.fetcher, Store: s,
		Progress: pipeline.Locked(a.progress()), Log: a.log, Now: a.Now, Origin: plan.origin, Redate: plan.dayNamed,
		Newest: newest, Published: any, Shipped: known,
	}
	summary, err := night.Run(ctx, lease.Run)
	if err == nil && plan.alerts == notJudged {
		err = a.settle(ctx, s, catalog)
	} else if err == nil {
		err = a.settleJudged(ctx, s, catalog, judgedNight{plan.day, lease.Run.ID, plan.alerts, plan.tonight})
	}
	status := schema.StatusFailed
	if err == nil {
		status = summary.Status()
	}
	return summary, errors.Join(err, lease.Finish(ctx, status))
}

// settle derives the daily figures of every day whose observations changed
// since they were last derived: tonight's, and those of a night that was killed
// before it came to this.
func (a *app) settle(ctx context.Context, s *store.Store, catalog *schema.Catalog) error {
	days, err := s.UnsettledDays(ctx)
	if err != nil {
		return err
	}
	return a.deriveDays(ctx, s, catalog, days, nil)
}

// deriveDays derives the daily figures of the given days from observations, and keeps
// those of the last day.
func (a *app) deriveDays(ctx context.Context, s *store.Store, catalog *schema.Catalog, days []schema.Day, kept *dayRows) error {
	for _, day := range days {
		err := s.RecomputeAPI(ctx, day, func(seen []schema.TokenObservation) []schema.DailyAPIPrice {
			return reports.DailyAPIPrices(day, seen)
		})
		if err != nil {
			return fmt.Errorf("recompute %s: %w", day, err)
		}
		err = s.Recompute(ctx, day, func(seen []schema.Observation) (schema.Daily, error) {
			kept.keep(day, seen)
			return reports.Recompute(day, seen, catalog, a.config.settings())
		})
		if err != nil {
			return fmt.Errorf("recompute %s: %w", day, err)
		}
	}
	return a.keepContracts(ctx, s, catalog, days)
}

// shipped is the built-in night.
func shipped() (pipeline.Shipped, error) {
	night, err := recorded.Open(recorded.Night())
	if err != nil {
		return pipeline.Shipped{}, fmt.Errorf("the built-in night: %w", err)
	}
	return pipeline.Shipped{Night: night, Providers: scrapers.Registry(), Settings: recorded.NightSettings()}, nil
}

func ids(providers []scrapers.Provider) []schema.ProviderID {
	var out []schema.ProviderID
	for _, p := range providers {
		out = append(out, p.ID)
	}
	return out
}

// pastDay reads a day that has begun; a day yet to come would stand before
// every later night.
func pastDay(text string, now time.Time) (schema.Day, error) {
	day, err := schema.ParseDay(text)
	if err != nil {
		return 0, usagef("--day: %w", err)
	}
	if today := schema.DayOf(now); day > today {
		return 0, usagef("--day %s is yet to come: today is %s UTC", day, today)
	}
	if day <= 0 {
		return 0, usagef("--day %s: there were no GPU clouds", day)
	}
	return day, nil
}
