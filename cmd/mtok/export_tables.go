package main

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"sync/atomic"

	"mtok/reports/export"
	"mtok/schema"
	"mtok/schema/store"
)

// exporter writes tables of one export; months are written at the same time.
type exporter struct {
	store  *store.Store
	format export.Format
	filter schema.ExportFilter

	observations, tokenPrices atomic.Int64 // written
}

// month writes a month of a table.
func (x *exporter) month(
	ctx context.Context, dir, table string, f schema.ExportFilter, write func(context.Context, io.Writer, schema.ExportFilter) error,
) error {
	dir = filepath.Join(dir, table, "month="+monthOf(f.FromDay))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	path := filepath.Join(dir, table+"."+string(x.format))
	return wholeFile(path, ownerWrites, func(w io.Writer) error { return write(ctx, w, f) })
}

func (x *exporter) writeObservations(ctx context.Context, w io.Writer, f schema.ExportFilter) error {
	sink := export.Observations(w, x.format)
	err := x.store.ExportObservations(ctx, f, func(o *schema.ExportedObservation) error {
		x.observations.Add(1)
		return sink.Write(o)
	})
	return errors.Join(err, sink.Close())
}

func (x *exporter) writeTokenPrices(ctx context.Context, w io.Writer, f schema.ExportFilter) error {
	sink := export.TokenPrices(w, x.format)
	err := x.store.ExportTokenPrices(ctx, f, func(p *schema.ExportedTokenPrice) error {
		x.tokenPrices.Add(1)
		return sink.Write(p)
	})
	return errors.Join(err, sink.Close())
}

// small writes the tables of few rows.
func (x *exporter) small(ctx context.Context, dir string) error {
	nights, err := x.store.ExportNights(ctx, x.filter)
	if err != nil {
		return err
	}
	notices, err := x.store.ExportNotices(ctx, x.filter)
	if err != nil {
		return err
	}
	quarantines, err := x.store.ExportQuarantines(ctx, x.filter)
	if err != nil {
		return err
	}
	parses, err := x.store.ExportParses(ctx, x.filter)
	if err != nil {
		return err
	}
	file := func(table string) string { return filepath.Join(dir, table+"."+string(x.format)) }
	return errors.Join(
		writeTable(file("parses"), x.format, export.Parses, parses),
		wholeFile(file("rejects"), ownerWrites, func(w io.Writer) error { return x.writeRejects(ctx, w, parses) }),
		writeTable(file("nights"), x.format, export.Nights, nights),
		writeTable(file("notices"), x.format, export.Notices, notices),
		writeTable(file("quarantines"), x.format, export.Quarantines, quarantines),
	)
}

func (x *exporter) writeRejects(ctx context.Context, w io.Writer, parses []schema.ExportedParse) error {
	sink := export.Rejects(w, x.format)
	return errors.Join(x.store.ExportRejects(ctx, parses, sink.Write), sink.Close())
}

func writeTable[T any](path string, f export.Format, open func(io.Writer, export.Format) export.Sink[T], rows []T) error {
	return wholeFile(path, ownerWrites, func(w io.Writer) error {
		sink := open(w, f)
		for i := range rows {
			if err := sink.Write(&rows[i]); err != nil {
				return err
			}
		}
		return sink.Close()
	})
}
