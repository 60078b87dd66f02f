package watch

import (
	"context"
	"fmt"
	"slices"

	"mtok/reports"
	"mtok/reports/alert"
	"mtok/schema"
)

// available judges the stock of shapes.
func (n *night) available(ctx context.Context, src Source, r alert.Rule) error {
	known, err := n.published(ctx, src)
	if err != nil {
		return err
	}
	whole := !missing(n.runs, n.day, n.day)[n.day]
	providers := r.Providers
	if len(providers) == 0 {
		providers = []schema.ProviderID{""}
	}
	for _, class := range n.classes(r) {
		for _, provider := range providers {
			stock, listed := known.StockOf(class, provider, "", r.GPUs)
			night := alert.Stock{Day: n.day, State: stock, Complete: whole, Listed: listed}
			for _, side := range r.Sides() {
				series := fmt.Sprintf("%s/%s/%dx/%s", provider, class, r.GPUs, side.Direction)
				n.next(side, series, side.Available(night), func(t alert.Transition) []string {
					if otherSideTells(r, t) {
						return nil
					}
					word := "IN STOCK"
					if (side.Direction == alert.Down) != (t.Change == alert.ChangeResolved) {
						word = "OUT OF STOCK"
					}
					return []string{fmt.Sprintf("[mtok] %s %s %s, on-demand", word, shapeName(r.GPUs, class), n.name(provider))}
				})
			}
		}
	}
	return nil
}

func shapeName(gpus int, class schema.ClassID) string {
	if gpus == 0 {
		return className(class)
	}
	return fmt.Sprintf("%dx %s", gpus, className(class))
}

// mine judges the market against the user's contracts, and their ends.
func (n *night) mine(ctx context.Context, src Source, r alert.Rule) error {
	gone := missing(n.runs, n.day, n.day)[n.day]
	for _, f := range n.Contracts.Fleets {
		if r.Fleet != "" && f.Name != r.Fleet || !r.Watches(f.Class) {
			continue
		}
		known, err := n.published(ctx, src)
		if err != nil {
			return err
		}
		var points []alert.Point
		ask, ok := known.CheapestAsk(f.Class, f.GPUs, n.Catalog, n.Settings)
		if ok {
			points = append(points, alert.Point{Day: n.day, Value: ask.PerGPU, Known: true, Inhibited: gone})
		}
		n.next(r, f.Name, r.Mine(points, f.USDPerGPUHour, n.day), func(t alert.Transition) []string {
			return []string{
				n.headline("MINE", t, fmt.Sprintf("fleet %s, %d x %s: the market is under your contract", f.Name, f.GPUs, className(f.Class)),
					"$/GPU-h", t.State.From, t.State.Value),
				"At " + ask.Seller + ", on-demand. " + fleetLine(f, t.State.Value),
			}
		})
		if f.FixedTo == 0 {
			continue
		}
		end := f.FixedTo - schema.Day(f.NoticeDays)
		for _, days := range r.RenewalDays {
			n.next(r, fmt.Sprintf("%s/renewal-%d", f.Name, days), r.Renewal(end, days, n.day), func(t alert.Transition) []string {
				if t.Change == alert.ChangeResolved {
					return []string{fmt.Sprintf("[mtok] RENEWAL fleet %s: its day %s is past", oneLine(f.Name), end)}
				}
				lines := []string{fmt.Sprintf("[mtok] RENEWAL fleet %s, %d x %s: renew or end it by %s, in %d days", oneLine(f.Name), f.GPUs,
					className(f.Class), end, end-n.day)}
				if !ok {
					return append(lines, "Nobody rents this shape on demand tonight: there is no price to compare with.")
				}
				return append(lines, fmt.Sprintf("Tonight %s $/GPU-h at %s, on-demand. %s", ask.PerGPU.Fixed(2), ask.Seller, fleetLine(f, ask.PerGPU)))
			})
		}
	}
	return nil
}

// stale judges the providers that were asked tonight.
func (n *night) stale(ctx context.Context, src Source, r alert.Rule) error {
	complete, err := src.LastCompleteDays(ctx)
	if err != nil {
		return fmt.Errorf("last complete days: %w", err)
	}
	for _, run := range newestOfDay(n.runs) {
		if run.Day != n.day || len(r.Providers) > 0 && !slices.Contains(r.Providers, run.Provider) {
			continue
		}
		last := complete[run.Provider]
		n.next(r, string(run.Provider), r.Stale(last, n.day), func(t alert.Transition) []string {
			if t.Change == alert.ChangeResolved {
				return []string{fmt.Sprintf("[mtok] BACK %s: its night of %s is complete", n.name(run.Provider), n.day)}
			}
			return []string{
				fmt.Sprintf("[mtok] STALE %s: its night of %s is %s, the last complete one of %s", n.name(run.Provider), n.day, run.Status, last),
				oneLine("Until it is read whole again it raises no other alert. " + reports.Brief(run.Detail)), "See: mtok status" + n.Database,
			}
		})
	}
	return nil
}
