package pipeline

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"mtok/pipeline/history"
	"mtok/schema"
)

// importedFiles are the imported files, read again when one of their prices is met.
type importedFiles struct {
	verify *Verify
	files  map[int64]importedFile
	// batches are the fetches that one run read of one format: its files are judged
	// together.
	batches map[batch][]int64
	read    map[dated]*importedPrices
	// own are the runs that put an export of ours back.
	own map[int64]bool
}

type importedFile struct {
	fetch  schema.Fetch
	format string
	file   string
}

type batch struct {
	run    int64
	format string
}

// dated is a file as of a day: 0 but for files that tell none.
type dated struct {
	fetch int64
	day   schema.Day
}

type importedKey struct {
	day schema.Day
	rowKey
}

type importedToken struct {
	day                     schema.Day
	source, model, endpoint string
}

// importedPrices are what a file gives.
type importedPrices struct {
	prices map[importedKey]schema.Observation
	tokens map[importedToken]schema.ImportedTokenPrice
}

func (v *Verify) openImports(ctx context.Context) (*importedFiles, error) {
	all, err := v.Store.Imports(ctx)
	if err != nil {
		return nil, err
	}
	i := &importedFiles{verify: v, files: map[int64]importedFile{}, batches: map[batch][]int64{}, read: map[dated]*importedPrices{}, own: map[int64]bool{}}
	if len(all) == 0 {
		return i, nil
	}
	fetches := map[int64]schema.Fetch{}
	days, err := v.Store.FetchDays(ctx)
	if err != nil {
		return nil, err
	}
	for _, day := range days {
		of, err := v.Store.Fetches(ctx, schema.FetchFilter{FromDay: day, ToDay: day})
		if err != nil {
			return nil, err
		}
		for _, f := range of {
			if f.Origin == schema.OriginImport {
				fetches[f.ID] = f
			}
		}
	}
	for _, in := range all {
		f := importedFile{fetch: fetches[in.Fetch.ID], format: in.Format, file: in.File}
		i.files[in.Fetch.ID] = f
		b := batch{f.fetch.RunID, f.format}
		i.batches[b] = append(i.batches[b], in.Fetch.ID)
		if f.format == history.OwnName && f.fetch.Provider == history.OwnName {
			i.own[f.fetch.RunID] = true
		}
	}
	return i, nil
}

// importedDay holds the imported prices of a day to their files. What a file has
// besides is not missed: our own prices and later imports take its place.
func (v *Verify) importedDay(ctx context.Context, out *DayEvidence) error {
	stored, err := v.Store.Observations(ctx, schema.ObservationFilter{FromDay: out.Day, ToDay: out.Day, Origin: schema.OriginImport})
	if err != nil {
		return err
	}
	for _, o := range stored {
		if v.untraced(o.FetchID, o.PageSHA256) {
			out.pass(o)
			continue
		}
		derived, found, err := v.imports.price(ctx, o)
		if err != nil {
			return err
		}
		out.hold(o, derived, found)
	}
	return nil
}

func (i *importedFiles) price(ctx context.Context, o schema.Observation) (schema.Observation, bool, error) {
	p, err := i.of(ctx, o.FetchID, o.Day)
	if err != nil {
		return schema.Observation{}, false, err
	}
	derived, found := p.prices[importedKey{o.Day, keyOf(o)}]
	return derived, found, nil
}

func (i *importedFiles) token(ctx context.Context, o schema.TokenObservation) (schema.TokenObservation, bool, error) {
	p, err := i.of(ctx, o.FetchID, o.Day)
	if err != nil {
		return o, false, err
	}
	given, found := p.tokens[importedToken{o.Day, o.Source, o.Model, o.Endpoint}]
	derived := o
	derived.In, derived.Out, derived.CacheRead, derived.CacheWrite = amountOf(given.In), amountOf(given.Out), amountOf(given.CacheRead), 0
	derived.PriceText = given.Text
	return derived, found, nil
}

func amountOf(u *schema.USD) schema.USD {
	if u == nil {
		return 0
	}
	return *u
}

// of reads a file, with the files that were judged with it.
func (i *importedFiles) of(ctx context.Context, fetch int64, day schema.Day) (*importedPrices, error) {
	file, known := i.files[fetch]
	if !known {
		return &importedPrices{}, nil // an import without its file: nothing proves it
	}
	formats, err := formatsOf(file.format)
	if err != nil {
		return nil, err
	}
	at := dated{fetch: fetch}
	if len(formats) > 0 && formats[0].Undated {
		at.day = day
	}
	if done, ok := i.read[at]; ok {
		return done, nil
	}
	of := i.batches[batch{file.fetch.RunID, file.format}]
	for _, id := range of {
		i.read[dated{id, at.day}] = &importedPrices{prices: map[importedKey]schema.Observation{}, tokens: map[importedToken]schema.ImportedTokenPrice{}}
	}
	files, ids, err := i.bodies(ctx, of)
	if err != nil {
		return nil, err
	}
	for _, format := range formats {
		job := Import{Format: format, Providers: i.verify.Providers, Catalog: i.verify.Catalog, Store: nothingImported{},
			Now: i.verify.Now, Lenient: true, Day: at.day}
		read, err := job.Read(ctx, files)
		if err != nil {
			continue // of another form: the next one reads it, or nothing does
		}
		for n, f := range read {
			i.read[dated{ids[n], at.day}].take(f)
		}
		break
	}
	return i.read[at], nil
}

// bodies are the files that are still held.
func (i *importedFiles) bodies(ctx context.Context, of []int64) (files []File, ids []int64, err error) {
	for _, id := range of {
		page, err := i.verify.Store.Page(ctx, i.files[id].fetch.PageSHA256)
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if err != nil {
			continue // its prices stand on no page: they are told one by one
		}
		files, ids = append(files, File{Name: i.files[id].file, Body: page.Body}), append(ids, id)
	}
	return files, ids, nil
}

func (p *importedPrices) take(f ReadFile) {
	for _, kept := range f.Verdict.Kept {
		o := kept.Observation()
		p.prices[importedKey{o.Day, keyOf(o)}] = o
	}
	for _, t := range f.Result.Tokens {
		p.tokens[importedToken{t.Day, t.Source, t.Model, t.Endpoint}] = t
	}
}

// formatsOf are the forms that a format's files come in: as its source publishes
// them, and as they come with the program.
func formatsOf(name string) ([]history.Format, error) {
	var out []history.Format
	if f, ok := history.Find(name); ok {
		out = append(out, f)
	}
	bundles, err := history.Bundles()
	if err != nil {
		return nil, fmt.Errorf("bundled history: %w", err)
	}
	for _, b := range bundles {
		if b.Format.Name == name {
			out = append(out, b.Format)
		}
	}
	return slices.Clip(out), nil
}

// nothingImported is a store that never read a file before.
type nothingImported struct{}

func (nothingImported) Imported(context.Context, schema.ImportKind) (bool, error) { return false, nil }
func (nothingImported) SaveImport(context.Context, schema.Import) (int, error) {
	return 0, errors.ErrUnsupported
}
