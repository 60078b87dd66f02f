package main

import (
	"fmt"
	"io"
	"log/slog"

	"mtok/pipeline"
	"mtok/schema"
)

// progress is a line a provider on a terminal, a log record elsewhere.
func (a *app) progress() pipeline.Progress {
	if a.Terminal && a.logFormat == "text" {
		return &progressLines{w: a.stderr}
	}
	return &progressLog{log: a.log}
}

type progressLines struct {
	w           io.Writer
	started, in int
}

func (p *progressLines) ProviderStarted(schema.ProviderID) { p.started++ }

func (p *progressLines) ProviderEnded(o pipeline.Outcome) {
	p.in++
	fmt.Fprintf(p.w, "[%d/%d] %-12s %3d offers  %s\n", p.in, p.started, o.Provider, o.Offers, o.Status)
}

type progressLog struct{ log *slog.Logger }

func (p *progressLog) ProviderStarted(id schema.ProviderID) {
	p.log.Debug("provider started", slog.String("provider", string(id)))
}

func (p *progressLog) ProviderEnded(o pipeline.Outcome) {
	attrs := []any{
		slog.String("provider", string(o.Provider)), slog.String("status", string(o.Status)),
		slog.Int("offers", o.Offers), slog.Int("rejects", o.Rejects),
	}
	if o.Err != nil {
		p.log.Warn("provider", append(attrs, slog.String("kind", o.ErrorKind), slog.Any("error", o.Err))...)
		return
	}
	p.log.Info("provider", attrs...)
}
