package main

import (
	"bytes"
	"context"

	"mtok/reports/render"
	"mtok/reports/web"
	"mtok/schema/store"
)

// servedPages makes every report for the server: as pages that lead to each other,
// and as JSON. The configuration is that of the start.
func (a *app) servedPages(s *store.Store) web.Pages {
	return func(ctx context.Context) (map[string]web.File, error) {
		loader, err := a.loader(s)
		if err != nil {
			return nil, err
		}
		docs, err := reportFiles{loader: loader, chosen: reportList()}.build(ctx, true)
		if err != nil {
			return nil, err
		}
		files := map[string]web.File{}
		var b bytes.Buffer
		put := func(name, mediaType string, err error) error {
			files[name] = web.File{MediaType: mediaType, Body: bytes.Clone(b.Bytes())}
			b.Reset()
			return err
		}
		const page, data = "text/html; charset=utf-8", "application/json"
		for _, d := range docs {
			err := render.WritePage(&b, render.Page{Document: d.doc, Links: links(docs, d.name)})
			if err := put(pageName(d.name), page, err); err != nil {
				return nil, err
			}
			err = render.Write(&b, d.doc, render.JSON)
			if err := put(d.name+"."+render.JSON.Extension(), data, err); err != nil {
				return nil, err
			}
		}
		err = render.WriteIndex(&b, indexOf(docs))
		return files, put(pageName("index"), page, err)
	}
}
