package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"mtok/reports"
	"mtok/reports/render"
	"mtok/schema"
	"mtok/scrapers"
)

// reportFiles are reports that are written as files of one directory.
type reportFiles struct {
	loader reports.Loader
	chosen []reportBuilder
	filter reports.Filter
}

// reportFile is one report under the name of its file, without the ending.
type reportFile struct {
	name, about string
	doc         reports.Document
	isClass     bool // a page of one class, which the others do not lead to
}

// writeReports writes the chosen reports into a directory: as HTML with an index
// where no format is named. Each file is written beside its name and renamed.
func (a *app) writeReports(ctx context.Context, files reportFiles, o reportOptions, format render.Format) error {
	asPages := !o.given("format") || format == render.HTML
	docs, err := files.build(ctx, asPages)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(o.output, 0o755); err != nil {
		return err
	}
	for _, d := range docs {
		write := func(w io.Writer) error { return render.Write(w, d.doc, format) }
		ending := format.Extension()
		if asPages {
			ending = render.HTML.Extension()
			write = func(w io.Writer) error {
				return render.WritePage(w, render.Page{Document: d.doc, Links: links(docs, d.name)})
			}
		}
		if err := wholeFile(filepath.Join(o.output, d.name+"."+ending), ownerWrites, write); err != nil {
			return err
		}
	}
	if !asPages || len(files.chosen) == 1 {
		a.tellWritten(docs, o.output, format, asPages)
		return nil
	}
	if err := wholeFile(filepath.Join(o.output, pageName("index")), ownerWrites, func(w io.Writer) error { return render.WriteIndex(w, indexOf(docs)) }); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "wrote %s: %s\n", counted(len(docs)+1, "page"), render.Clean(filepath.Join(o.output, pageName("index"))))
	return nil
}

// tellWritten says which file holds the one report, or where the files of several are.
func (a *app) tellWritten(docs []reportFile, dir string, format render.Format, asPages bool) {
	what, ending := "file", format.Extension()
	if asPages {
		what, ending = "page", render.HTML.Extension()
	}
	if len(docs) == 1 {
		dir = filepath.Join(dir, docs[0].name+"."+ending)
	}
	fmt.Fprintf(a.stdout, "wrote %s: %s\n", counted(len(docs), what), render.Clean(dir))
}

// indexOf is the page that leads to all reports.
func indexOf(docs []reportFile) render.Index {
	index := render.Index{Title: "mtok reports", Links: links(docs, "")[1:]}
	for _, d := range docs {
		if !d.doc.Empty {
			index.AsOf = d.doc.AsOf.String()
			break
		}
	}
	for _, d := range docs {
		if d.isClass {
			index.Classes = append(index.Classes, render.Link{Name: d.about, File: pageName(d.name), About: opening(d.doc)})
		}
	}
	return index
}

// opening is what a page says first.
func opening(doc reports.Document) string {
	if len(doc.Before) > 0 {
		return doc.Before[0]
	}
	return doc.Title
}

func pageName(name string) string { return name + "." + render.HTML.Extension() }

// links lead from each page to the index and to all reports.
func links(docs []reportFile, current string) []render.Link {
	out := []render.Link{{Name: "index", File: pageName("index")}}
	if len(docs) == 1 {
		return nil
	}
	for _, d := range docs {
		if !d.isClass {
			out = append(out, render.Link{Name: d.name, File: pageName(d.name), About: d.about, Current: d.name == current})
		}
	}
	return out
}

// build makes the reports; of all of them as pages the trend of each class has its
// own.
func (f reportFiles) build(ctx context.Context, asPages bool) ([]reportFile, error) {
	var out []reportFile
	for _, r := range f.chosen {
		doc, err := r.build(f.loader, ctx, f.filter)
		if err != nil {
			return nil, fmt.Errorf("report %s: %w", r.name, err)
		}
		out = append(out, reportFile{name: r.name, about: r.short, doc: doc})
	}
	if !asPages || len(f.chosen) == 1 || f.filter.Class != "" {
		return out, nil
	}
	classes, err := f.loader.TrendClasses(ctx, f.filter)
	if err != nil {
		return nil, fmt.Errorf("report trend: %w", err)
	}
	for _, class := range classes {
		if strings.HasPrefix(string(class), schema.UnmatchedPrefix) {
			continue // its name is a provider's text, and no name of a file
		}
		filter := f.filter
		filter.Class = class
		doc, err := f.loader.Trend(ctx, filter)
		if err != nil {
			return nil, fmt.Errorf("report trend %s: %w", class, err)
		}
		out = append(out, reportFile{name: "trend-" + string(class), about: string(class), doc: doc, isClass: true})
	}
	return out, nil
}

// parserVersions are those of the parsers of today.
func parserVersions() map[schema.ProviderID]int {
	out := map[schema.ProviderID]int{}
	for _, p := range scrapers.Registry() {
		out[p.ID] = p.Version
	}
	return out
}
