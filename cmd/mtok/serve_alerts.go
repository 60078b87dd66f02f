package main

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"mtok/reports/watch"
	"mtok/schema"
	"mtok/schema/store"
)

// deliverEvery is how often serve looks for messages whose next try is due.
const deliverEvery = time.Minute

// keepDelivering takes the outbox to the channels again and again, until the context
// ends or stop is called; stop waits for a try that is under way.
func (a *app) keepDelivering(ctx context.Context, s *store.Store) (stop func()) {
	if len(a.config.Channels) == 0 {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	running.Go(func() {
		ticks := time.NewTicker(deliverEvery)
		defer ticks.Stop()
		for {
			if _, err := a.deliver(ctx, s, 0); err != nil && !errors.Is(err, context.Canceled) {
				a.log.Error("alerts not delivered", slog.String("error", err.Error()))
			}
			select {
			case <-ticks.C:
			case <-ctx.Done():
				return
			}
		}
	})
	return func() {
		cancel()
		running.Wait()
	}
}

// settleDecided derives the days of decided quarantines; what a person confirmed may
// be told now.
func (a *app) settleDecided(ctx context.Context, s *store.Store, catalog *schema.Catalog, state string) error {
	judged, err := a.lastJudged(ctx, s)
	if err != nil {
		return err
	}
	if state != schema.QuarantineConfirmed || judged == 0 {
		return a.settle(ctx, s, catalog)
	}
	if err := a.settleJudged(ctx, s, catalog, judgedNight{day: judged, how: judgedAndDelivered}); err != nil {
		return err
	}
	_, err = a.deliver(ctx, s, 0)
	return err
}

// lastJudged is the newest night that was judged, 0 for none.
func (a *app) lastJudged(ctx context.Context, s *store.Store) (schema.Day, error) {
	states, err := s.AlertStates(ctx)
	return watch.LastJudged(states), err
}
