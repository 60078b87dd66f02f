package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"time"

	"github.com/spf13/cobra"

	"mtok/pipeline"
	"mtok/pipeline/schedule"
	"mtok/reports/web"
	"mtok/schema/store"
	"mtok/scrapers"
)

const (
	// stopPatience is how long a running night may go on after a signal; systemd
	// kills after 90 seconds.
	stopPatience = 30 * time.Second
	// hangUpPatience is how long an answer that is being sent may take then.
	hangUpPatience = 5 * time.Second
)

func (a *app) serveCommand() *cobra.Command {
	var listen string
	cmd := &cobra.Command{
		Use: "serve", Short: "run the night on schedule; show the reports, answer /healthz, /readyz and /metrics",
		Long: `Run the night on schedule ([schedule] spec, in UTC) and answer over HTTP:

  /         every report as a page; /mtok.json and so on for programs
  /healthz  200 while the process is alive
  /readyz   503 with the reasons when the last night failed or a provider is stale
  /metrics  prices, costs and the state of each provider for Prometheus

A day is run once. A slot that was slept through is caught up as soon as that is
noticed, on the same day only; a night that gave nothing is tried once more an
hour later. On SIGTERM a running night has 30 seconds to end.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !cmd.Flags().Changed("listen") {
				listen = a.config.Serve.Listen
			}
			return a.runServe(cmd.Context(), listen)
		},
	}
	cmd.Flags().StringVar(&listen, "listen", "", "`ADDR` to answer on, in place of [serve] listen; '' for none")
	return cmd
}

func (a *app) runServe(ctx context.Context, listen string) error {
	if err := checkListen(listen); err != nil {
		return usagef("--listen: %w", err)
	}
	spec, err := a.schedule()
	if err != nil {
		return err
	}
	providers, err := a.config.enabled(nil)
	if err != nil {
		return err
	}
	if _, err := a.providerSettings(providers); err != nil { // now, not at the first slot
		return err
	}
	return a.withStore(ctx, store.Create, func(s *store.Store) error {
		return a.serve(ctx, s, spec, providers, listen)
	})
}

// serve runs until the context ends or the server fails, and leaves nothing
// running behind.
func (a *app) serve(
	ctx context.Context, s *store.Store, spec schedule.Spec, providers []scrapers.Provider, listen string,
) error {
	options := a.webOptions(s, providers)
	options.Pages = a.servedPages(s)
	server := web.Server(options)
	failed := make(chan error, 1)
	if listen != "" {
		listener, err := new(net.ListenConfig).Listen(ctx, "tcp", listen)
		if err != nil {
			return fmt.Errorf("serve: %w", err)
		}
		a.sayListening(listener.Addr())
		go func() {
			defer close(failed)
			failed <- server.Serve(listener)
		}()
	}
	// A night of its own is told by logs, also on a terminal.
	nights := *a
	nights.Terminal = false
	scheduler := schedule.New(ctx, schedule.Options{
		Spec: spec, Ledger: nightLedger{s, ids(providers)}, Job: nights.scheduled(s), Now: a.Now, Log: a.log,
	})
	a.log.Info("schedule", slog.String("spec", spec.String()), slog.Time("next", spec.Next(a.Now())))
	scheduler.Start()
	stopDelivering := nights.keepDelivering(ctx, s)
	defer stopDelivering()
	var fault error
	select {
	case <-ctx.Done():
	case err := <-failed:
		fault = fmt.Errorf("serve: %w", err)
	}
	a.log.Info("stopping", slog.Duration("patience", stopPatience))
	ctx = context.WithoutCancel(ctx)
	patience, cancel := context.WithTimeout(ctx, stopPatience)
	defer cancel()
	if err := scheduler.Stop(patience); err != nil {
		fault = errors.Join(fault, fmt.Errorf("the running night was cancelled: %w", err))
	}
	if listen != "" {
		fault = errors.Join(fault, hangUp(ctx, server))
		for range failed { // its goroutine ends
		}
	}
	return fault
}

// hangUp ends the server: no new requests, and a moment for those that are being
// answered.
func hangUp(ctx context.Context, server *http.Server) error {
	ctx, cancel := context.WithTimeout(ctx, hangUpPatience)
	defer cancel()
	if server.Shutdown(ctx) != nil {
		return server.Close()
	}
	return nil
}

func (a *app) sayListening(addr net.Addr) {
	a.log.Info("listening", slog.String("addr", addr.String()))
	if at, err := netip.ParseAddrPort(addr.String()); err != nil || !at.Addr().Unmap().IsLoopback() {
		a.log.Warn("others can reach this address, and there is no authentication: put a proxy before it",
			slog.String("addr", addr.String()))
	}
}

// scheduled is the night as the schedule runs it.
func (a *app) scheduled(s *store.Store) schedule.Job {
	return func(ctx context.Context, due schedule.Due) error {
		plan, err := a.planNight(nightOptions{}, nil)
		if err != nil {
			return err
		}
		defer plan.fetcher.Close()
		plan.day, plan.trigger, plan.alerts = due.Day, due.Trigger, judgedAndDelivered
		summary, err := a.ingest(ctx, s, plan)
		if errors.Is(err, pipeline.ErrRunning) {
			return fmt.Errorf("%w: %w", schedule.ErrBusy, err)
		}
		if err != nil {
			return err
		}
		if _, err := a.deliver(ctx, s, 0); err != nil {
			a.log.Error("alerts not delivered", slog.String("error", err.Error()))
		}
		a.beat(ctx, summary)
		if err = nightResult(summary); errors.Is(err, errPartial) {
			a.log.Warn("partial night", slog.String("day", due.Day.String()))
			err = nil
		}
		return cmp.Or(err, a.writeMetrics(s))
	}
}
