package pipeline

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"mtok/schema"
	"mtok/scrapers"
)

// maxRequests bounds the pages of one provider in one night, paging included.
const maxRequests = 64

// providerNight collects what one provider gives in one run.
type providerNight struct {
	night    *Night
	run      schema.Run
	provider scrapers.Provider

	parts    map[schema.Day]*part
	asked    int
	answered int
	failures []error // of single requests

	lookAlikes int
	classes    map[gpuName]schema.ClassID
}

// gpuName is what a GPU is matched by.
type gpuName struct {
	name, form string
	vramMiB    int64
}

// part is what the pages of one day gave. A live night has one; the pages of a
// recorded night may have been fetched on several days.
type part struct {
	day     schema.Day
	parses  []schema.Parse
	rejects []schema.FetchRejects
	notices []schema.Notice
	seen    []schema.Observation
	tokens  []schema.TokenObservation
}

// panicError is a panic of a provider's code.
type panicError struct {
	value any
	stack []byte
}

func (e *panicError) Error() string { return fmt.Sprintf("panic: %v", e.value) }

// PanicStack returns where a provider panicked, nil when err is no panic.
func PanicStack(err error) []byte {
	var p *panicError
	if errors.As(err, &p) {
		return p.stack
	}
	return nil
}

// guarded runs f; a panic anywhere in it is this provider's failure.
func guarded(p scrapers.Provider, f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = &scrapers.FetchError{
				Kind: scrapers.FetchPanic, URL: p.Homepage, Err: &panicError{value: r, stack: debug.Stack()},
			}
		}
	}()
	return f()
}

// begin is a provider's part of a run of which nothing is read yet.
func (n *Night) begin(run schema.Run, p scrapers.Provider) *providerNight {
	return &providerNight{
		night: n, run: run, provider: p, parts: map[schema.Day]*part{}, classes: map[gpuName]schema.ClassID{},
	}
}

// provider runs one provider and saves its parts.
func (n *Night) provider(ctx context.Context, run schema.Run, p scrapers.Provider) (out Outcome, touched []schema.Day) {
	pn := n.begin(run, p)
	err := guarded(p, func() error {
		if err := pn.fetchAll(ctx); err != nil {
			return err
		}
		nights, err := pn.judge(ctx)
		if err != nil {
			return err
		}
		for _, night := range nights {
			if err := n.Store.SaveProviderNight(ctx, night); err != nil {
				return fmt.Errorf("save: %w", err)
			}
			touched = append(touched, night.Result.Day)
		}
		out = pn.outcome(nights)
		return nil
	})
	if err != nil {
		return n.failed(ctx, pn, err), touched
	}
	return out, touched
}

// failed records a provider of which nothing is published tonight. An
// interruption is not the provider's failure: it is told, but not recorded.
func (n *Night) failed(ctx context.Context, pn *providerNight, err error) Outcome {
	night := schema.ProviderNight{Run: pn.run, Result: pn.entry(pn.run.Day, schema.StatusFailed, err)}
	if ctx.Err() == nil {
		if saveErr := n.Store.SaveProviderNight(ctx, night); saveErr != nil {
			err = errors.Join(err, fmt.Errorf("record the failure: %w", saveErr))
		}
	}
	out := pn.outcome([]schema.ProviderNight{night})
	out.Err = err
	return out
}

// asks reports whether a source is asked tonight: one that needs a key only
// when there is one, or when the recorded night has its answer.
func (pn *providerNight) asks(s scrapers.Source) bool {
	if s.KeyEnv == "" {
		return true
	}
	if pn.night.Recorded != nil {
		return pn.night.Recorded(scrapers.Target{Provider: pn.provider.ID, Source: s.Name})
	}
	return pn.night.Settings[pn.provider.ID].APIKey != ""
}

// part is the part of a day, made when it is first met.
func (pn *providerNight) part(day schema.Day) *part {
	p, ok := pn.parts[day]
	if !ok {
		p = &part{day: day}
		pn.parts[day] = p
	}
	return p
}

// reject adds to the rejects of a fetch.
func (p *part) reject(fetch int64, rejects ...schema.Reject) {
	for i := range p.rejects {
		if p.rejects[i].FetchID == fetch {
			p.rejects[i].Rejects = append(p.rejects[i].Rejects, rejects...)
			return
		}
	}
	if len(rejects) > 0 {
		p.rejects = append(p.rejects, schema.FetchRejects{FetchID: fetch, Rejects: rejects})
	}
}

// allRejects are the rejects of all fetches of the part.
func (p *part) allRejects() []schema.Reject {
	var all []schema.Reject
	for _, r := range p.rejects {
		all = append(all, r.Rejects...)
	}
	return all
}
